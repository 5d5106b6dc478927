// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.workload;

/**
 * File sizes shaped after Facebook's Hadoop trace of 2010 (SWIM, FB-2010, its first twelve hours).
 *
 * <p>The quantiles are those of the 9,056 input files, each with the largest size seen; 522 of them
 * are empty. From the 10 % to the 95 % quantile they span a factor of 3 * 10^8, which a testbed of a
 * few hundred MB can't: so logarithms are compressed by the one factor that maps this span onto the
 * allowed sizes. Order and shape stay: few files hold most bytes, most files are small.
 */
final class Fb2010Sizes {

  static final long SMALLEST = 4 * 1024;
  static final long LARGEST = 2 * 1024 * 1024;

  static final String DESCRIPTION =
      "Logarithms of the sizes are compressed to 4 KiB to 2 MiB, and what lies outside is clamped.";

  private static final double P10 = 302;
  private static final double P95 = 92_354_713_321.0;
  private static final double LARGEST_SEEN = 5_132_832_504_622.0;

  private static final Quantiles SIZES =
      Quantiles.of(
          0,
          1,
          0.1,
          P10,
          0.25,
          2_729,
          0.5,
          667_147,
          0.75,
          317_660_260,
          0.9,
          18_779_205_759.0,
          0.95,
          P95,
          0.99,
          1_113_947_941_879.0,
          1,
          LARGEST_SEEN);

  private static final double COMPRESSION =
      Math.log((double) LARGEST / SMALLEST) / Math.log(P95 / P10);

  private Fb2010Sizes() {}

  /**
   * Sizes in ascending order, at equal distances of the distribution, so that they vary with nothing
   * but their number and total.
   */
  static long[] sizes(int files, long totalBytes) {
    double[] compressed = new double[files];
    for (int i = 0; i < files; i++) {
      compressed[i] = Math.pow(SIZES.at((i + 0.5) / files), COMPRESSION);
    }
    SizeFit fit = new SizeFit(SMALLEST, LARGEST, totalBytes);
    double factor = fit.factor(compressed);
    long[] sizes = new long[files];
    for (int i = 0; i < files; i++) {
      sizes[i] = fit.scaled(compressed[i], factor);
    }
    return sizes;
  }
}
