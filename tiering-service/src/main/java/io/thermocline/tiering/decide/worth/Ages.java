// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.worth;

/**
 * Time since the last read, in buckets: the first holds the first second, each further one ends at the square
 * root of two times its begin, and the last one is open. Seconds.
 */
final class Ages {
  /** The last bucket begins after a day and a half. */
  static final int COUNT = 36;

  private static final double[] BEGIN = new double[COUNT];

  static {
    for (int i = 1; i < COUNT; i++) {
      BEGIN[i] = Math.pow(2, (i - 1) / 2.0);
    }
  }

  private Ages() {}

  static int bucket(double age) {
    int bucket = age < 1 ? 0 : Math.min(COUNT - 1, 1 + (int) (2 * Math.log(age) / Math.log(2)));
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
