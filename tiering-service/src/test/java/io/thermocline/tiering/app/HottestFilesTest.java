// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.tiering.heat.Profile;
import io.thermocline.tiering.hints.HintBook;
import io.thermocline.tiering.hints.HintSettings;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.observe.SeenAccess;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HottestFilesTest {

  private static final long HOUR = 3_600_000;
  private static final List<Profile> PROFILES =
      List.of(
          profile("/w/cool", 1),
          profile("/w/hot", 9),
          profile("/elsewhere/hotter", 20),
          profile("/w/warm", 5),
          profile("/w2/hottest", 30));

  @TempDir Path directory;

  @Test
  void thoseAreHintedThatAreHottestEachTime() throws Exception {
    try (Journal journal = Journal.open(directory)) {
      HintBook book =
          new HintBook(
              HintSettings.DEFAULT,
              SeenAccess.NAMESERVICE,
              new JournaledHints(journal::append, Clock.systemUTC()));
      HottestFiles hottest =
          new HottestFiles(
              new HintOperations.Timer(Duration.ofHours(2), 2, List.of("/w")),
              book,
              () -> PROFILES,
              path -> !path.startsWith("/elsewhere"));
      long start = 7 * HOUR;
      hottest.note(start);
      hottest.note(start + 2 * HOUR - 1);
      assertEquals(List.of(), hinted(book));
      hottest.note(start + 2 * HOUR);
      assertEquals(List.of("/w/hot", "/w/warm"), hinted(book));
      book.tick(start + 4 * HOUR);
      assertEquals(List.of(), hinted(book), "until the next time");
      hottest.note(start + 4 * HOUR);
      assertEquals(List.of("/w/hot", "/w/warm"), hinted(book));
    }
  }

  private static List<String> hinted(HintBook book) {
    return book.hints(hint -> hint.isOwn()).stream().map(used -> used.hint().path()).toList();
  }

  private static Profile profile(String path, double heat) {
    return new Profile(path, heat, 0, 0, 0, 0, 0, 0, 0, 0, List.of());
  }
}
