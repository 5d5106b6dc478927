// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.admission;

import io.thermocline.tiering.heat.StateSink;
import io.thermocline.tiering.heat.StateSource;

/**
 * How many times as often as their habit says files of a size are read again: reads seen by reads expected.
 * First by size classes that are wide, eight times from one to the next, then by narrower ones within, down
 * to 6 % of the size; a narrow class leans on the wide one around it. What was seen of the class beside counts
 * the more, the nearer its border is. The daily parts of one data set have about one size, and are used alike.
 */
final class SizeFactors {
  /** Classes by doubling of the size, the widest first. */
  private static final double[] RESOLUTIONS = {1.0 / 3, 1, 4, 12};

  /** Expected reads that a class needs before its own reads are believed as much as the wider class's. */
  private static final double[] PRIORS = {5, 3, 2, 1.5};

  private static final int CLASSES = 64 * 12;

  private final double[][][] reads = new double[Habit.COUNTS][RESOLUTIONS.length][CLASSES];
  private final double[][][] expected = new double[Habit.COUNTS][RESOLUTIONS.length][CLASSES];

  private static double position(int level, long bytes) {
    return Math.log(Math.max(1, bytes)) / Math.log(2) * RESOLUTIONS[level];
  }

  private static int sizeClass(int level, long bytes) {
    return (int) position(level, bytes);
  }

  void read(int habit, long bytes) {
    for (int level = 0; level < RESOLUTIONS.length; level++) {
      reads[Habit.counts(habit)][level][sizeClass(level, bytes)]++;
    }
  }

  /** So many reads were to be expected by the habit alone, whether they came or not. */
  void expected(int habit, long bytes, double count) {
    for (int level = 0; level < RESOLUTIONS.length; level++) {
      expected[Habit.counts(habit)][level][sizeClass(level, bytes)] += count;
    }
  }

  /** What was seen so far counts for a share of what it did. */
  void fade(double keep) {
    for (int count = 0; count < Habit.COUNTS; count++) {
      for (int level = 0; level < RESOLUTIONS.length; level++) {
        for (int of = 0; of < CLASSES; of++) {
          reads[count][level][of] *= keep;
          expected[count][level][of] *= keep;
        }
      }
    }
  }

  double factor(int habit, long bytes) {
    double factor = 1;
    for (int level = 0; level < RESOLUTIONS.length; level++) {
      double position = position(level, bytes);
      double seen = around(reads[Habit.counts(habit)][level], position);
      double awaited = around(expected[Habit.counts(habit)][level], position);
      factor = (seen + PRIORS[level] * factor) / (awaited + PRIORS[level]);
    }
    return factor;
  }

  void writeTo(StateSink sink) {
    for (int count = 0; count < Habit.COUNTS; count++) {
      for (int level = 0; level < RESOLUTIONS.length; level++) {
        sink.reals(reads[count][level]);
        sink.reals(expected[count][level]);
      }
    }
  }

  void restore(StateSource source) {
    for (int count = 0; count < Habit.COUNTS; count++) {
      for (int level = 0; level < RESOLUTIONS.length; level++) {
        source.reals(reads[count][level]);
        source.reals(expected[count][level]);
      }
    }
  }

  private static double around(double[] counts, double position) {
    int of = (int) position;
    double above = position - of;
    double sum = counts[of];
    if (of > 0) {
      sum += (1 - above) * counts[of - 1];
    }
    if (of + 1 < CLASSES) {
      sum += above * counts[of + 1];
    }
    return sum;
  }
}
