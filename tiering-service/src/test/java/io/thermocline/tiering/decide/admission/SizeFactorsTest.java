// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.admission;

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

  /** Each class leans on the wider one around it by its prior, from 60 reads of 20 expected ones on. */
  @Test
  void leansOnTheWiderClass() {
    sizes.expected(ONCE, GB, 20);
    for (int i = 0; i < 60; i++) {
      sizes.read(ONCE, GB);
    }
    assertEquals(factor(60, 20), sizes.factor(ONCE, GB), 1e-9);
    sizes.fade(0.25);
    assertEquals(factor(15, 5), sizes.factor(ONCE, GB), 1e-9);
  }

  private static double factor(double seen, double expected) {
    double factor = 1;
    for (double prior : new double[] {5, 3, 2, 1.5}) {
      factor = (seen + prior * factor) / (expected + prior);
    }
    return factor;
  }

  /** On both sides it falls, a little at a time, until only wider classes know of the size. */
  @Test
  void countsTheLessTheFartherASizeIs() {
    for (int i = 0; i < 50; i++) {
      sizes.read(ONCE, GB);
    }
    for (double step : new double[] {1.001, 1 / 1.001}) {
      double before = sizes.factor(ONCE, GB);
      double bytes = GB;
      for (int i = 0; i < 700; i++) {
        bytes *= step;
        double factor = sizes.factor(ONCE, (long) bytes);
        assertTrue(factor <= before, "at " + bytes);
        assertTrue(factor > before * 0.95, "at " + bytes);
        before = factor;
      }
      assertTrue(before < sizes.factor(ONCE, GB) / 2, "twice as large, or half");
    }
  }
}
