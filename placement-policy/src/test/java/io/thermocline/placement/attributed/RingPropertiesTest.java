// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.attributed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.suora.Bounds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
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
      List<RingDevice> present = mixed(random, 20);
      AttributedRing ring = AttributedRing.build(present, rules);
      for (int step = 0; step < 20; step++) {
        if (random.nextInt(3) > 0) {
          present.add(mixedDevice(random, "late" + step));
        } else {
          present.remove(random.nextInt(present.size()));
        }
        ring = ring.follow(present);
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
    List<RingDevice> present = alike(random, 30);
    AttributedRing before = AttributedRing.build(present, RULES);
    for (int step = 0; step < 3; step++) {
      present.add(alikeDevice(random, "new" + step));
      AttributedRing after = before.follow(present);
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
    devices.add(RingDevice.of("new", 1, 146));
    AttributedRing after = before.follow(devices);
    int added = after.indexOf("new");
    int toNew = 0;
    int between = 0;
    int keys = 0;
    int position = Hash.position("new", 0);
    long from = (position & 0xFFFFFFFFL) << 32;
    // Keys that fall just before the new virtual node are keys of its sector.
    for (long key = 0; keys < 2_000 && key < 40_000_000; key++) {
      long distance = (from - Hash.mix(key)) >>> 32;
      if (distance < 30_000) {
        keys++;
        int was = first(before, key);
        int is = first(after, key);
        toNew += is == added ? 1 : 0;
        between += is != added && was != is ? 1 : 0;
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
    List<RingDevice> all = mixed(random, 25);
    List<RingDevice> present = new ArrayList<>(all);
    AttributedRing first = AttributedRing.build(all, RULES);
    AttributedRing before = first;
    // Three in a row: keys that one removal sent on are sent on again by the next.
    for (int step = 0; step < 3; step++) {
      int index = before.indexOf(present.remove(random.nextInt(present.size())).id());
      AttributedRing after = before.follow(present);
      int[] was = firstOfEach(before);
      int[] is = firstOfEach(after);
      for (int key = 0; key < KEYS; key++) {
        if (was[key] == index) {
          assertNotEquals(index, is[key]);
        } else {
          assertEquals(was[key], is[key], "key " + key + " moved, seed " + seed);
        }
      }
      before = after;
    }
    before = before.follow(all);
    assertTrue(Arrays.equals(firstOfEach(first), firstOfEach(before)), "seed " + seed);
    assertEquals(first.virtualNodes(), before.virtualNodes(), "nothing was merged for it");
  }

  /** As the placement policy asks: for one replica after the other, rejecting devices and zones of the others. */
  @ParameterizedTest
  @ValueSource(longs = {71, 72, 73, 74})
  void replicasAreOnDistinctDevicesInDistinctZones(long seed) {
    Random random = new Random(seed);
    for (int count : new int[] {1, 2, 3, 5, 9, 40}) {
      List<RingDevice> present = mixed(random, count);
      AttributedRing ring = AttributedRing.build(present, RULES);
      if (count == 40) {
        present.remove(random.nextInt(count));
        present.add(mixedDevice(random, "late"));
        ring = ring.follow(present);
      }
      for (long key = 0; key < 2_000; key++) {
        Set<Integer> chosen = new HashSet<>();
        for (int replica = 0; replica < Math.min(5, count); replica++) {
          int device = ring.select(key, any -> !chosen.contains(any), 1_000);
          assertNotEquals(AttributedRing.NONE, device, "key " + key + ", seed " + seed);
          assertTrue(chosen.add(device) && !ring.isRemoved(device));
        }
        if (count < 5) {
          assertEquals(AttributedRing.NONE, ring.select(key, any -> !chosen.contains(any), 1_000));
        }
      }
    }
    // 4 racks of 10: each sector has others near.
    AttributedRing ring = AttributedRing.build(alike(random, 40), RULES);
    for (long key = 0; key < KEYS; key++) {
      Set<Integer> zones = new HashSet<>();
      for (int replica = 0; replica < 4; replica++) {
        int device = ring.select(key + seed * KEYS, any -> !zones.contains(any % 4), 256);
        assertNotEquals(AttributedRing.NONE, device, "zones of key " + key);
        zones.add(device % 4);
      }
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
    for (long key = 0; key < KEYS; key++) {
      assertEquals(one.deviceId(first(one, key)), other.deviceId(first(other, key)));
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

  private static int[] firstOfEach(AttributedRing ring) {
    int[] firsts = new int[KEYS];
    Arrays.setAll(firsts, key -> first(ring, key));
    return firsts;
  }

  private static int first(AttributedRing ring, long key) {
    return ring.select(key, any -> true, 1_000);
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
    return RingDevice.of(id, capacity, 146);
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
    return RingDevice.of(id, capacity, ssd ? 540 : 146);
  }
}
