// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checkpoints: a restart reads less, and comes to the same. */
class JournalSegmentsTest {

  private static final String AT = "2026-11-20T19:33:39.065Z";

  @TempDir Path directory;

  @Test
  void comesToTheSameFromItsLastCheckpoint() throws IOException {
    try (Journal journal = Journal.open(LocalJournalStore.open(directory), 2_000)) {
      write(journal, 200);
    }

    List<Path> segments = segments();
    assertTrue(segments.size() > 5, segments::toString);
    AtomicInteger replayed = new AtomicInteger();
    JournalLines.replay(LocalJournalStore.reading(directory), entry -> replayed.incrementAndGet());
    List<JournalEntry> history = new ArrayList<>();
    try (Journal journal = Journal.open(directory)) {
      same(journal);
      journal.history(history::add);
    }
    assertEquals(entries(200), history, "the history has each entry once");
    // What a checkpoint keeps is in there too: paths, plans of the last month.
    assertTrue(replayed.get() < history.size(), replayed + " of " + history.size());
  }

  @Test
  void passesOverACheckpointThatACrashCutOff() throws IOException {
    JournalMemory memory = new JournalMemory();
    Journal journal = Journal.open(memory.open(), 2_000);
    AtomicInteger appends = new AtomicInteger();
    write(journal, 40);
    // In the middle of the lines with which the next segment begins.
    JournalStore store = memory.open();
    memory.boundary(
        () -> {
          if (appends.incrementAndGet() == 2) {
            throw new IllegalStateException("crash");
          }
        });
    byte[] lines = JournalLines.checkpoint(store, replayed(store), java.time.Instant.parse(AT));
    assertThrows(IllegalStateException.class, () -> store.roll(lines));
    memory.boundary(() -> {});

    try (Journal after = Journal.open(memory.open())) {
      assertEquals(40, after.lastPlan());
      assertEquals(Map.of("/c", 2), after.cached());
    }
  }

  private static JournalState replayed(JournalStore store) throws IOException {
    JournalState state = new JournalState();
    JournalLines.replay(store, state::remember);
    return state;
  }

  @Test
  void aWriterThatWasTakenOverFromIsFenced() throws IOException {
    JournalMemory memory = new JournalMemory();
    Journal first = Journal.open(memory.open());
    first.append(new JournalEntry.Started(AT, "apply", 1));
    try (Journal second = Journal.open(memory.open())) {
      assertThrows(
          FencedException.class, () -> first.append(new JournalEntry.Started(AT, "apply", 2)));
      second.append(new JournalEntry.Started(AT, "apply", 2));
      assertEquals(2, second.epoch());
    }
  }

  private static void write(Journal journal, int plans) throws IOException {
    for (JournalEntry entry : entries(plans)) {
      journal.append(entry);
    }
  }

  private static List<JournalEntry> entries(int plans) {
    List<JournalEntry> entries = new ArrayList<>();
    entries.add(new JournalEntry.Started(AT, "apply", 3));
    entries.add(new JournalEntry.CacheSet(AT, "/c", "thermocline", 0, 2));
    entries.add(new JournalEntry.ReplicationSet(AT, "/r", 3, 5));
    entries.add(new JournalEntry.Steered(AT, "PAUSED", "ann", "backup"));
    for (int i = 1; i <= plans; i++) {
      String path = "/d/f" + i % 7;
      entries.add(new JournalEntry.Planned(AT, i, path, "PROMOTED", "SSD DISK", 1, "reads"));
      entries.add(new JournalEntry.PolicySet(AT, path, i % 2 == 0 ? "WARM" : "ONE_SSD", ""));
      for (String state : List.of("COPYING", "COPIED", i == plans ? "COPIED" : "VERIFIED")) {
        entries.add(
            new JournalEntry.Moved(AT, i + "-0.0", path, i, "a DISK", "b SSD", state, "", 7));
      }
      if (i < plans) {
        entries.add(new JournalEntry.PlanEnded(AT, i));
      }
    }
    return entries;
  }

  private static void same(Journal journal) {
    assertEquals(200, journal.lastPlan());
    assertEquals(3, journal.epoch());
    assertEquals(Map.of("/c", 2), journal.cached());
    assertEquals(Map.of("/r", new Journal.Raised(3, 5)), journal.raised());
    assertEquals("PAUSED", journal.steered().orElseThrow().state());
    assertEquals(1, journal.open().size());
    assertEquals("/d/f" + 200 % 7, journal.unfinished().get(0).path());
    assertTrue(journal.maySet("/d/f1", "WARM"));
    assertTrue(journal.maySet("/d/f1", "ONE_SSD"));
    assertEquals(
        200,
        journal.takeMoves().stream()
            .filter(entry -> entry instanceof JournalEntry.Planned)
            .count());
  }

  private List<Path> segments() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    }
  }
}
