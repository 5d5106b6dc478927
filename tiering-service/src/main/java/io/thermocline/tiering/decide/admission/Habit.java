// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.admission;

/**
 * Files that were read about as often, with about as long a gap between the last two reads: what such files
 * did is what is expected of a file. The recency and frequency of a predictor as Octopus++'s, in few enough
 * classes to be learned within hours. A file that was read once has no gap of its own: there it is the one to
 * the first read of another file of its size (see Sweeps).
 */
final class Habit {
  /** 1, 2, 3, 4-5, 6-8, 9-16, 17-32, more reads. */
  static final int COUNTS = 8;

  /** Up to 30 ms, 3 s, 20 s, 2 min, 15 min, more. */
  private static final int GAPS = 6;

  static final int COUNT = COUNTS * GAPS;

  private Habit() {}

  /**
   * @param reads seen so far, at least 1
   * @param gap seconds between the last two of them; of one, since another file of the size was first read
   */
  static int of(int reads, double gap) {
    return countClass(reads) * GAPS + gapClass(gap);
  }

  /** The part of a habit that counts reads, below {@link #COUNTS}. */
  static int counts(int habit) {
    return habit / GAPS;
  }

  private static int countClass(int reads) {
    if (reads <= 3) {
      return reads - 1;
    }
    if (reads <= 5) {
      return 3;
    }
    if (reads <= 8) {
      return 4;
    }
    if (reads <= 16) {
      return 5;
    }
    return reads <= 32 ? 6 : 7;
  }

  private static int gapClass(double gap) {
    if (gap < 0.03) {
      return 0;
    }
    if (gap < 3) {
      return 1;
    }
    if (gap < 20) {
      return 2;
    }
    if (gap < 120) {
      return 3;
    }
    return gap < 900 ? 4 : 5;
  }
}
