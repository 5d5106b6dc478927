// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.cli;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;

/** When a hint begins, as {@code -at} and {@code -by} say it. Stateless. */
final class HintTimes {

  /** Bytes a second that a cluster copies for a hint, carefully. */
  static final long BYTES_PER_SECOND = 50L << 20;

  /** Until a plan is made and its first copy runs. */
  static final Duration HEAD_START = Duration.ofMinutes(5);

  private HintTimes() {}

  /**
   * A moment in milliseconds since 1970.
   *
   * @param text a time of day such as 06:00, which is the next one; or a date and time such as 2026-11-25T06:00, with or
   *     without a zone
   * @throws UsageException where it is neither, or in the past
   */
  static long parse(String option, String text, long nowMillis, ZoneId zone) {
    Instant now = Instant.ofEpochMilli(nowMillis);
    Instant moment;
    try {
      if (text.indexOf('T') < 0) {
        ZonedDateTime today = now.atZone(zone).with(LocalTime.parse(text));
        moment = (today.toInstant().isAfter(now) ? today : today.plusDays(1)).toInstant();
      } else if (text.matches(".*T.*(Z|[+-][0-9:]+)")) {
        moment = ZonedDateTime.parse(text).toInstant();
      } else {
        moment = LocalDateTime.parse(text).atZone(zone).toInstant();
      }
    } catch (DateTimeException e) {
      throw new UsageException(
          option + " is '" + text + "'; allowed: a time such as 06:00 or 2026-11-25T06:00");
    }
    if (!moment.isAfter(now)) {
      throw new UsageException(option + " is " + moment + ", which is in the past");
    }
    return moment.toEpochMilli();
  }

  /**
   * When to begin so that so many bytes are copied by a moment; now where that is over.
   *
   * @return milliseconds since 1970
   */
  static long startFor(long byMillis, long bytes, long nowMillis) {
    long copying = bytes / BYTES_PER_SECOND * 1000 + HEAD_START.toMillis();
    return Math.max(nowMillis, byMillis - copying);
  }

  /**
   * Refuses what can't be.
   *
   * @param atMillis 0: it isn't given; so of by
   * @throws UsageException naming the options that don't fit
   */
  static void check(long atMillis, long byMillis, long expiryMillis) {
    if (atMillis > 0 && byMillis > 0 && atMillis >= byMillis) {
      throw new UsageException(
          "-at is " + Instant.ofEpochMilli(atMillis) + ", after -by, " + at(byMillis));
    }
    if (Math.max(atMillis, byMillis) >= expiryMillis) {
      throw new UsageException(
          (byMillis > 0 ? "-by is " + at(byMillis) : "-at is " + at(atMillis))
              + ", and the lease ends at "
              + at(expiryMillis)
              + ", counted from now: give a longer -lease");
    }
  }

  private static Instant at(long millis) {
    return Instant.ofEpochMilli(millis);
  }
}
