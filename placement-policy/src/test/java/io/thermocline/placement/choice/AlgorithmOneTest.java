// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.choice;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** CHOICE, section 4.4, algorithm 1: which salts, in which order, and what a collision does. */
class AlgorithmOneTest {

  private static final long SEED = Long.getLong("test.seed", 4);
  private static final long GOLDEN_KEY = 0x0761233bbb263369L;
  private static final long GOLDEN_EMPTY = 0xf52a15e9a9b5e89bL;
  private static final long GOLDEN_SALT_1 = 0x5cc210dee0497f4bL;
  private static final long GOLDEN_SALT_2 = 0x7603c97e2d3ac71bL;
  private static final long GOLDEN_SALT_3 = 0x934ff1a43974895dL;

  private static final long KEY = SaltedKeys.keyOf("/warehouse/part-00000");

  /**
   * What clients computed yesterday they must compute tomorrow. FNV-1a and SplitMix64 as published,
   * computed outside Java.
   */
  @Test
  void keysAreForGood() {
    assertEquals(GOLDEN_KEY, KEY);
    assertEquals(GOLDEN_EMPTY, SaltedKeys.keyOf(""));
    assertArrayEquals(
        new long[] {GOLDEN_KEY, GOLDEN_SALT_1, GOLDEN_SALT_2, GOLDEN_SALT_3},
        new long[] {
          SaltedKeys.salted(KEY, 0),
          SaltedKeys.salted(KEY, 1),
          SaltedKeys.salted(KEY, 2),
          SaltedKeys.salted(KEY, 3)
        });
  }

  @Test
  void collisionIsSkippedAndTheNextSaltTried() {
    Map<Long, int[]> placed = new HashMap<>();
    placed.put(SaltedKeys.salted(KEY, 0), new int[] {4, 7, 1});
    placed.put(SaltedKeys.salted(KEY, 1), new int[] {4, 7, 1});
    // The same devices, only in another order: no choice either.
    placed.put(SaltedKeys.salted(KEY, 2), new int[] {7, 1, 4});
    placed.put(SaltedKeys.salted(KEY, 3), new int[] {7, 1, 5});
    placed.put(SaltedKeys.salted(KEY, 4), new int[] {4, 1, 7});
    placed.put(SaltedKeys.salted(KEY, 5), new int[] {0, 2, 3});
    List<Long> asked = new ArrayList<>();
    CandidateSets sets = new CandidateSets(3, 3);
    int found =
        SaltedCandidates.fill(
            KEY,
            (key, devices, from, to) -> {
              asked.add(key);
              System.arraycopy(placed.get(key), 0, devices, from, to - from);
              return to - from;
            },
            sets);
    assertEquals(3, found);
    assertEquals("[4, 7, 1][7, 1, 5][0, 2, 3]", sets.toString());
    assertEquals(
        List.of(0, 1, 2, 3, 4, 5).stream()
            .map(salt -> SaltedKeys.salted(KEY, salt))
            .collect(Collectors.toList()),
        asked);
  }

  /** The procedure as it is printed, against ours, for many objects and few groups. */
  @Test
  void agreesWithTheListing() {
    Random random = new Random(SEED);
    CandidateSets sets = new CandidateSets(4, 1);
    for (int object = 0; object < 5_000; object++) {
      long oid = random.nextLong();
      int groups = 4 + random.nextInt(9);
      SaltedCandidates.fill(oid, (key, into, from, to) -> group(key, groups, into, from), sets);
      int[] ours = new int[sets.count()];
      Arrays.setAll(ours, candidate -> sets.device(candidate, 0));
      assertArrayEquals(listing(oid, 4, groups), ours, "object " + oid + ", groups " + groups);
    }
  }

  @Test
  void endsWhereThereAreNotEnoughSets() {
    CandidateSets sets = new CandidateSets(4, 3);
    // Three devices have one set of three.
    assertEquals(
        1, SaltedCandidates.fill(KEY, (key, into, from, to) -> three(key, into, from), sets));
    assertEquals(3, sets.size(0));
    assertEquals(0, SaltedCandidates.fill(KEY, (key, into, from, to) -> 0, sets));
    assertEquals(0, sets.count());
  }

  @Test
  void saltsOfDifferentObjectsDoNotMeet() {
    Set<Long> keys = new HashSet<>();
    for (int object = 0; object < 20_000; object++) {
      for (int salt = 0; salt < 8; salt++) {
        keys.add(SaltedKeys.salted(SaltedKeys.keyOf("/a" + object), salt));
      }
    }
    assertEquals(160_000, keys.size());
  }

  @Test
  void boundsAreSaid() {
    assertThrows(IllegalArgumentException.class, () -> new CandidateSets(0, 3));
    assertThrows(IllegalArgumentException.class, () -> new CandidateSets(17, 3));
    assertThrows(IllegalArgumentException.class, () -> new CandidateSets(2, 0));
    CandidateSets sets = new CandidateSets(1, 3);
    assertThrows(IndexOutOfBoundsException.class, () -> sets.device(0, 0));
    sets.add(KEY, (key, into, from, to) -> three(key, into, from));
    assertThrows(IndexOutOfBoundsException.class, () -> sets.device(0, 3));
    assertThrows(
        IllegalStateException.class,
        () -> sets.add(KEY, (key, into, from, to) -> three(key, into, from)));
  }

  private static int group(long key, int groups, int[] into, int from) {
    into[from] = (int) Math.floorMod(key, (long) groups);
    return 1;
  }

  private static int three(long key, int[] into, int from) {
    for (int replica = 0; replica < 3; replica++) {
      into[from + replica] = (int) Math.floorMod(key + replica, 3L);
    }
    return 3;
  }

  private static int[] listing(long oid, int choices, int groups) {
    int[] pgid = new int[choices];
    pgid[0] = (int) Math.floorMod(oid, (long) groups);
    int j = 0;
    for (int i = 1; i < choices; i++) {
      while (true) {
        j = j + 1;
        int pg = (int) Math.floorMod(SaltedKeys.salted(oid, j), (long) groups);
        boolean there = false;
        for (int before = 0; before < i; before++) {
          there |= pgid[before] == pg;
        }
        if (!there) {
          pgid[i] = pg;
          break;
        }
      }
    }
    return pgid;
  }
}
