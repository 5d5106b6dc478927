// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

/**
 * A budget of so much a second. What was saved up serves for a while at most; what is taken may
 * exceed what there is and is then waited for: so one thing larger than a second's budget still
 * gets through. Not thread-safe.
 *
 * <p>Pure: it is told the time, monotonic nanoseconds.
 */
final class TokenBucket {

  private static final double NANOS_PER_SECOND = 1e9;

  private final double perSecond;
  private final double most;
  private double saved;
  private long asOfNanos;

  /**
   * @param perSecond of whatever is counted; positive
   * @param savedSeconds for how long it is saved up
   */
  TokenBucket(double perSecond, double savedSeconds, long nowNanos) {
    if (!(perSecond > 0)) {
      throw new IllegalArgumentException("a budget of " + perSecond + " a second: expected some");
    }
    this.perSecond = perSecond;
    this.most = perSecond * savedSeconds;
    this.saved = most;
    this.asOfNanos = nowNanos;
  }

  void take(double amount, long nowNanos) {
    refill(nowNanos);
    saved -= amount;
  }

  /** How long until what was taken is paid for; 0 where more may be taken now. */
  long nanosUntilPaid(long nowNanos) {
    refill(nowNanos);
    return saved >= 0 ? 0 : (long) Math.ceil(-saved / perSecond * NANOS_PER_SECOND);
  }

  private void refill(long nowNanos) {
    double since = Math.max(0, nowNanos - asOfNanos) / NANOS_PER_SECOND;
    saved = Math.min(most, saved + since * perSecond);
    asOfNanos = nowNanos;
  }
}
