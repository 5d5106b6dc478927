// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a journal knows of groups, also after a restart and out of a checkpoint. */
class JournaledGroupsTest {

  private static final String AT = "2026-11-22T05:00:00Z";
  private static final String LATER = "2026-11-22T06:00:00Z";

  @TempDir Path directory;

  @Test
  void knowsWhichGroupsThereAreAfterARestart() throws IOException {
    try (Journal journal = Journal.open(directory)) {
      write(journal);
      same(journal);
    }
    try (Journal journal = Journal.open(directory)) {
      same(journal);
    }
  }

  @Test
  void knowsThemFromACheckpoint() throws IOException {
    try (Journal journal =
        Journal.open(LocalJournalStore.open(directory), 500, Duration.ofDays(1))) {
      write(journal);
      for (int i = 0; i < 100; i++) {
        journal.append(new JournalEntry.Steered(LATER, "RUNNING", "ann", "number " + i));
      }
    }
    try (Journal journal = Journal.open(directory)) {
      same(journal);
    }
  }

  @Test
  void anUndoKnowsWhatAPlanMade() throws IOException {
    try (Journal journal = Journal.open(directory)) {
      write(journal);
      List<JournalEntry> history = new ArrayList<>();
      journal.history(history::add);
      assertEquals(Set.of(1L, 2L), UndoPlan.of(3, history).groups());
      assertEquals(Set.of(), UndoPlan.of(2, history).groups());
    }
  }

  private static void write(Journal journal) throws IOException {
    journal.append(made(3, 1, "/a", "/b"));
    journal.append(new JournalEntry.GroupShown(AT, 1, List.of("n1:9866 SSD")));
    journal.append(made(3, 2, "/c", "/d"));
    journal.append(made(2, 5, "/e", "/f"));
    journal.append(new JournalEntry.GroupEnded(AT, 0, 5, "", "cold"));
    journal.append(made(2, 6, "/g", "/h"));
    journal.append(new JournalEntry.GroupEnded(LATER, 0, 6, "ann", "not wanted"));
  }

  private static void same(Journal journal) {
    List<Journal.Group> groups = journal.groups();
    assertEquals(List.of(1L, 2L), groups.stream().map(each -> each.made().group()).toList());
    assertEquals(
        List.of("n1:9866 SSD"),
        groups.get(0).shown().map(JournalEntry.GroupShown::places).orElseThrow());
    assertTrue(groups.get(1).shown().isEmpty(), "it is still being made");
    assertEquals(Map.of("/g", LATER, "/h", LATER), journal.unwantedGroups());
    assertEquals(3, journal.lastPlan());
  }

  private static JournalEntry.GroupMade made(long plan, long group, String... paths) {
    return new JournalEntry.GroupMade(
        AT,
        plan,
        group,
        "MAKE_FILE",
        "/g/group-" + group,
        "local",
        "random_small",
        List.of(paths).stream()
            .map(path -> new JournalEntry.GroupMember(path, path.hashCode(), 10, 0))
            .toList(),
        List.of("n1:9866 SSD"),
        20,
        0,
        "read together");
  }
}
