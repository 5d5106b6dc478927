// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.suora;

/**
 * Bounds that a correct program exceeds in one of a million runs. With a fixed seed a test either
 * always or never fails, so this is the chance that a seed had to be chosen twice.
 */
public final class Bounds {
  /** Normal quantile of 1 - 1e-6. */
  private static final double Z = 4.7534;

  private Bounds() {}

  /** Chi-square quantile of 1 - 1e-6, by Wilson and Hilferty (1931): within 1 % from df = 3 on. */
  public static double chiSquare(int degreesOfFreedom) {
    double a = 2.0 / (9.0 * degreesOfFreedom);
    double root = 1 - a + Z * Math.sqrt(a);
    return degreesOfFreedom * root * root * root;
  }

  /** How far a binomial count may be from its mean. The half is the continuity correction. */
  public static double binomial(long trials, double p) {
    return Z * Math.sqrt(trials * p * (1 - p)) + 0.5;
  }

  /** Pearson's statistic of counts against expected weights (of any sum). */
  public static double pearson(long[] counts, double[] weights) {
    double weightSum = 0;
    long total = 0;
    for (int i = 0; i < counts.length; i++) {
      weightSum += weights[i];
      total += counts[i];
    }
    double statistic = 0;
    for (int i = 0; i < counts.length; i++) {
      double expected = total * weights[i] / weightSum;
      statistic += (counts[i] - expected) * (counts[i] - expected) / expected;
    }
    return statistic;
  }
}
