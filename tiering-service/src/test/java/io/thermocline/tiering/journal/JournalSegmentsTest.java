// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checkpoints: a restart reads less, and comes to the same. */
class JournalSegmentsTest {

  private static final String AT = "2026-11-20T19:33:39.065Z";
  private static final Duration FOR_EVER = Duration.ofDays(36_500);

  @TempDir Path directory;

  @Test
  void comesToTheSameFromItsLastCheckpoint() throws IOException {
    try (Journal journal = Journal.open(LocalJournalStore.open(directory), 2_000, FOR_EVER)) {
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

  /** Whatever the umask of whoever starts the service is. */
  @Test
  void onlyItsOwnerMayReadIt() throws IOException {
    Path made = directory.resolve("made/journal");
    try (Journal journal = Journal.open(LocalJournalStore.open(made), 2_000, FOR_EVER)) {
      write(journal, 100);
    }
    for (Path parent : List.of(made, made.getParent())) {
      assertEquals("rwx------", rights(parent), parent::toString);
    }
    try (Stream<Path> files = Files.list(made)) {
      List<Path> all = files.toList();
      assertTrue(all.size() > 1, all::toString);
      for (Path file : all) {
        assertEquals("rw-------", rights(file), file::toString);
      }
    }
  }

  private static String rights(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void passesOverACheckpointThatACrashCutOff() throws IOException {
    JournalMemory memory = new JournalMemory();
    Journal journal = Journal.open(memory.open(), 2_000, FOR_EVER);
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
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    JournalState state = new JournalState();
    int last = JournalLines.replay(store, state::remember);
    JournalLines.add(JournalLines.checkpoint(store, state, Instant.parse(AT)), last, lines);
    assertThrows(IllegalStateException.class, () -> store.roll(lines.toByteArray()));
    memory.boundary(() -> {});

    try (Journal after = Journal.open(memory.open())) {
      assertEquals(40, after.lastPlan());
      assertEquals(Map.of("/c", 2), after.cached());
    }
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

  @Test
  void oldSegmentsGoOnceACheckpointSaysWhatTheyCameTo() throws IOException {
    try (Journal journal =
        Journal.open(LocalJournalStore.open(directory), 2_000, Duration.ofDays(10))) {
      for (int day = 0; day < 40; day++) {
        plan(journal, day);
      }
    }

    try (Journal journal = Journal.open(directory)) {
      List<JournalEntry> history = new ArrayList<>();
      journal.history(history::add);
      List<Long> begun =
          history.stream()
              .filter(entry -> entry instanceof JournalEntry.Planned)
              .map(entry -> ((JournalEntry.Planned) entry).plan())
              .toList();
      long oldest = begun.get(0);
      assertTrue(oldest > 10 && oldest <= 30, "older ones are gone, ten days are not: " + oldest);
      assertEquals(40 - oldest, begun.size(), "without a gap");
      // The journal still knows what the oldest plans left.
      assertEquals("WARM", journal.lastSet("/d/f0").orElseThrow());
      assertEquals(39, journal.lastPlan());
      // A plan is taken back whole or not at all.
      assertEquals(List.of(), UndoPlan.of(oldest - 1, history).paths());
      assertEquals(1, UndoPlan.of(oldest, history).paths().get(0).moves().size());
    }
  }

  @Test
  void theLastSegmentsStayWhateverTheirAge() throws IOException {
    try (Journal journal = Journal.open(LocalJournalStore.open(directory), 10, Duration.ZERO)) {
      for (int day = 0; day < 40; day++) {
        plan(journal, day);
      }
    }
    assertEquals(3, segments().size(), () -> segments().toString());
  }

  /** One plan a day, which is at its end at noon but for the source of its copy, which goes next morning. */
  private static void plan(Journal journal, int day) throws IOException {
    Instant noon = Instant.parse("2026-10-01T12:00:00Z").plus(Duration.ofDays(day));
    String at = noon.toString();
    String path = "/d/f" + day;
    if (day > 0) {
      journal.append(moved(at, day - 1, "VERIFIED"));
    }
    journal.append(new JournalEntry.Planned(at, day, path, "PROMOTED", "SSD DISK", 1, "reads"));
    journal.append(new JournalEntry.PolicySet(at, path, "WARM", ""));
    journal.append(moved(at, day, "COPYING"));
    journal.append(moved(at, day, "VISIBLE"));
    journal.append(new JournalEntry.PlanEnded(at, day));
  }

  private static JournalEntry.Moved moved(String at, int day, String state) {
    return new JournalEntry.Moved(
        at, day + "-0.0", "/d/f" + day, day, "a DISK", "b SSD", state, "", 7);
  }

  private static void write(Journal journal, int plans) throws IOException {
    for (JournalEntry entry : entries(plans)) {
      journal.append(entry);
    }
  }

  private static List<JournalEntry> entries(int plans) {
    List<JournalEntry> entries = new ArrayList<>();
    entries.add(new JournalEntry.Started(AT, "apply", 3, 0, AT));
    entries.add(new JournalEntry.CacheSet(AT, "/c", "thermocline", 0, 2));
    entries.add(new JournalEntry.ReplicationSet(AT, "/r", 3, 5));
    entries.add(new JournalEntry.ReplicationSet(AT, "/taken", 3, 4));
    entries.add(
        new JournalEntry.TakenOver(AT, "/taken", JournalEntry.Taken.REPLICATION, "alice", 0));
    entries.add(new JournalEntry.ReplicationSet(AT, "/member", 2, 3, 9));
    entries.add(new JournalEntry.Steered(AT, "PAUSED", "ann", "backup"));
    for (String path : List.of("/over", "/returned", "/again")) {
      entries.add(new JournalEntry.PolicySet(AT, path, "ONE_SSD", "COLD"));
      entries.add(new JournalEntry.PolicySet(AT, path, "ALL_SSD", "ONE_SSD"));
    }
    entries.add(new JournalEntry.PolicySet(AT, "/returned", "COLD", "ALL_SSD"));
    entries.add(new JournalEntry.PolicySet(AT, "/again", "COLD", "ALL_SSD"));
    entries.add(new JournalEntry.PolicySet(AT, "/again", "ONE_SSD", "COLD"));
    for (String before : List.of("", "COLD")) {
      String path = "/undone" + before;
      entries.add(new JournalEntry.PolicySet(AT, path, "ONE_SSD", before));
      entries.add(new JournalEntry.PolicySet(AT, path, before, "ONE_SSD"));
      // A crash came before that was done.
      entries.add(new JournalEntry.PolicySet(AT, path, "ONE_SSD", "ONE_SSD"));
    }
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
    assertEquals(Optional.of(AT), journal.began());
    assertEquals(420, journal.changes(), "of checkpoints none is counted again");
    assertEquals(Map.of("/c", 2), journal.cached());
    assertEquals(Map.of("/r", new Journal.Raised(3, 5)), journal.raised());
    assertEquals(Optional.of(new Journal.Raised(2, 3)), journal.raised("/member"));
    assertEquals(new Journal.Raised(3, 4), journal.factorTakenFrom("/taken").orElseThrow());
    assertEquals("PAUSED", journal.steered().orElseThrow().state());
    assertEquals(1, journal.open().size());
    assertEquals("/d/f" + 200 % 7, journal.unfinished().get(0).path());
    assertTrue(journal.maySet("/d/f1", "WARM"));
    assertEquals("COLD", journal.originalPolicy("/over", ""));
    assertEquals("COLD", journal.originalPolicy("/again", ""));
    assertEquals("", journal.originalPolicy("/d/f1", ""));
    for (String before : List.of("", "COLD")) {
      assertTrue(journal.hasSet("/undone" + before), before);
      assertEquals(before, journal.originalPolicy("/undone" + before, ""));
    }
    assertFalse(journal.hasSet("/returned"), "it is somebody's again");
    assertFalse(journal.maySet("/returned", "COLD"));
    assertTrue(journal.maySet("/returned", "ALL_SSD"), "a crash can have come before it was back");
    assertEquals("", journal.originalPolicy("/returned", "COLD"));
    assertEquals("COLD", journal.originalPolicy("/returned", "ALL_SSD"), "so it can be put back");
    assertTrue(journal.maySet("/d/f1", "ONE_SSD"));
    assertEquals(
        200,
        journal.takeMoves().stream()
            .filter(entry -> entry instanceof JournalEntry.Planned)
            .count());
  }

  private List<Path> segments() {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
