// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.hints;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.app.records.JournaledHints;
import io.thermocline.tiering.classify.HdfsChunks;
import io.thermocline.tiering.config.HintOperations;
import io.thermocline.tiering.heat.Profile;
import io.thermocline.tiering.hints.HintRegistry;
import io.thermocline.tiering.hints.HintSettings;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.observe.SeenAccess;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HottestChunksTest {

  private static final long HOUR = 3_600_000;

  /** Of chunks of 100 bytes, four: the small ones together, and the hottest two of those that fit. */
  private static final List<String> CHOSEN =
      List.of("/w/hot", "/w/small/a", "/w/small/b", "/w/warm");

  private final List<Profile> profiles = new ArrayList<>();
  private final List<FileView> files = new ArrayList<>();

  @TempDir Path directory;

  @Test
  void thoseAreHintedThatAreHottestEachTime() throws Exception {
    file("/w/cool", 1, 100);
    file("/w/hot", 9, 150);
    file("/w/large", 8, 1000);
    file("/elsewhere/hotter", 20, 1);
    file("/w/warm", 5, 100);
    file("/w2/hottest", 30, 100);
    file("/w/small/a", 3, 5);
    file("/w/small/b", 4, 5);
    file("/w/small/unread", 0, 5);
    try (Journal journal = Journal.open(directory)) {
      HintRegistry registry =
          new HintRegistry(
              HintSettings.DEFAULT,
              SeenAccess.NAMESERVICE,
              new JournaledHints(journal::append, Clock.systemUTC()));
      HottestChunks hottest =
          new HottestChunks(
              new HintOperations.Timer(Duration.ofHours(2), 4, 100, List.of("/w")),
              new HdfsChunks(10),
              registry,
              () -> profiles,
              path -> !path.startsWith("/elsewhere"));
      long start = 7 * HOUR;
      hottest.note(files, start);
      hottest.note(files, start + 2 * HOUR - 1);
      assertEquals(List.of(), hinted(registry));
      hottest.note(files, start + 2 * HOUR);
      assertEquals(CHOSEN, hinted(registry));
      registry.tick(start + 4 * HOUR);
      assertEquals(List.of(), hinted(registry), "until the next time");
      hottest.note(files, start + 4 * HOUR);
      assertEquals(CHOSEN, hinted(registry));
    }
  }

  private static List<String> hinted(HintRegistry registry) {
    return registry.hints(hint -> hint.isOwn()).stream()
        .map(used -> used.hint().path())
        .sorted()
        .toList();
  }

  private void file(String path, double heat, long length) {
    profiles.add(new Profile(path, heat, 0, 0, 0, 0, 0, 0, 0, 0, List.of()));
    FileView.Replica replica = new FileView.Replica("n1", "n1-DISK", StorageType.DISK);
    files.add(
        new FileView(
            path,
            length,
            1,
            0,
            List.of(new FileView.Block("BP-1", files.size(), 1, length, List.of(replica)))));
  }
}
