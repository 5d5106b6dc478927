// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.cycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.hints.HintsInForce;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
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

  private static void look(TakenBackFiles files, Set<String> factors) {
    files.look(HintsInForce.NONE, (path, since) -> false, factors, NOW);
  }
}
