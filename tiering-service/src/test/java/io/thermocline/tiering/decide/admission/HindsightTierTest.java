// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class HindsightTierTest {

  /** Reads of a b c a b c with room for two: c is read last, when a and b have taken the room. */
  @Test
  void whatComesFirstTakesTheRoom() {
    HindsightTier tier = new HindsightTier(2);
    assertTrue(tier.keeps(1, 0, 3));
    assertTrue(tier.keeps(1, 1, 4));
    assertFalse(tier.keeps(1, 2, 5));
    // From the fourth read on, a's room is free again.
    assertTrue(tier.keeps(1, 3, 5));
  }

  @Test
  void numbersReads() {
    HindsightTier tier = new HindsightTier(1);
    for (int i = 0; i < 10_000; i++) {
      assertEquals(i, tier.nextRead());
    }
  }

  /** What is kept at the time of any read never needs more room than there is. */
  @Test
  void neverHoldsMoreThanItsBytes() {
    for (long seed = 0; seed < 5; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      HindsightTier tier = new HindsightTier(100);
      Map<Integer, Integer> lastRead = new HashMap<>();
      int[] held = new int[2_000];
      int kept = 0;
      for (int i = 0; i < held.length; i++) {
        tier.nextRead();
        int file = (int) Math.pow(300, random.nextDouble());
        int bytes = 1 + file * 7 % 40;
        Integer before = lastRead.put(file, i);
        if (before != null && tier.keeps(bytes, before, i)) {
          kept++;
          for (int at = before; at < i; at++) {
            held[at] += bytes;
          }
        }
      }
      for (int bytes : held) {
        assertTrue(bytes <= 100, "seed " + seed + ": " + bytes);
      }
      assertTrue(kept > 100, "seed " + seed + ": " + kept);
    }
  }

  /** Long after, when many reads share a span, the same holds: a file that takes all room for all reads. */
  @Test
  void remembersWhatWasTakenOverManyReads() {
    HindsightTier tier = new HindsightTier(10);
    for (int i = 0; i < 100_000; i++) {
      tier.nextRead();
    }
    assertTrue(tier.keeps(8, 10_000, 60_000));
    for (int i = 0; i < 100_000; i++) {
      tier.nextRead();
    }
    assertFalse(tier.keeps(3, 20_000, 30_000));
    assertTrue(tier.keeps(2, 20_000, 30_000));
    assertTrue(tier.keeps(10, 70_000, 190_000));
  }

  @Test
  void aSingleReadsRoomIsTaken() {
    HindsightTier tier = new HindsightTier(10);
    assertTrue(tier.keeps(10, 0, 1));
    assertFalse(tier.keeps(1, 0, 1));
  }

  /** From 2,048 reads on two share a span: a file between the first and the second takes half of its bytes there. */
  @Test
  void takesTheShareOfASpan() {
    HindsightTier tier = new HindsightTier(10);
    for (int i = 0; i <= 2_048; i++) {
      tier.nextRead();
    }
    assertTrue(tier.keeps(8, 0, 1));
    assertTrue(tier.keeps(6, 0, 2));
    assertFalse(tier.keeps(1, 0, 2));
  }

  @Test
  void laterReadsFindTheRoomFree() {
    HindsightTier tier = new HindsightTier(10);
    for (int i = 0; i < 2_048; i++) {
      tier.nextRead();
    }
    assertTrue(tier.keeps(10, 1_500, 2_000));
    for (int i = 0; i < 2_048; i++) {
      tier.nextRead();
    }
    assertTrue(tier.keeps(10, 3_000, 4_000));
  }
}
