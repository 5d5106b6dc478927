// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.workload;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Ranks 0 to n - 1, drawn with a probability proportional to (rank + 1)^-s. Immutable. */
public final class Zipf {

  private final double[] cumulative;

  public Zipf(int ranks, double exponent) {
    cumulative = new double[ranks];
    double sum = 0;
    for (int rank = 0; rank < ranks; rank++) {
      sum += Math.pow(rank + 1, -exponent);
      cumulative[rank] = sum;
    }
  }

  public int draw(SplittableRandom random) {
    double point = random.nextDouble() * cumulative[cumulative.length - 1];
    int found = Arrays.binarySearch(cumulative, point);
    return Math.min(found < 0 ? -found - 1 : found + 1, cumulative.length - 1);
  }

  /** Probability of the first ranks together. */
  double shareOfFirst(int ranks) {
    return ranks == 0 ? 0 : cumulative[ranks - 1] / cumulative[cumulative.length - 1];
  }
}
