// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.workload;

import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * An order of numbers in which neighbours end up far apart, and every run of a few numbers is spread over
 * the whole: the multiples of the golden ratio, modulo 1, fill the unit interval as evenly as any sequence
 * does.
 */
final class EvenOrder {

  private static final double GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

  private EvenOrder() {}

  /** The numbers from 0 to count - 1 in that order. */
  static int[] of(int count) {
    return IntStream.range(0, count)
        .boxed()
        .sorted(Comparator.comparingDouble(number -> (number + 1) * GOLDEN_RATIO % 1))
        .mapToInt(Integer::intValue)
        .toArray();
  }
}
