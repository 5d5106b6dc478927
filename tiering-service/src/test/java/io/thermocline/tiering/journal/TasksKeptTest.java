// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TasksKeptTest {

  private static final String AT = "2026-11-20T19:33:39.065Z";

  @TempDir Path directory;

  @Test
  void keepsTheLastThatEndedAndAllThatHaveNotOverCheckpoints() throws IOException {
    int most = 1000;
    try (Journal journal =
        Journal.open(LocalJournalStore.open(directory), 50_000, Duration.ofDays(1))) {
      for (int task = 1; task <= most + 100; task++) {
        journal.append(
            new JournalEntry.TaskBegun(AT, task, "PREFETCH /d", "ann", "", "7.prefetch"));
        if (task > 2) {
          journal.append(ended(task));
        }
      }
    }
    try (Journal journal = Journal.open(directory)) {
      List<Journal.KeptTask> tasks = journal.tasks();
      assertEquals(most + 2, tasks.size());
      assertEquals(
          List.of(1L, 2L),
          tasks.stream()
              .filter(task -> task.ended().isEmpty())
              .map(task -> task.begun().task())
              .toList());
      assertEquals(101, tasks.get(0).begun().task(), "the oldest are forgotten");
      assertEquals(ended(101), tasks.get(0).ended().orElseThrow());
    }
    int[] lines = new int[1];
    JournalLines.replay(LocalJournalStore.reading(directory), entry -> lines[0]++);
    assertTrue(lines[0] < 2 * (most + 100) + 600, "a checkpoint has each once: " + lines[0]);
  }

  private static JournalEntry.TaskEnded ended(long task) {
    return new JournalEntry.TaskEnded(
        AT,
        task,
        "DONE",
        1,
        1,
        List.of(new JournalEntry.TaskOperation("PREFETCH", "/d/f#0-3", 40, "DISK", "SSD")),
        "all");
  }
}
