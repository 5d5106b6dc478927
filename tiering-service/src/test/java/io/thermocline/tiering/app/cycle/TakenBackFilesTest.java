// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.cycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.hints.Hint;
import io.thermocline.hints.Operation;
import io.thermocline.hints.Temperature;
import io.thermocline.tiering.hints.GivenHint;
import io.thermocline.tiering.hints.HintRates;
import io.thermocline.tiering.hints.HintsInForce;
import io.thermocline.tiering.hints.OwnerReliability;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TakenBackFilesTest {

  private static final Instant NOW = Instant.parse("2026-11-20T00:00:00Z");

  @TempDir Path directory;

  /** HDFS may show a user's factor before the audit log tells of it: the next plan would raise it again. */
  @Test
  void aFactorThatHdfsShowsChangedIsHeldAtOnce() throws IOException {
    try (Journal journal = Journal.open(directory)) {
      TakenBackFiles files = new TakenBackFiles(journal, path -> 5, 4);
      look(files, Set.of("/a"));

      String words = files.hold("/a").orElseThrow().toString();
      assertTrue(words.contains("somebody set its replication factor before " + NOW), words);
      assertTrue(files.hold("/b").isEmpty());
      assertEquals(0, files.changes().size(), "who it was is for the audit log to say");

      journal.append(new JournalEntry.ReplicationSet(NOW.toString(), "/a", 3, 4));
      journal.append(new JournalEntry.ReplicationLeft(NOW.toString(), "/a", 3));
      look(files, Set.of());
      assertTrue(files.hold("/a").isPresent(), "the log may still say who it was");
      assertTrue(journal.isConcerned("/a", JournalEntry.Taken.REPLICATION));
      files.look(
          HintsInForce.NONE, (path, since) -> false, Set.of(), NOW.plus(Duration.ofMinutes(6)));
      assertTrue(files.hold("/a").isEmpty(), "it said nothing");

      journal.append(
          new JournalEntry.TakenOver(
              NOW.toString(), "/a", JournalEntry.Taken.REPLICATION, "alice", 5));
      look(files, Set.of());
      words = files.hold("/a").orElseThrow().toString();
      assertTrue(words.contains("alice"), words);
    }
  }

  /** As one whose taker is known. */
  @Test
  void aLaterHintOrRuleReleasesAFactorThatNobodyIsKnownToHaveSet() throws IOException {
    try (Journal journal = Journal.open(directory)) {
      TakenBackFiles files = new TakenBackFiles(journal, path -> 5, 4);
      for (String path : List.of("/hinted", "/ruled", "/neither")) {
        journal.append(new JournalEntry.ReplicationSet(NOW.toString(), path, 3, 4));
        journal.append(new JournalEntry.ReplicationLeft(NOW.toString(), path, 3));
      }
      long now = NOW.toEpochMilli();
      Hint hint =
          Hint.onFile(Operation.REPLICATE, "/hinted")
              .temperature(Temperature.HOT)
              .owner("jobs")
              .leaseExpiryMillis(now + 600_000)
              .build();
      files.look(
          new HintsInForce(
              List.of(new GivenHint(hint, 1, "/hinted", now + 1)),
              Map.of(),
              owner -> OwnerReliability.NEW,
              HintRates.DEFAULT,
              now + 60_000),
          (path, since) -> path.equals("/ruled") && since.equals(NOW),
          Set.of(),
          NOW.plusSeconds(60));

      assertTrue(files.hold("/hinted").isEmpty());
      assertTrue(files.hold("/ruled").isEmpty());
      assertTrue(files.hold("/neither").isPresent());
      assertEquals(2, files.changes().size());
      journal.append(files.changes());
      look(files, Set.of());
      assertTrue(files.hold("/hinted").isEmpty(), "stays released when the hint is gone");
    }
  }

  private static void look(TakenBackFiles files, Set<String> factors) {
    files.look(HintsInForce.NONE, (path, since) -> false, factors, NOW);
  }
}
