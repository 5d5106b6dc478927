// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.journal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was changed in a journal by anything but the service is found before the journal is believed. */
class JournalChainTest {

  private static final String AT = "2026-11-20T19:33:39.065Z";
  private static final Duration FOR_EVER = Duration.ofDays(36_500);
  private static final int PLANS = 20;

  @TempDir Path directory;
  private Path file;

  @BeforeEach
  void write() throws IOException {
    file = directory.resolve("journal.jsonl");
    try (Journal journal = Journal.open(directory)) {
      write(journal, 1, PLANS);
    }
  }

  @Test
  void findsEachFlippedBitButThatOfTheLastNewline() throws IOException {
    byte[] good = Files.readAllBytes(file);
    for (int at = 0; at < good.length - 1; at++) {
      byte[] flipped = good.clone();
      flipped[at] ^= (byte) (1 << (at % 8));
      Files.write(file, flipped);
      int where = at;
      IOException found =
          assertThrows(
              IOException.class, () -> Journal.open(directory).close(), () -> "byte " + where);
      assertTrue(found.getMessage().startsWith(file + ":"), found.getMessage());
      assertArrayEquals(flipped, Files.readAllBytes(file), "it is left as it is");
    }
  }

  @Test
  void namesTheLineBehindOneThatWasRemovedMovedOrRepeated() throws IOException {
    List<String> good = Files.readAllLines(file);
    List<String> removed = new ArrayList<>(good);
    removed.remove(4);
    assertDamaged(removed, 5, "lines were removed, replaced or moved");
    List<String> swapped = new ArrayList<>(good);
    Collections.swap(swapped, 4, 5);
    assertDamaged(swapped, 5, "lines were removed, replaced or moved");
    List<String> repeated = new ArrayList<>(good);
    repeated.add(4, repeated.get(3));
    assertDamaged(repeated, 5, "lines were removed, replaced or moved");
    List<String> added = new ArrayList<>(good);
    added.add(4, "{\"entry\":\"ended\",\"at\":\"" + AT + "\",\"plan\":7}");
    assertDamaged(added, 5, "it has no checksum");
  }

  private void assertDamaged(List<String> lines, int number, String why) throws IOException {
    Files.write(file, lines);
    IOException found = assertThrows(IOException.class, () -> Journal.open(directory));
    assertTrue(found.getMessage().startsWith(file + ":" + number + ": "), found.getMessage());
    assertTrue(found.getMessage().contains(why), found.getMessage());
    assertTrue(found.getMessage().contains("--accept-journal"), found.getMessage());
  }

  @Test
  void findsASegmentThatIsMissingOrCutOff() throws IOException {
    Path segmented = Files.createDirectory(directory.resolve("segmented"));
    try (Journal journal = Journal.open(LocalJournalStore.open(segmented), 2_000, FOR_EVER)) {
      write(journal, 1, 100);
    }
    List<Path> segments;
    try (Stream<Path> files = Files.list(segmented)) {
      segments = files.sorted().toList();
    }
    Path middle = segments.get(2);
    byte[] good = Files.readAllBytes(middle);
    String whole = new String(good, StandardCharsets.UTF_8);
    int lastLine = whole.lastIndexOf('\n', whole.length() - 2) + 1;
    Files.writeString(middle, whole.substring(0, lastLine));
    assertTrue(
        historyFails(segmented).startsWith(segments.get(3) + ":1: it doesn't follow the file"));
    Files.delete(middle);
    assertTrue(
        historyFails(segmented).startsWith(segments.get(3) + ":1: it doesn't follow the file"));
    Files.write(middle, good);
    assertEquals(100, plans(segmented));
  }

  private static String historyFails(Path segmented) {
    return assertThrows(IOException.class, () -> plans(segmented)).getMessage();
  }

  private static long plans(Path of) throws IOException {
    List<JournalEntry> entries = new ArrayList<>();
    try (Journal journal = Journal.read(of)) {
      journal.history(entries::add);
    }
    return entries.stream().filter(entry -> entry instanceof JournalEntry.Planned).count();
  }

  @Test
  void goesOnInAJournalOfAnOlderVersion() throws IOException {
    List<String> old =
        Files.readAllLines(file).stream()
            .map(line -> line.replaceFirst(",\"crc\":\"[^\"]*\"}$", "}"))
            .toList();
    Files.write(file, old);
    try (Journal journal = Journal.open(LocalJournalStore.open(directory), 20_000, FOR_EVER)) {
      assertEquals(PLANS, journal.lastPlan());
      write(journal, PLANS + 1, 10 * PLANS);
    }
    assertEquals(
        old,
        Files.readAllLines(directory.resolve("journal-0000000001.jsonl")).subList(0, old.size()));
    assertEquals(10 * PLANS, plans(directory));
    try (Journal journal = Journal.open(directory)) {
      assertEquals(10 * PLANS, journal.lastPlan());
    }
  }

  /** HDFS may keep lines of an append that it said had failed; they come again in the next segment. */
  @Test
  void takesLinesThatFailedAndAreThereForWhatTheyAre() throws IOException {
    JournalMemory memory = new JournalMemory();
    try (Journal journal = Journal.open(memory.open())) {
      write(journal, 1, 1);
      int[] steps = {0};
      memory.boundary(
          () -> {
            // Behind the whole append.
            if (++steps[0] == 3) {
              throw new IllegalStateException("no answer");
            }
          });
      assertThrows(IllegalStateException.class, () -> write(journal, 2, 2));
      memory.boundary(() -> {});
      memory.nextSegment();
      write(journal, 2, 3);
    }
    try (Journal journal = Journal.open(memory.open())) {
      assertEquals(3, journal.lastPlan());
      write(journal, 4, 4);
    }
    try (Journal journal = Journal.open(memory.open())) {
      assertEquals(4, journal.lastPlan());
    }
  }

  private static void write(Journal journal, int from, int to) throws IOException {
    for (int i = from; i <= to; i++) {
      journal.append(
          new JournalEntry.Planned(AT, i, "/d/f\u00e9" + i, "PROMOTED", "SSD DISK", 1, "reads"));
      journal.append(new JournalEntry.PlanEnded(AT, i));
    }
  }
}
