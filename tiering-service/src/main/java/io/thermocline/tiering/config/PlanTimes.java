// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.config;

import java.time.Duration;

/**
 * When plans begin: the first few soon after one another, the others as the {@link Interval} says. The service and the
 * simulator go by it.
 */
public final class PlanTimes {

  /**
   * From the first plan to the second. Later pauses double until they are as long as configured: a service that has just
   * been set up soon says something.
   */
  private static final Duration FIRST = Duration.ofSeconds(15);

  private final Interval interval;
  private Duration pause;

  public PlanTimes(Interval interval) {
    this.interval = interval;
    this.pause = shorter(interval.least(), FIRST);
  }

  /** From the start of a plan that broke off to the start of the next. */
  public Duration afterFailure() {
    return pause;
  }

  /**
   * From the start of a plan to the start of the next.
   *
   * @param planning how long listing and deciding took
   */
  public Duration after(Duration planning) {
    Duration rest = interval.after(planning);
    Duration next = rest.compareTo(pause) > 0 ? rest : pause;
    pause = shorter(interval.least(), pause.multipliedBy(2));
    return next;
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
