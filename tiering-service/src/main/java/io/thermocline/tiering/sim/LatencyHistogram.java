// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim;

/** Latencies in classes of 1 %, from a nanosecond to some years. */
final class LatencyHistogram {
  private static final double LEAST = 1e-9;
  private static final double LOG_STEP = Math.log(1.01);
  private static final int CLASSES = 4_200;

  private final long[] counts = new long[CLASSES];
  private long count;
  private double sum;

  void add(double seconds) {
    double steps = Math.log(Math.max(LEAST, seconds) / LEAST) / LOG_STEP;
    counts[(int) Math.min(CLASSES - 1, steps)]++;
    count++;
    sum += seconds;
  }

  /** NaN where there was none. */
  double mean() {
    return sum / count;
  }

  /**
   * The least upper end of a class that has at least the share below it; NaN where there was none.
   *
   * @param share above 0, to 1
   */
  double quantile(double share) {
    long wanted = (long) Math.ceil(share * count);
    long below = 0;
    for (int i = 0; i < CLASSES; i++) {
      below += counts[i];
      if (below >= wanted && below > 0) {
        return LEAST * Math.exp((i + 1) * LOG_STEP);
      }
    }
    return Double.NaN;
  }
}
