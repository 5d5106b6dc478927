// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.time.Duration;

/**
 * When to look again. Soon after something was seen, more and more seldom while nothing is, and never so often that
 * looking takes more than a tenth of the time. Pure, not thread-safe.
 */
final class Cadence {

  private static final int SHARE = 9;

  private final long least;
  private final long most;
  private long interval;
  private long dueNanos;
  private long soonestNanos;

  Cadence(Duration least, Duration most, long nowNanos) {
    this.most = most.toNanos();
    this.least = Math.min(least.toNanos(), this.most);
    this.interval = this.least;
    this.dueNanos = nowNanos;
    this.soonestNanos = nowNanos;
  }

  /** How long until the next look is due; 0 where it is. */
  long nanosUntilDue(long nowNanos) {
    return Math.max(0, dueNanos - nowNanos);
  }

  /** Something changed, so that there may be more to see soon. */
  void stir(long nowNanos) {
    interval = least;
    dueNanos = Math.max(soonestNanos, Math.min(dueNanos, nowNanos + least));
  }

  /**
   * @param sawChange whether looking brought anything
   */
  void looked(long beganNanos, long nowNanos, boolean sawChange) {
    interval = sawChange ? least : Math.min(most, interval * 2);
    soonestNanos = nowNanos + Math.min(most, SHARE * (nowNanos - beganNanos));
    dueNanos = Math.max(soonestNanos, nowNanos + interval);
  }
}
