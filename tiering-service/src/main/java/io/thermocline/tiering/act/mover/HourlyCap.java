// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act.mover;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** So much of something in an hour, which begins with the first of it. Thread-safe. */
final class HourlyCap {

  private static final Duration HOUR = Duration.ofHours(1);

  private final long most;
  private final String what;
  private final InstantSource clock;
  private Instant begin = Instant.MIN;
  private long used;
  private boolean refused;

  /**
   * @param what it is, with its amount, for messages: "150 bytes"
   */
  HourlyCap(long most, String what, InstantSource clock) {
    this.most = most;
    this.what = what;
    this.clock = clock;
  }

  /** Whether so much may be taken in any hour. */
  boolean admits(long amount) {
    return amount <= most;
  }

  /** Takes so much; in words, why it may not be taken now, where that is so. */
  synchronized Optional<String> take(long amount) {
    roll();
    refused = amount > most - used;
    if (refused) {
      return Optional.of(spent());
    }
    used += amount;
    return Optional.empty();
  }

  /** Gives back what was not needed after all. */
  synchronized void giveBack(long amount) {
    used = Math.max(0, used - amount);
  }

  /** What it is, with its amount. */
  String what() {
    return what;
  }

  /** In words, why what was asked for last may not be; empty where it may by now. */
  synchronized String spent() {
    roll();
    return refused
        ? "the mover's cap of "
            + what
            + " an hour is used up until "
            + begin.plus(HOUR).truncatedTo(ChronoUnit.SECONDS)
        : "";
  }

  private void roll() {
    Instant now = clock.instant();
    // A clock that is set back begins an hour, too.
    if (now.isBefore(begin) || !now.isBefore(begin.plus(HOUR))) {
      begin = now;
      used = 0;
      refused = false;
    }
  }
}
