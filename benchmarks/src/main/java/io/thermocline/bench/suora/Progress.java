// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.suora;

import java.util.Locale;
import java.util.function.LongSupplier;

/** Says how far the benchmark is and how long the rest will take, at most every few seconds. One thread. */
final class Progress {
  private static final double EVERY_SECONDS = 5;

  private final long all;
  private final LongSupplier nanos;
  private final long start;
  private long done;
  private double saidAt;

  /**
   * @param all the work there is, in any unit
   * @param nanos monotonic
   */
  Progress(long all, LongSupplier nanos) {
    this.all = all;
    this.nanos = nanos;
    this.start = nanos.getAsLong();
  }

  void done(long work, String what) {
    done += work;
    double seconds = (nanos.getAsLong() - start) / 1e9;
    if (seconds - saidAt >= EVERY_SECONDS) {
      saidAt = seconds;
      System.out.printf(
          Locale.ROOT,
          "%.0f %%, up to %s; about %.0f s left%n",
          100.0 * done / all,
          what,
          seconds * (all - done) / done);
    }
  }
}
