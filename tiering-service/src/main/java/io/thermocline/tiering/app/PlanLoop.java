// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.tiering.config.Interval;
import io.thermocline.tiering.config.PlanTimes;
import java.io.IOException;
import java.time.Duration;
import java.util.function.LongSupplier;

/** Has plans made from time to time, and what people order done in between, until the service is drained. */
final class PlanLoop {

  /** From one look at the logs to the next, until they were read to their ends. */
  private static final long LOOK_NANOS = 200_000_000L;

  /** After this time the first plan begins though the logs weren't read to their ends. */
  private static final long HEARS_WITHIN_NANOS = 300_000_000_000L;

  /** What the loop asks, and has done. */
  interface Work {
    boolean isDraining();

    /**
     * Does what somebody orders, should that come within this time.
     *
     * @return whether something was done; false at once where it is woken for nothing
     */
    boolean awaitOrder(long nanos) throws IOException, InterruptedException;

    /** Whether the logs were read to their ends. */
    boolean hasHeard();

    /**
     * Makes a plan, and returns when it is carried out.
     *
     * @return how long listing and deciding took
     */
    Duration plan() throws IOException, InterruptedException;

    /** A plan or an order broke off. */
    void failed(Throwable why);
  }

  private final Interval interval;
  private final LongSupplier nanos;
  private final Work work;

  PlanLoop(Interval interval, LongSupplier nanos, Work work) {
    this.interval = interval;
    this.nanos = nanos;
    this.work = work;
  }

  /** Returns when the service is drained. */
  void run() throws InterruptedException {
    PlanTimes times = new PlanTimes(interval);
    long began = nanos.getAsLong();
    long due = began;
    while (!work.isDraining()) {
      try {
        boolean isDone = work.awaitOrder(due - nanos.getAsLong());
        long now = nanos.getAsLong();
        if (isDone || now < due || work.isDraining()) {
          continue;
        }
        if (!work.hasHeard()
            && now - began < Math.min(interval.most().toNanos(), HEARS_WITHIN_NANOS)) {
          due = now + LOOK_NANOS;
          continue;
        }
        due = now + times.afterFailure().toNanos();
        due = now + times.after(work.plan()).toNanos();
      } catch (IOException | RuntimeException | StackOverflowError e) {
        work.failed(e);
      }
    }
  }
}
