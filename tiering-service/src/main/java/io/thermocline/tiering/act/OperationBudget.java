// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Calls of the NameNode that all acting may make a second; who would make more waits.
 * Thread-safe.
 */
public final class OperationBudget {

  private TokenBucket calls;
  private final LongSupplier nanos;
  private final Pause pause;
  private long made;

  /**
   * @param perSecond infinite: without bounds
   */
  public OperationBudget(double perSecond, LongSupplier nanos, Pause pause) {
    this.nanos = nanos;
    this.pause = pause;
    limit(perSecond);
  }

  /** As many from now on; who waits already goes on when that is paid for. */
  public final synchronized void limit(double perSecond) {
    calls = Double.isInfinite(perSecond) ? null : new TokenBucket(perSecond, 1, nanos.getAsLong());
  }

  /** Without bounds. */
  public static OperationBudget unlimited() {
    return new OperationBudget(Double.POSITIVE_INFINITY, () -> 0, wait -> {});
  }

  /**
   * Waits until one more call is paid for. Returns at once where the thread is interrupted: the
   * call will see it.
   */
  public void take() {
    take(1);
  }

  /** The same of several, or of as many bytes where it is those that are counted. */
  public void take(long amount) {
    long wait;
    synchronized (this) {
      made += amount;
      if (calls == null) {
        return;
      }
      calls.take(amount, nanos.getAsLong());
      wait = calls.nanosUntilPaid(nanos.getAsLong());
    }
    if (wait > 0) {
      try {
        pause.pause(Duration.ofNanos(wait));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Calls so far. */
  public synchronized long made() {
    return made;
  }
}
