// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.worth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SizeFactorsTest {
  private static final long GB = 1_000_000_000;
  private static final int ONCE = Habit.of(1, 1e6);

  private final SizeFactors sizes = new SizeFactors();

  @Test
  void isOneBeforeAnythingWasSeen() {
    assertEquals(1, sizes.factor(ONCE, GB));
    assertEquals(1, sizes.factor(ONCE, 0));
    assertEquals(1, sizes.factor(ONCE, Long.MAX_VALUE));
  }

  /** Parts of 1 GB are read three times as often as expected, those of 1.2 GB never. */
  @Test
  void tellsDataSetsOfLikeSizesApart() {
    sizes.expected(ONCE, GB, 20);
    sizes.expected(ONCE, GB * 6 / 5, 20);
    for (int i = 0; i < 60; i++) {
      sizes.read(ONCE, GB);
    }
    assertTrue(sizes.factor(ONCE, GB) > 2.5);
    assertTrue(sizes.factor(ONCE, GB * 6 / 5) < 0.2);
    // Of another order of magnitude nothing is known, and as little of files that were read more
    // often.
    assertEquals(1, sizes.factor(ONCE, 1_000));
    assertEquals(1, sizes.factor(Habit.of(2, 1), GB));
  }

  /** Sizes that differ by less than a class have about one factor, on whichever side of a border they are. */
  @Test
  void hasNoStepsAtBorders() {
    for (int i = 0; i < 50; i++) {
      sizes.read(ONCE, GB);
    }
    double at = sizes.factor(ONCE, GB);
    for (long bytes = GB * 99 / 100; bytes <= GB * 101 / 100; bytes += GB / 1_000) {
      assertEquals(at, sizes.factor(ONCE, bytes), 0.1 * at);
    }
  }
}
