// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.workload;

/**
 * A distribution of positive numbers given by some of its quantiles, logarithmic between them: what a
 * publication gives of a distribution that spans many orders of magnitude. Immutable.
 */
final class Quantiles {

  private final double[] shares;
  private final double[] values;

  private Quantiles(double[] shares, double[] values) {
    this.shares = shares;
    this.values = values;
  }

  /**
   * @param sharesAndValues share, value, share, value ...: from share 0 to share 1, both ascending
   */
  static Quantiles of(double... sharesAndValues) {
    int count = sharesAndValues.length / 2;
    double[] shares = new double[count];
    double[] values = new double[count];
    for (int i = 0; i < count; i++) {
      shares[i] = sharesAndValues[2 * i];
      values[i] = sharesAndValues[2 * i + 1];
    }
    return new Quantiles(shares, values);
  }

  /** The value that this share of the distribution is below, 0 to 1. */
  double at(double share) {
    int upper = 1;
    while (upper < shares.length - 1 && shares[upper] < share) {
      upper++;
    }
    double width = shares[upper] - shares[upper - 1];
    double part = Math.min(1, Math.max(0, (share - shares[upper - 1]) / width));
    return values[upper - 1] * Math.pow(values[upper] / values[upper - 1], part);
  }
}
