// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.workload;

/**
 * Sizes for a testbed: real sizes times one factor, clamped, with a given sum.
 *
 * @param smallest bytes of the smallest file
 * @param largest bytes of the largest file
 * @param total bytes that all files should have together
 */
record SizeFit(long smallest, long largest, long total) {

  // Real sizes go to 10^13; 200 halvings of the factor's logarithm leave less than a byte of doubt.
  private static final double WIDEST = 1e18;
  private static final int HALVINGS = 200;

  /**
   * The factor with which the clamped sizes sum to the total, as nearly as rounding allows.
   *
   * @throws IllegalArgumentException if even clamped to the limits they can't
   */
  double factor(double[] sizes) {
    if (sum(sizes, 1 / WIDEST) > total) {
      throw new IllegalArgumentException(
          "%d files of at least %d bytes don't fit into %d bytes: take fewer files"
              .formatted(sizes.length, smallest, total));
    }
    if (sum(sizes, WIDEST) < total) {
      throw new IllegalArgumentException(
          "%d files of at most %d bytes don't fill %d bytes: take more files or a smaller total"
              .formatted(sizes.length, largest, total));
    }
    double low = -Math.log(WIDEST);
    double high = Math.log(WIDEST);
    for (int i = 0; i < HALVINGS; i++) {
      double middle = (low + high) / 2;
      if (sum(sizes, Math.exp(middle)) < total) {
        low = middle;
      } else {
        high = middle;
      }
    }
    // The upper end: there the rounded sizes reach the total.
    return Math.exp(high);
  }

  long scaled(double size, double factor) {
    return Math.max(smallest, Math.min(largest, Math.round(size * factor)));
  }

  private long sum(double[] sizes, double factor) {
    long sum = 0;
    for (double size : sizes) {
      sum += scaled(size, factor);
    }
    return sum;
  }
}
