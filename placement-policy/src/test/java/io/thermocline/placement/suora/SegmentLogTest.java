// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.suora;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SegmentLogTest {

  private static final long SEED = Long.getLong("test.seed", 1);

  private static final long GB = 1L << 30;

  @Test
  void whoReadsTheLinesHasTheTable() throws SegmentLogException {
    for (long seed = SEED; seed < SEED + 20; seed++) {
      List<SegmentLog> states = randomHistory(seed, 40);
      SegmentLog last = states.get(states.size() - 1);
      SegmentLog.Reading reading = SegmentLog.read("DISK", bytes(last.text()));
      assertEquals(bytes(last.text()).length, reading.bytes());
      assertSame(last, reading.log(), "seed " + seed);
    }
  }

  @Test
  void readingOnGivesTheSameAsReadingAll() throws SegmentLogException {
    for (long seed = SEED; seed < SEED + 20; seed++) {
      List<SegmentLog> states = randomHistory(seed, 40);
      SegmentLog reader = SegmentLog.empty("DISK");
      for (SegmentLog state : states) {
        reader =
            reader.isEmpty()
                ? SegmentLog.read("DISK", bytes(state.text())).log()
                : reader.readOn(bytes(state.textAfter(reader))).log();
        assertSame(state, reader, "seed " + seed);
      }
    }
  }

  @Test
  void whereverTheTextIsCutTheWholeLinesBeforeAreRead() throws SegmentLogException {
    List<SegmentLog> states = randomHistory(3, 12);
    byte[] all = bytes(states.get(states.size() - 1).text());
    for (int length = 0; length <= all.length; length++) {
      SegmentLog.Reading reading = SegmentLog.read("DISK", Arrays.copyOf(all, length));
      int lines = 0;
      int complete = 0;
      for (int i = 0; i < length; i++) {
        if (all[i] == '\n') {
          lines++;
          complete = i + 1;
        }
      }
      assertEquals(complete, reading.bytes(), "length " + length);
      if (lines <= 1) {
        assertTrue(reading.log().isEmpty());
      } else {
        SegmentLog expected = states.get(states.size() - 1);
        assertEquals(
            expected.sequence() - (lines(expected) - (lines - 1)), reading.log().sequence());
      }
    }
  }

  @Test
  void anyChangedByteInAWholeLineIsFound() throws SegmentLogException {
    long seed = 5;
    Random random = new Random(seed);
    SegmentLog last = randomHistory(seed, 12).get(11);
    byte[] good = bytes(last.text());
    for (int at = 0; at < good.length - 1; at++) {
      byte[] bad = good.clone();
      bad[at] ^= (byte) (1 << random.nextInt(7));
      SegmentLogException e =
          assertThrows(SegmentLogException.class, () -> SegmentLog.read("DISK", bad), "byte " + at);
      assertTrue(e.before().sequence() < last.sequence());
      // What stood before the damage is whole.
      assertTrue(last.text().startsWith(e.before().text()) || e.before().isEmpty());
    }
  }

  @Test
  void linesOutOfOrderAreFound() {
    SegmentLog log = log(device("a", 1), device("b", 1));
    SegmentLog longer =
        log.with(SegmentOperation.remove(List.of("a"))).with(SegmentOperation.remove(List.of("b")));
    String[] lines = longer.text().split("\n");
    String swapped = String.join("\n", lines[0], lines[1], lines[3], lines[2], "");
    String missing = String.join("\n", lines[0], lines[1], lines[3], "");
    String twice = String.join("\n", lines[0], lines[1], lines[2], lines[2], "");
    String other = longer.text().replace("1 DISK", "1 SSD");
    for (String text : List.of(swapped, missing, twice, other)) {
      assertThrows(SegmentLogException.class, () -> SegmentLog.read("DISK", bytes(text)), text);
    }
  }

  @Test
  void assignmentForgetsTheLinesBefore() throws SegmentLogException {
    SegmentLog log = log(device("a", 1), device("b", 1));
    SegmentLog anew =
        log.with(SegmentOperation.remove(List.of("a")))
            .with(SegmentOperation.assign(List.of(device("b", 1), device("c", 1)), GB));
    assertEquals(1, lines(anew));
    assertEquals(3, anew.sequence());
    // A reader of the first line can go on with it all the same.
    SegmentLog reader = SegmentLog.read("DISK", bytes(log.text())).log();
    assertSame(anew, reader.readOn(bytes(anew.textAfter(reader))).log(), "");
  }

  @Test
  void historiesThatPartedDoNotContinueEachOther() {
    SegmentLog log = log(device("a", 1), device("b", 1), device("c", 1));
    SegmentLog one = log.with(SegmentOperation.remove(List.of("a")));
    SegmentLog other = log.with(SegmentOperation.remove(List.of("b")));
    assertNull(other.with(SegmentOperation.remove(List.of("a"))).textAfter(one));
    assertNull(log.textAfter(one));
    assertEquals("", one.textAfter(one));
  }

  @Test
  void impossibleOperationsAreRefused() {
    SegmentLog log = log(device("a", 1));
    assertThrows(
        IllegalArgumentException.class, () -> log.with(SegmentOperation.remove(List.of("b"))));
    assertThrows(
        IllegalArgumentException.class,
        () -> SegmentLog.empty("DISK").with(SegmentOperation.remove(List.of("b"))));
    assertThrows(
        IllegalArgumentException.class, () -> log.with(SegmentOperation.level(List.of("b"))));
  }

  @Test
  void fingerprintsDifferWhereTablesDo() throws SegmentLogException {
    SegmentLog ab = log(device("a", 1), device("b", 1));
    SegmentLog ba = log(device("b", 1), device("a", 1));
    SegmentLog hole = ab.with(SegmentOperation.remove(List.of("b")));
    SegmentLog short1 = log(device("a", 1));
    assertEquals(ab.fingerprint(), SegmentLog.read("DISK", bytes(ab.text())).log().fingerprint());
    assertNotEquals(ab.fingerprint(), ba.fingerprint());
    // The same segments, but the next device would stand elsewhere.
    assertNotEquals(short1.fingerprint(), hole.fingerprint());
    assertEquals(0, SegmentLog.empty("DISK").fingerprint());
  }

  private static void assertSame(SegmentLog expected, SegmentLog actual, String about) {
    assertEquals(expected.sequence(), actual.sequence(), about);
    assertEquals(expected.table().segments(), actual.table().segments(), about);
    assertEquals(expected.table().cells(), actual.table().cells(), about);
    assertEquals(expected.fingerprint(), actual.fingerprint(), about);
    assertEquals(
        expected.writeTable(java.util.Set.of()).segments(),
        actual.writeTable(java.util.Set.of()).segments(),
        about);
  }

  /** Odd ids, odd capacities, joins of empty devices beside full ones, leaves, levelling. */
  private static List<SegmentLog> randomHistory(long seed, int steps) {
    Random random = new Random(seed);
    SortedMap<String, DeviceSpace> present = new TreeMap<>();
    BucketSegments segments = BucketSegments.of(SegmentLog.empty("DISK"));
    List<SegmentLog> states = new ArrayList<>();
    while (states.size() < steps) {
      if (random.nextInt(3) == 0 && present.size() > 3) {
        present.remove(new ArrayList<>(present.keySet()).get(random.nextInt(present.size())));
      } else {
        long capacity = (1 + random.nextInt(20)) * GB + random.nextInt(1000);
        present.put(
            "DS-" + random.nextInt(1000) + (random.nextBoolean() ? " :%\u00fc\n" : ""),
            DeviceSpace.of(capacity, (long) (capacity * random.nextDouble())));
      }
      segments =
          segments.log().isEmpty()
              ? segments.assignAnew(present)
              : segments.follow(present, BucketSegments.Growth.APPEND);
      states.add(segments.log());
    }
    return states;
  }

  private static SegmentLog log(Device... devices) {
    return SegmentLog.empty("DISK").with(SegmentOperation.assign(List.of(devices), GB));
  }

  private static Device device(String id, long gigabytes) {
    return Device.of(id, gigabytes * GB);
  }

  private static int lines(SegmentLog log) {
    return log.text().split("\n").length - 1;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
