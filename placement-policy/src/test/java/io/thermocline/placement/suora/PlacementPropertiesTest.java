// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.suora;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What SUORA promises of any cluster (section 3.4.2 and 3.5), on seeded random ones: shares follow
 * segment lengths, and a change of the devices moves only what it must. The seeds are the parameters.
 */
class PlacementPropertiesTest {
  private static final int KEYS = 60_000;
  private static final int MAX_DRAWS = 10_000;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void sharesFollowSegmentLengths(long seed) {
    SegmentTable table = randomTable(new Random(seed));
    assertProportional(table, seed);
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13, 14})
  void sharesFollowSegmentLengthsAfterAChequeredHistory(long seed) {
    Random random = new Random(seed);
    SegmentTable table = randomTable(random);
    for (int step = 0; step < 20; step++) {
      List<String> ids = List.copyOf(lengths(table).keySet());
      table =
          random.nextBoolean() && ids.size() > 3
              ? table.remove(ids.get(random.nextInt(ids.size())))
              : table.append(randomDevice(random, "late" + step), 1e12);
    }
    assertProportional(table, seed);
  }

  @ParameterizedTest
  @ValueSource(longs = {21, 22, 23, 24, 25, 26, 27, 28})
  void additionMovesItsShareAndNothingElse(long seed) {
    Random random = new Random(seed);
    SegmentTable before = randomTable(random);
    assertAddition(before, randomDevice(random, "new"), seed);
  }

  @ParameterizedTest
  @ValueSource(ints = {15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128})
  void additionAcrossTheDoublingOfTheRange(int cells) {
    List<Device> devices = new ArrayList<>();
    for (int i = 0; i < cells; i++) {
      devices.add(Device.of("d" + i, 1_000_000_000_000L));
    }
    SegmentTable before = SegmentTable.assign(devices, 1e12);
    assertEquals(cells, before.numberLine().end());
    assertAddition(before, Device.of("new", 3_400_000_000_000L), cells);
  }

  @ParameterizedTest
  @ValueSource(longs = {31, 32, 33, 34, 35, 36, 37, 38})
  void removalMovesOnlyItsOwnKeys(long seed) {
    Random random = new Random(seed);
    SegmentTable before = randomTable(random);
    List<String> ids = List.copyOf(lengths(before).keySet());
    String gone = ids.get(random.nextInt(ids.size()));
    String last = before.segments().get(before.segments().size() - 1).deviceId();
    // The last one too: there the line gets shorter and may lose a generator.
    for (String removed : List.of(gone, last)) {
      NumberLine lineBefore = before.numberLine();
      NumberLine lineAfter = before.remove(removed).numberLine();
      for (int key = 0; key < KEYS; key++) {
        String was = home(lineBefore, key, seed);
        String is = home(lineAfter, key, seed);
        if (was.equals(removed)) {
          assertNotEquals(removed, is);
        } else {
          assertEquals(was, is, "key " + key + " moved, seed " + seed);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {41, 42})
  void refusedDevicesAreReplacedByTheNextNumber(long seed) {
    SegmentTable table = randomTable(new Random(seed));
    NumberLine line = table.numberLine();
    NumberLine without = table.remove(line.deviceId(0)).numberLine();
    // Refusing a device leads where its removal would: what an exclusion does now, a failure does
    // for good.
    for (int key = 0; key < 2_000; key++) {
      int refused = line.place(RandomSequence.of(key, seed), device -> device != 0, MAX_DRAWS);
      assertEquals(home(without, key, seed), line.deviceId(refused));
    }
  }

  private static void assertAddition(SegmentTable before, Device device, long seed) {
    SegmentTable after = before.append(device, 1e12);
    NumberLine lineBefore = before.numberLine();
    NumberLine lineAfter = after.numberLine();
    int moved = 0;
    for (int key = 0; key < KEYS; key++) {
      String was = home(lineBefore, key, seed);
      String is = home(lineAfter, key, seed);
      if (!was.equals(is)) {
        assertEquals(device.id(), is, "key " + key + " moved between old devices, seed " + seed);
        moved++;
      }
    }
    double sum = lengths(after).values().stream().mapToDouble(Double::doubleValue).sum();
    double share = lengths(after).get(device.id()) / sum;
    assertEquals(KEYS * share, moved, Bounds.binomial(KEYS, share), "seed " + seed);
  }

  private static void assertProportional(SegmentTable table, long seed) {
    Map<String, Double> lengths = lengths(table);
    NumberLine line = table.numberLine();
    long[] counts = new long[line.devices()];
    double[] weights = new double[line.devices()];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = lengths.get(line.deviceId(i));
    }
    for (int key = 0; key < KEYS; key++) {
      counts[line.place(RandomSequence.of(key, seed), device -> true, MAX_DRAWS)]++;
    }
    double statistic = Bounds.pearson(counts, weights);
    double bound = Bounds.chiSquare(counts.length - 1);
    assertTrue(statistic <= bound, "chi-square " + statistic + " over " + bound + ", seed " + seed);
  }

  private static String home(NumberLine line, long key, long seed) {
    return line.deviceId(line.place(RandomSequence.of(key, seed), device -> true, MAX_DRAWS));
  }

  private static Map<String, Double> lengths(SegmentTable table) {
    Map<String, Double> lengths = new HashMap<>();
    table.segments().forEach(s -> lengths.merge(s.deviceId(), s.length(), Double::sum));
    return lengths;
  }

  private static SegmentTable randomTable(Random random) {
    List<Device> devices = new ArrayList<>();
    int count = 4 + random.nextInt(60);
    for (int i = 0; i < count; i++) {
      devices.add(randomDevice(random, "d" + i));
    }
    return SegmentTable.assign(devices, 1e12);
  }

  /** 0.25 to 4.25 TB, so up to five segments. */
  private static Device randomDevice(Random random, String id) {
    return Device.of(id, 250_000_000_000L + (long) (random.nextDouble() * 4e12));
  }
}
