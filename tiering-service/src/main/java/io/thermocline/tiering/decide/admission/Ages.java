// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.admission;

/**
 * Time since the last read, in buckets: the first holds the first millisecond, about, each further one ends at
 * the square root of two times its begin, and the last one is open. Seconds.
 */
final class Ages {
  /** The last bucket begins after a day and a half. */
  static final int COUNT = 56;

  private static final double FIRST = 1.0 / 1024;

  private static final double[] BEGIN = new double[COUNT];

  static {
    for (int i = 1; i < COUNT; i++) {
      BEGIN[i] = FIRST * Math.pow(2, (i - 1) / 2.0);
    }
  }

  private Ages() {}

  static int bucket(double age) {
    if (age < FIRST) {
      return 0;
    }
    double doublings = (Math.log(age) - Math.log(FIRST)) / Math.log(2);
    int bucket = Math.min(COUNT - 1, 1 + (int) (2 * doublings));
    // Next to a border the logarithm may be rounded across it.
    if (age < BEGIN[bucket]) {
      return bucket - 1;
    }
    return bucket < COUNT - 1 && age >= BEGIN[bucket + 1] ? bucket + 1 : bucket;
  }

  static double begin(int bucket) {
    return BEGIN[bucket];
  }

  /** Length of a bucket; infinite for the last one. */
  static double length(int bucket) {
    return bucket == COUNT - 1 ? Double.POSITIVE_INFINITY : BEGIN[bucket + 1] - BEGIN[bucket];
  }
}
