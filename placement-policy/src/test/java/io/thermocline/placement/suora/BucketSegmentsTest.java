// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.suora;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class BucketSegmentsTest {

  private static final long SEED = Long.getLong("test.seed", 1);

  private static final long TB = 1L << 40;
  private static final int KEYS = 20_000;

  /** The paper's p alone would make the new node home to 8 % of all data: eight times what it holds. */
  @Test
  void emptyNodeBesideFullOnesIsFilledAndNotOverrun() {
    SortedMap<String, DeviceSpace> nodes = new TreeMap<>();
    for (int i = 0; i < 100; i++) {
      nodes.put(String.format("old%03d", i), DeviceSpace.of(10 * TB, TB));
    }
    BucketSegments before = assigned(nodes);
    nodes.put("new", DeviceSpace.of(10 * TB, 10 * TB));
    BucketSegments joined = before.follow(nodes, BucketSegments.Growth.APPEND);

    // Home: its share of the total capacity, 1 / 101.
    assertEquals(1, length(joined.log().table(), "new"), 1e-9);
    assertEquals(100, length(joined.log().table(), "old"), 1e-9);
    // New blocks: p is the mean remaining capacity, (100 * 1 + 10) / 101 TB.
    SegmentTable writes = joined.log().writeTable(Set.of());
    assertEquals(10 / (110 / 101.0), length(writes, "new"), 1e-9);
    assertEquals(
        before.log().table().segments(), writes.segments().subList(0, 100), "old segments moved");

    // Written by that line until half of what was free is used: the new node catches up, and is
    // level with the others, or below them, all the time.
    double free = 110 * TB;
    double share = length(writes, "new") / length(writes, "");
    double fillOfNew = share * free / 2 / (10 * TB);
    double fillOfOld = (900 * TB + (1 - share) * free / 2) / (1000.0 * TB);
    assertTrue(fillOfNew < fillOfOld, fillOfNew + " " + fillOfOld);
    // Were all space used up, it would hold no more than it can.
    assertTrue(share * free <= 10 * TB);
    assertTrue(share * free > 0.9 * 10 * TB);
  }

  @Test
  void onceAsFullAsTheMeanItHasItsHomeLengthForGood() {
    SortedMap<String, DeviceSpace> nodes = new TreeMap<>();
    for (int i = 0; i < 10; i++) {
      nodes.put("old" + i, DeviceSpace.of(10 * TB, TB));
    }
    BucketSegments segments = assigned(nodes);
    nodes.put("new", DeviceSpace.of(10 * TB, 10 * TB));
    segments = segments.follow(nodes, BucketSegments.Growth.APPEND);
    assertTrue(length(segments.log().writeTable(Set.of()), "new") > 5);
    nodes.put("new", DeviceSpace.of(10 * TB, 3 * TB));
    assertSame(segments, segments.follow(nodes, BucketSegments.Growth.APPEND));
    nodes.put("new", DeviceSpace.of(10 * TB, TB));
    segments = segments.follow(nodes, BucketSegments.Growth.APPEND);
    assertEquals(1, length(segments.log().writeTable(Set.of()), "new"), 1e-9);
    nodes.put("new", DeviceSpace.of(10 * TB, 10 * TB));
    assertSame(segments, segments.follow(nodes, BucketSegments.Growth.APPEND));
  }

  /** Over random clusters: the share of the new blocks never exceeds the share of the free space. */
  @Test
  void joiningDevicesNeverGetMoreThanTheirShareOfTheFreeSpace() {
    for (long seed = SEED; seed < SEED + 200; seed++) {
      Random random = new Random(seed);
      SortedMap<String, DeviceSpace> nodes = new TreeMap<>();
      int old = 1 + random.nextInt(60);
      for (int i = 0; i < old; i++) {
        nodes.put("old" + i, device(random, 0.3 + 0.69 * random.nextDouble()));
      }
      BucketSegments segments = assigned(nodes);
      int joining = 1 + random.nextInt(old);
      for (int i = 0; i < joining; i++) {
        nodes.put("new" + i, device(random, random.nextDouble() * 0.2));
      }
      segments = segments.follow(nodes, BucketSegments.Growth.APPEND);
      SegmentTable writes = segments.log().writeTable(Set.of());
      double homeOfOld = length(segments.log().table(), "old");
      double freeOfOld = free(nodes, "old");
      for (int i = 0; i < joining; i++) {
        String id = "new" + i;
        double length = length(writes, id + "!");
        double home = length(segments.log().table(), id + "!");
        double bound = homeOfOld * free(nodes, id + "!") / freeOfOld;
        assertTrue(length >= home - 1e-9, "seed " + seed);
        assertTrue(length <= Math.max(home, bound) + 1e-6, "seed " + seed + ": " + id);
      }
    }
  }

  @Test
  void addingMovesOnlyToTheNewAndRemovingOnlyFromTheGone() {
    int checked = 0;
    for (long seed = SEED; seed < SEED + 30; seed++) {
      Random random = new Random(seed);
      SortedMap<String, DeviceSpace> nodes = new TreeMap<>();
      for (int i = 0; i < 2 + random.nextInt(30); i++) {
        nodes.put("n" + random.nextInt(1000), device(random, random.nextDouble()));
      }
      BucketSegments segments = assigned(nodes);
      for (int step = 0; step < 6; step++) {
        Map<Long, String> before = homes(segments);
        Set<String> was = new HashSet<>(nodes.keySet());
        if (random.nextBoolean() && nodes.size() > 2) {
          nodes.remove(nodes.firstKey());
        } else {
          // More than there were, sometimes: with a settled table that is growth like any other.
          for (int i = random.nextInt(2 * nodes.size()); i >= 0; i--) {
            nodes.put("a" + seed + step + "-" + i, device(random, random.nextDouble()));
          }
        }
        long operations = segments.log().sequence();
        BucketSegments next = segments.follow(nodes, BucketSegments.Growth.APPEND);
        if (next.log().text().contains(" " + (operations + 1) + " assign ")) {
          segments = next;
          continue;
        }
        Map<Long, String> after = homes(next);
        Set<String> joined = new HashSet<>(nodes.keySet());
        joined.removeAll(was);
        for (long key = 0; key < KEYS / 10; key++) {
          String from = before.get(key);
          String to = after.get(key);
          boolean ok = from.equals(to) || joined.contains(to) || !nodes.containsKey(from);
          assertTrue(ok, "seed " + seed + ": " + key + " moved from " + from + " to " + to);
        }
        segments = next;
        checked++;
      }
    }
    // The others were assigned anew, since the line no longer paid.
    assertTrue(checked > 120, "checked " + checked);
  }

  @Test
  void devicesPassedOverAreNotOnTheWriteLineAndTheOthersKeepTheirPlaces() {
    SortedMap<String, DeviceSpace> nodes = new TreeMap<>();
    Random random = new Random(4);
    for (int i = 0; i < 200; i++) {
      nodes.put(String.format("n%03d", i), device(random, 0.5));
    }
    BucketSegments segments = assigned(nodes);
    SegmentTable few = segments.log().writeTable(Set.of("n003", "n150", "unknown"));
    assertEquals(segments.cells(), few.cells());
    assertTrue(!few.contains("n003") && !few.contains("n150") && few.contains("n004"));
    Set<String> most = new HashSet<>(nodes.keySet());
    most.removeAll(Set.of("n000", "n001"));
    SegmentTable two = segments.log().writeTable(most);
    // Holes for 198 devices would cost a hundred draws a block.
    assertTrue(two.cells() < 10, "cells " + two.cells());
    assertEquals(
        length(segments.log().table(), "n000") / length(segments.log().table(), "n001"),
        length(two, "n000") / length(two, "n001"),
        1e-9);
  }

  @Test
  void aNodeThatIsNoEmptierIsWrittenByItsHomeLength() {
    for (DeviceSpace joining :
        new DeviceSpace[] {
          DeviceSpace.of(10 * TB, TB / 2),
          DeviceSpace.of(10 * TB, TB),
          DeviceSpace.ofUnknownFill(10 * TB)
        }) {
      SortedMap<String, DeviceSpace> nodes = new TreeMap<>();
      for (int i = 0; i < 10; i++) {
        nodes.put("old" + i, DeviceSpace.of(10 * TB, TB));
      }
      BucketSegments segments = assigned(nodes);
      nodes.put("new", joining);
      segments = segments.follow(nodes, BucketSegments.Growth.APPEND);
      assertEquals(1, length(segments.log().writeTable(Set.of()), "new"), 1e-9);
    }
  }

  /** The first two may be the odd ones. */
  @Test
  void whileAClusterStartsUpAllAreAssignedAnewOnceMoreJoinThanThereWere() {
    SortedMap<String, DeviceSpace> nodes = new TreeMap<>();
    nodes.put("a", DeviceSpace.ofUnknownFill(10 * TB));
    nodes.put("b", DeviceSpace.ofUnknownFill(10 * TB));
    BucketSegments two = assigned(nodes);
    nodes.put("c", DeviceSpace.ofUnknownFill(40 * TB));
    nodes.put("d", DeviceSpace.ofUnknownFill(40 * TB));
    assertEquals(10 * TB, p(two.follow(nodes, BucketSegments.Growth.ASSIGN_ANEW)), "as many");
    nodes.put("e", DeviceSpace.ofUnknownFill(40 * TB));
    assertEquals(28 * TB, p(two.follow(nodes, BucketSegments.Growth.ASSIGN_ANEW)));
    assertEquals(10 * TB, p(two.follow(nodes, BucketSegments.Growth.APPEND)));

    nodes.remove("a");
    nodes.remove("b");
    assertEquals(40 * TB, p(two.follow(nodes, BucketSegments.Growth.APPEND)), "no old one is left");
  }

  @Test
  void allAreAssignedAnewWhereTheLineIsLongForItsDevices() {
    SortedMap<String, DeviceSpace> nodes = new TreeMap<>();
    nodes.put("a", DeviceSpace.ofUnknownFill(TB));
    BucketSegments one = assigned(nodes);
    nodes.put("b", DeviceSpace.ofUnknownFill(15 * TB));
    assertEquals(
        TB, p(one.follow(nodes, BucketSegments.Growth.APPEND)), "16 cells for two devices");
    nodes.put("b", DeviceSpace.ofUnknownFill(16 * TB));
    assertEquals(8.5 * TB, p(one.follow(nodes, BucketSegments.Growth.APPEND)), "17");
  }

  @Test
  void allAreAssignedAnewWhereTheLineIsMostlyHoles() {
    SortedMap<String, DeviceSpace> nodes = new TreeMap<>();
    nodes.put("a", DeviceSpace.ofUnknownFill(10 * TB));
    BucketSegments one = assigned(nodes);
    for (int i = 0; i < 4; i++) {
      nodes.put("small" + i, DeviceSpace.ofUnknownFill(TB));
    }
    assertEquals(10 * TB, p(one.follow(nodes, BucketSegments.Growth.APPEND)), "28 % are filled");
    nodes.put("small4", DeviceSpace.ofUnknownFill(TB));
    nodes.put("small5", DeviceSpace.ofUnknownFill(TB));
    assertEquals(16.0 / 7 * TB, p(one.follow(nodes, BucketSegments.Growth.APPEND)), 1, "23 %");
  }

  private static double p(BucketSegments segments) {
    return segments.log().p();
  }

  private static BucketSegments assigned(SortedMap<String, DeviceSpace> nodes) {
    return BucketSegments.of(SegmentLog.empty("DISK")).assignAnew(nodes);
  }

  private static DeviceSpace device(Random random, double fill) {
    long capacity = (1 + random.nextInt(16)) * TB;
    return DeviceSpace.of(capacity, (long) (capacity * (1 - fill)));
  }

  /** Sum over the ids with that beginning; an end mark makes it one id. */
  private static double length(SegmentTable table, String idOrBeginning) {
    return table.segments().stream()
        .filter(one -> (one.deviceId() + "!").startsWith(idOrBeginning))
        .mapToDouble(Segment::length)
        .sum();
  }

  private static double free(SortedMap<String, DeviceSpace> nodes, String idOrBeginning) {
    return nodes.entrySet().stream()
        .filter(one -> (one.getKey() + "!").startsWith(idOrBeginning))
        .mapToDouble(one -> one.getValue().remaining())
        .sum();
  }

  private static Map<Long, String> homes(BucketSegments segments) {
    NumberLine line = segments.numberLine();
    Map<Long, String> homes = new HashMap<>();
    for (long key = 0; key < KEYS / 10; key++) {
      homes.put(key, line.deviceId(line.place(RandomSequence.of(key, 1), any -> true, 1_000_000)));
    }
    return homes;
  }
}
