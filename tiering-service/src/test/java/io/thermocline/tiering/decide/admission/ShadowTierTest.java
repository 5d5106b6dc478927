// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ShadowTierTest {
  private final ShadowTier tier = new ShadowTier(100, 10);

  /** A file is as dense as its key is large. */
  private void enter(long key, long bytes) {
    tier.enter(key, bytes, other -> other);
  }

  @Test
  void keepsTheDensest() {
    enter(1, 40);
    enter(2, 40);
    enter(3, 40);
    assertFalse(tier.read(1));
    assertTrue(tier.read(2));
    assertTrue(tier.read(3));
    assertEquals(2, tier.hits());
  }

  @Test
  void isNotEnteredByWhatIsLessDense() {
    enter(5, 60);
    enter(4, 60);
    assertFalse(tier.read(4));
    assertTrue(tier.read(5));
  }

  @Test
  void holdsNoMoreThanItsBytesAndFiles() {
    for (int key = 1; key <= 1_000; key++) {
      enter(key, key % 7);
    }
    int there = 0;
    long bytes = 0;
    for (int key = 1; key <= 1_000; key++) {
      if (tier.read(key)) {
        there++;
        bytes += key % 7;
      }
    }
    assertEquals(10, there);
    assertTrue(bytes >= 1L && bytes <= 100L);
  }

  @Test
  void passesOverAFileThatFitsNowhere() {
    enter(1, 100);
    enter(2, 101);
    assertFalse(tier.read(2));
  }

  @Test
  void isFilledToTheLastByte() {
    enter(1, 50);
    enter(2, 50);
    assertTrue(tier.read(1));
    assertTrue(tier.read(2));
  }

  @Test
  void theOnlyFileLeavesForADenserOneAndNotForOneAlike() {
    enter(1, 60);
    tier.enter(2, 60, other -> 1);
    assertFalse(tier.read(2));
    enter(3, 60);
    assertTrue(tier.read(3));
    assertFalse(tier.read(1));
  }
}
