// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.attributed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.suora.Bounds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What attributedCH promises of any cluster, on seeded random ones: each strategy shares as it says, a
 * change moves what it must, and replicas are apart. The seeds are the parameters.
 */
class RingPropertiesTest {
  private static final int KEYS = 60_000;
  private static final long TB = 1_000_000_000_000L;

  /** c_throttle: some 25 to 425 virtual nodes a device. */
  private static final RingRules RULES = RingRules.defaults().withThrottle(TB / 100);

  private static final RingRules RECALCULATED = RULES.withMerge(RingRules.Merge.RECALCULATED);

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void keysFollowTheSharesOfTheRing(long seed) {
    Random random = new Random(seed);
    assertShares(AttributedRing.build(alike(random, 40), RULES), seed);
    assertShares(AttributedRing.build(mixed(random, 40), RULES), seed);
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13, 14})
  void keysFollowTheSharesAfterAChequeredHistory(long seed) {
    for (RingRules rules : List.of(RULES, RECALCULATED)) {
      Random random = new Random(seed);
      AttributedRing ring = AttributedRing.build(mixed(random, 20), rules);
      for (int step = 0; step < 20; step++) {
        ring =
            random.nextInt(3) > 0
                ? ring.with(mixedDevice(random, "late" + step))
                : ring.without(anyPresent(ring, random));
      }
      assertShares(ring, seed);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {21, 22, 23, 24})
  void capacityStrategyIsFairToCapacity(long seed) {
    List<RingDevice> devices = alike(new Random(seed), 50);
    AttributedRing ring = AttributedRing.build(devices, RULES);
    double[] shares = ring.shares();
    Throttle throttle = Throttle.of(ring.throttleBytes());
    double total = ring.virtualNodes();
    for (int i = 0; i < shares.length; i++) {
      double own = throttle.virtualNodes(capacityOf(devices, ring.deviceId(i)));
      // The arc of a sector of s = 4 virtual nodes is a sum of four exponential gaps, a fourth of
      // which each of its members has: variance 1 / s of the mean squared, the same for all of
      // the sector.
      double variance = (1 + (own - 1) * 3 / total) / (4 * own);
      double z = (shares[i] * total / own - 1) / Math.sqrt(variance);
      assertTrue(Math.abs(z) < 6, "device " + i + " is off by " + z + " sigma, seed " + seed);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {31, 32, 33, 34})
  void bandwidthStrategyIsFairToBandwidth(long seed) {
    // One sector of all devices, so that nothing but bandwidth decides.
    Random random = new Random(seed);
    List<RingDevice> devices = mixed(random, 12);
    RingRules oneSector = RULES.withThrottle(100 * TB).withSectorSize(12);
    AttributedRing ring = AttributedRing.build(devices, oneSector);
    assertEquals(1, ring.heterogeneousSectors());
    double[] bandwidths = new double[12];
    for (RingDevice device : devices) {
      bandwidths[ring.indexOf(device.id())] = device.bandwidth();
    }
    assertProportional(firsts(ring), bandwidths, seed);
  }

  @ParameterizedTest
  @ValueSource(longs = {41, 42, 43, 44, 45, 46})
  void additionMovesItsShareAndNothingElse(long seed) {
    Random random = new Random(seed);
    AttributedRing before = AttributedRing.build(alike(random, 30), RULES);
    for (int step = 0; step < 3; step++) {
      AttributedRing after = before.with(alikeDevice(random, "new" + step));
      int added = after.indexOf("new" + step);
      int[] was = firstOfEach(before);
      int[] is = firstOfEach(after);
      int moved = 0;
      for (int key = 0; key < KEYS; key++) {
        if (was[key] != is[key]) {
          assertEquals(added, is[key], "key " + key + " moved between old devices, seed " + seed);
          moved++;
        }
      }
      double share = after.shares()[added];
      assertEquals(KEYS * share, moved, Bounds.binomial(KEYS, share), "seed " + seed);
      before = after;
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {51, 52, 53, 54})
  void recalculationMovesTheOtherKeysOfTheSectorsToo(long seed) {
    Random random = new Random(seed);
    List<RingDevice> devices = alike(random, 60);
    AttributedRing before = AttributedRing.build(devices, RECALCULATED);
    // One virtual node, so one sector of 4 that becomes one of 5.
    AttributedRing after = before.with(RingDevice.of("new", 1, 146, "zone0"));
    int added = after.indexOf("new");
    int toNew = 0;
    int between = 0;
    int keys = 0;
    int[] was = new int[1];
    int[] is = new int[1];
    int position = Hash.position("new", 0);
    long from = (position & 0xFFFFFFFFL) << 32;
    // Keys that fall just before the new virtual node are keys of its sector.
    for (long key = 0; keys < 2_000 && key < 40_000_000; key++) {
      long distance = (from - Hash.mix(key)) >>> 32;
      if (distance < 30_000) {
        keys++;
        before.place(key, was);
        after.place(key, is);
        toNew += is[0] == added ? 1 : 0;
        between += is[0] != added && was[0] != is[0] ? 1 : 0;
      }
    }
    assertTrue(keys > 200, "keys: " + keys);
    // h mod 4 and h mod 5 are independent: 1/5 to the new one, and of the rest 3/4 elsewhere, but
    // for devices that are two of the five members.
    assertEquals(keys / 5.0, toNew, Bounds.binomial(keys, 0.2), "seed " + seed);
    assertTrue(between <= keys * 0.6 + Bounds.binomial(keys, 0.6), "seed " + seed);
    assertTrue(between > toNew, "seed " + seed);
  }

  @ParameterizedTest
  @ValueSource(longs = {61, 62, 63, 64, 65, 66})
  void removalMovesOnlyItsOwnKeysAndReturnMovesThemBack(long seed) {
    Random random = new Random(seed);
    AttributedRing first = AttributedRing.build(mixed(random, 25), RULES);
    AttributedRing before = first;
    List<RingDevice> gone = new ArrayList<>();
    // Three in a row: keys that one removal sent on are sent on again by the next.
    for (int step = 0; step < 3; step++) {
      String removed = anyPresent(before, random);
      int index = before.indexOf(removed);
      AttributedRing after = before.without(removed);
      int[] was = firstOfEach(before);
      int[] is = firstOfEach(after);
      for (int key = 0; key < KEYS; key++) {
        if (was[key] == index) {
          assertNotEquals(index, is[key]);
        } else {
          assertEquals(was[key], is[key], "key " + key + " moved, seed " + seed);
        }
      }
      gone.add(deviceOf(first, removed, seed));
      before = after;
    }
    for (RingDevice device : gone) {
      before = before.with(device);
    }
    assertTrue(Arrays.equals(firstOfEach(first), firstOfEach(before)), "seed " + seed);
    assertEquals(first.virtualNodes(), before.virtualNodes(), "nothing was merged for it");
  }

  @ParameterizedTest
  @ValueSource(longs = {71, 72, 73, 74})
  void replicasAreOnDistinctDevicesInDistinctZones(long seed) {
    Random random = new Random(seed);
    for (int count : new int[] {1, 2, 3, 5, 9, 40}) {
      AttributedRing ring = AttributedRing.build(mixed(random, count), RULES);
      if (count == 40) {
        ring = ring.without(anyPresent(ring, random)).with(mixedDevice(random, "late"));
      }
      int[] chosen = new int[5];
      int possible = Math.min(5, count);
      for (long key = 0; key < 2_000; key++) {
        ring.place(key, chosen);
        int[] set =
            Arrays.stream(chosen).filter(d -> d != AttributedRing.NONE).distinct().toArray();
        assertEquals(possible, set.length, "key " + key + ", seed " + seed);
        for (int i = possible; i < 5; i++) {
          assertEquals(AttributedRing.NONE, chosen[i]);
        }
        for (int device : set) {
          assertTrue(!ring.isRemoved(device));
        }
      }
    }
    // 4 racks of 10: each sector has others near.
    List<RingDevice> racks = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      racks.add(RingDevice.of("d" + i, TB, 146, "rack" + i % 4));
    }
    AttributedRing ring = AttributedRing.build(racks, RULES);
    int[] chosen = new int[5];
    for (long key = 0; key < KEYS; key++) {
      ring.place(key + seed * KEYS, chosen);
      long zones =
          Arrays.stream(chosen)
              .map(d -> Integer.parseInt(ring.deviceId(d).substring(1)) % 4)
              .distinct()
              .count();
      assertEquals(4, zones, "zones of key " + key);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {81, 82})
  void theOrderInWhichDevicesWereSeenDoesNotMatter(long seed) {
    Random random = new Random(seed);
    List<RingDevice> devices = mixed(random, 50);
    AttributedRing one = AttributedRing.build(devices, RULES);
    Collections.shuffle(devices, random);
    AttributedRing other = AttributedRing.build(devices, RULES);
    int[] chosen = new int[3];
    int[] again = new int[3];
    for (long key = 0; key < KEYS; key++) {
      one.place(key, chosen);
      other.place(key, again);
      for (int r = 0; r < 3; r++) {
        assertEquals(one.deviceId(chosen[r]), other.deviceId(again[r]));
      }
    }
  }

  private static void assertShares(AttributedRing ring, long seed) {
    long[] counts = firsts(ring);
    double[] shares = ring.shares();
    assertEquals(1, Arrays.stream(shares).sum(), 1e-9);
    List<Long> present = new ArrayList<>();
    List<Double> weights = new ArrayList<>();
    for (int i = 0; i < counts.length; i++) {
      if (ring.isRemoved(i)) {
        assertEquals(0, counts[i]);
        assertEquals(0, shares[i]);
      } else {
        present.add(counts[i]);
        weights.add(shares[i]);
      }
    }
    assertProportional(
        present.stream().mapToLong(Long::longValue).toArray(),
        weights.stream().mapToDouble(Double::doubleValue).toArray(),
        seed);
  }

  private static void assertProportional(long[] counts, double[] weights, long seed) {
    double statistic = Bounds.pearson(counts, weights);
    double bound = Bounds.chiSquare(counts.length - 1);
    assertTrue(statistic <= bound, "chi-square " + statistic + " over " + bound + ", seed " + seed);
  }

  private static long[] firsts(AttributedRing ring) {
    long[] counts = new long[ring.devices()];
    for (int device : firstOfEach(ring)) {
      counts[device]++;
    }
    return counts;
  }

  /** First replica of each key, which select and place agree on. */
  private static int[] firstOfEach(AttributedRing ring) {
    int[] firsts = new int[KEYS];
    int[] chosen = new int[1];
    for (int key = 0; key < KEYS; key++) {
      ring.place(key, chosen);
      firsts[key] = chosen[0];
      if (key < 1_000) {
        assertEquals(chosen[0], ring.select(key, device -> true, 1_000));
      }
    }
    return firsts;
  }

  private static String anyPresent(AttributedRing ring, Random random) {
    int index;
    do {
      index = random.nextInt(ring.devices());
    } while (ring.isRemoved(index));
    return ring.deviceId(index);
  }

  private static RingDevice deviceOf(AttributedRing ring, String id, long seed) {
    return mixed(new Random(seed), ring.devices()).stream()
        .filter(device -> device.id().equals(id))
        .findFirst()
        .orElseThrow();
  }

  private static long capacityOf(List<RingDevice> devices, String id) {
    return devices.stream()
        .filter(d -> d.id().equals(id))
        .findFirst()
        .orElseThrow()
        .capacityBytes();
  }

  /** One type of devices, 0.25 to 4.25 TB. */
  private static List<RingDevice> alike(Random random, int count) {
    List<RingDevice> devices = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      devices.add(alikeDevice(random, "d" + i));
    }
    return devices;
  }

  private static RingDevice alikeDevice(Random random, String id) {
    long capacity = TB / 4 + (long) (random.nextDouble() * 4 * TB);
    return RingDevice.of(id, capacity, 146, "zone" + random.nextInt(5));
  }

  /** Disks and SSDs, the SSDs smaller. */
  private static List<RingDevice> mixed(Random random, int count) {
    List<RingDevice> devices = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      devices.add(mixedDevice(random, "d" + i));
    }
    return devices;
  }

  private static RingDevice mixedDevice(Random random, String id) {
    boolean ssd = random.nextInt(3) == 0;
    long capacity = (long) ((0.25 + random.nextDouble()) * (ssd ? 1 : 4) * TB);
    return RingDevice.of(id, capacity, ssd ? 540 : 146, "zone" + random.nextInt(5));
  }
}
