// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.choice;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.DeviceSelector;
import io.thermocline.placement.suora.Device;
import io.thermocline.placement.suora.SegmentTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What candidates promise of any cluster, on seeded random ones. The seeds are the parameters. */
class CandidatePropertiesTest {
  private static final long SEED = Long.getLong("test.seed", 0);
  private static final int KEYS = 4_000;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void candidatesAreDistinctSetsOfDistinctDevices(long seed) {
    Random random = new Random(SEED + seed);
    int devices = 6 + random.nextInt(60);
    int replicas = 1 + random.nextInt(4);
    ReplicaPlacement placement = SelectorPlacement.on(line(random, devices));
    CandidateSets sets = new CandidateSets(4, replicas);
    for (long key = 0; key < KEYS; key++) {
      assertEquals(4, SaltedCandidates.fill(key, placement, sets));
      Set<Set<Integer>> seen = new HashSet<>();
      for (int candidate = 0; candidate < 4; candidate++) {
        Set<Integer> set = setOf(sets, candidate);
        assertEquals(replicas, set.size(), "a device twice in " + sets);
        assertTrue(seen.add(set), "a set twice in " + sets);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13})
  void firstCandidateIsThePlainPlacementWhateverK(long seed) {
    Random random = new Random(SEED + seed);
    ReplicaPlacement placement = SelectorPlacement.on(line(random, 30));
    CandidateSets four = new CandidateSets(4, 3);
    CandidateSets two = new CandidateSets(2, 3);
    for (long key = 0; key < KEYS; key++) {
      int[] plain = new int[3];
      assertEquals(3, placement.place(key, plain, 0, 3));
      SaltedCandidates.fill(key, placement, four);
      SaltedCandidates.fill(key, placement, two);
      assertArrayEquals(plain, four.set(0));
      // Fewer candidates are the first of more.
      assertArrayEquals(four.set(0), two.set(0));
      assertArrayEquals(four.set(1), two.set(1));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {21, 22, 23})
  void twoClientsSeeTheSameWhateverTheyAskedBefore(long seed) {
    DeviceSelector one = line(new Random(SEED + seed), 40);
    DeviceSelector other = line(new Random(SEED + seed), 40);
    CandidateSets ofOne = new CandidateSets(3, 3);
    CandidateSets ofOther = new CandidateSets(3, 3);
    for (long key = KEYS - 1; key >= 0; key--) {
      SaltedCandidates.fill(key * 7, SelectorPlacement.on(other), ofOther);
    }
    for (long key = 0; key < KEYS; key++) {
      SaltedCandidates.fill(key, SelectorPlacement.on(one), ofOne);
      SaltedCandidates.fill(key, SelectorPlacement.on(other), ofOther);
      assertEquals(ofOne.toString(), ofOther.toString());
    }
  }

  /** As consistent hashing: a set changes only where the new device enters it. */
  @ParameterizedTest
  @ValueSource(longs = {31, 32, 33})
  void aNewDeviceChangesSetsOnlyByEnteringThem(long seed) {
    Random random = new Random(SEED + seed);
    SegmentTable before = table(random, 40);
    SegmentTable after = before.append(Device.of("new", 1_000_000_000_000L), 1e12);
    ReplicaPlacement old = SelectorPlacement.on(before.numberLine().selector(0));
    ReplicaPlacement now = SelectorPlacement.on(after.numberLine().selector(0));
    CandidateSets was = new CandidateSets(3, 3);
    CandidateSets is = new CandidateSets(3, 3);
    int entered = 0;
    for (long key = 0; key < KEYS; key++) {
      SaltedCandidates.fill(key, old, was);
      SaltedCandidates.fill(key, now, is);
      for (int candidate = 0; candidate < 3; candidate++) {
        Set<Integer> added = setOf(is, candidate);
        added.removeAll(setOf(was, candidate));
        if (added.contains(40)) {
          entered++;
        }
        added.remove(40);
        // Unless a collision came or went, which changes which salts count; then the set is the one
        // of another salt.
        if (!added.isEmpty()) {
          assertTrue(saltsDiffer(key, old, now), "key " + key + ": " + was + " became " + is);
        }
      }
    }
    assertTrue(entered > 0);
  }

  @ParameterizedTest
  @ValueSource(longs = {41, 42, 43, 44})
  void setsKeepTheRackRule(long seed) {
    Random random = new Random(SEED + seed);
    int devices = 12 + random.nextInt(40);
    int racks = 2 + random.nextInt(4);
    int[] rackOf = new int[devices];
    Arrays.setAll(rackOf, device -> device % racks);
    CandidateSets sets = new CandidateSets(3, 3);
    ReplicaPlacement placement =
        SelectorPlacement.on(line(random, devices), RackSpread.of(rackOf, 3));
    for (long key = 0; key < KEYS; key++) {
      assertEquals(3, SaltedCandidates.fill(key, placement, sets));
      for (int candidate = 0; candidate < 3; candidate++) {
        Set<Integer> racksOfSet = new HashSet<>();
        for (int device : sets.set(candidate)) {
          racksOfSet.add(rackOf[device]);
        }
        assertEquals(3, sets.size(candidate));
        assertTrue(racksOfSet.size() >= 2, "one rack has all of " + sets);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void fewDevicesGiveShortSets(int devices) {
    CandidateSets sets = new CandidateSets(3, 3);
    ReplicaPlacement placement = SelectorPlacement.on(line(new Random(5), devices));
    assertEquals(1, SaltedCandidates.fill(5, placement, sets));
    assertEquals(devices, sets.size(0));
  }

  private static boolean saltsDiffer(long key, ReplicaPlacement old, ReplicaPlacement now) {
    return !salts(key, old).equals(salts(key, now));
  }

  /** Which salts give the three candidates. */
  private static List<Integer> salts(long key, ReplicaPlacement placement) {
    CandidateSets sets = new CandidateSets(3, 3);
    List<Integer> salts = new ArrayList<>();
    for (int salt = 0; sets.count() < 3; salt++) {
      if (sets.add(SaltedKeys.salted(key, salt), placement)) {
        salts.add(salt);
      }
    }
    return salts;
  }

  private static Set<Integer> setOf(CandidateSets sets, int candidate) {
    Set<Integer> set = new HashSet<>();
    for (int device : sets.set(candidate)) {
      set.add(device);
    }
    return set;
  }

  private static DeviceSelector line(Random random, int devices) {
    return table(random, devices).numberLine().selector(0);
  }

  private static SegmentTable table(Random random, int count) {
    List<Device> devices = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      devices.add(Device.of("d" + i, 500_000_000_000L + (long) (random.nextDouble() * 2e12)));
    }
    return SegmentTable.assign(devices, 1e12);
  }
}
