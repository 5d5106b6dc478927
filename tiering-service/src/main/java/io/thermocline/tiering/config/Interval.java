// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.config;

import java.time.Duration;

/**
 * From the start of one plan to the start of the next.
 *
 * @param least at least so long
 * @param most at most so long, unless plans take longer to carry out
 */
public record Interval(Duration least, Duration most) {

  /** Copies come while readers are still there, and listing takes at most a tenth of the time. */
  static final Interval SHORT = new Interval(Duration.ofMinutes(1), Duration.ofHours(1));

  /** For people who approve a plan before the next one takes its place, and for epochs of CHEW. */
  static final Duration STEADY = Duration.ofMinutes(5);

  /** Of the time from plan to plan, one part in so many may go into listing and deciding. */
  private static final int SHARE = 10;

  /** As long after each plan. */
  static Interval always(Duration every) {
    return new Interval(every, every);
  }

  /**
   * What {@link PlanTimes} goes by.
   *
   * @param planning how long listing and deciding took last
   * @return the least time to the next plan after that, where {@link #least} isn't more
   */
  Duration after(Duration planning) {
    Duration rest = planning.multipliedBy(SHARE);
    return rest.compareTo(most) > 0 ? most : rest;
  }
}
