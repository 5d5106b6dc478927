// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe.image;

import java.util.function.LongSupplier;

/**
 * How much of the work is done, in bytes of the file as often as they are read, weighed by what a byte costs in each
 * pass. One thread begins passes, any may ask.
 */
final class Steps {
  private final LongSupplier nanos;
  private final double total;
  private final long started;
  private volatile Pass pass;

  private record Pass(double before, double weight, FileRange range, long from) {
    double done() {
      return range == null ? before : before + weight * (range.taken() - from);
    }
  }

  /** @param total of all passes, each byte by its weight */
  Steps(LongSupplier nanos, double total) {
    this.nanos = nanos;
    this.total = Math.max(1, total);
    this.started = nanos.getAsLong();
    this.pass = new Pass(0, 1, null, 0);
  }

  /** The pass before is at its end. */
  void begin(FileRange range, double weight) {
    pass = new Pass(pass.done(), weight, range, range.taken());
  }

  double share() {
    return Math.min(1, pass.done() / total);
  }

  /** NaN while nothing was done. */
  double secondsLeft() {
    double share = share();
    double elapsed = (nanos.getAsLong() - started) / 1e9;
    return share == 0 ? Double.NaN : elapsed * (1 - share) / share;
  }
}
