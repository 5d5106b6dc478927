// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import java.util.Arrays;

/**
 * Twelve bits that count reads in quarters: exactly up to 768 reads, above that to within 6 % (standard
 * deviation), up to two million. Stateless.
 */
final class CounterCode {

  /*
   * Codes up to LINEAR are the number of quarters. Above, each code stands for a 128th more than the one
   * before, and what falls between two codes becomes the upper one with the probability that keeps the
   * expectation (Morris, Counting large numbers of events in small registers, 1978; Flajolet 1985 gives
   * the standard deviation sqrt(a / 2) for a growth of a). The same rounding serves decay, where counts
   * become fractions of a quarter: nothing is forgotten because it is small, and a sum of many items
   * decays as it should.
   *
   * Quarters, and not whole reads, because decay rounds eight times in a half-life.
   */

  /** What one read adds. */
  static final int UNITS_PER_READ = 4;

  static final int BITS = 12;
  static final int MAX = (1 << BITS) - 1;
  static final int LINEAR = 3 << (BITS - 2);

  private static final double GROWTH = 1.0 / 128;
  private static final double[] VALUES = new double[MAX + 1];

  static {
    for (int code = 0; code <= MAX; code++) {
      VALUES[code] =
          code <= LINEAR ? code : LINEAR * StrictMath.pow(1 + GROWTH, (double) code - LINEAR);
    }
  }

  private CounterCode() {}

  /** In units. */
  static double units(int code) {
    return VALUES[code];
  }

  /**
   * The code nearest to a count from above or below, chosen so that the expectation is the count.
   *
   * @param units at least 0; more than the largest code can say becomes the largest code
   * @param random 64 random bits
   */
  static int encode(double units, long random) {
    int floor;
    if (units < LINEAR) {
      floor = (int) units;
    } else if (units >= VALUES[MAX]) {
      return MAX;
    } else {
      int found = Arrays.binarySearch(VALUES, LINEAR, MAX + 1, units);
      floor = found >= 0 ? found : -found - 2;
    }
    double rest = (units - VALUES[floor]) / (VALUES[floor + 1] - VALUES[floor]);
    return (random >>> 11) * 0x1p-53 < rest ? floor + 1 : floor;
  }
}
