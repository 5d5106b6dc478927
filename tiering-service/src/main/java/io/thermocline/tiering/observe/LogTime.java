// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneId;

/**
 * Reads the time at the start of a log line, {@code 2026-11-20 19:33:39,065}, as log4j's ISO8601 and
 * ABSOLUTE-with-date layouts write it: local time of the host that wrote it. Remembers the last hour, so that the
 * calendar is asked once an hour of log. Not thread-safe.
 */
final class LogTime {

  /** There was no time. */
  static final long NONE = Long.MIN_VALUE;

  private static final int LENGTH = 23;

  private final ZoneId zone;
  private long hourStart;
  private long hourEnd;
  private long hourMillis;

  /** Of the last line its "2026-11-20 19:33:39", in words that overlap, and what it says. */
  private long date;

  private long clock;
  private long end;
  private long secondMillis = NONE;

  LogTime(ZoneId zone) {
    this.zone = zone;
  }

  /** Milliseconds since 1970, or {@link #NONE}. */
  long parse(byte[] b, int from, int to) {
    if (to - from < LENGTH || b[from + 13] != ':' || b[from + 16] != ':') {
      return NONE;
    }
    long dateNow = ByteSearch.longAt(b, from);
    long clockNow = ByteSearch.longAt(b, from + 8);
    long endNow = ByteSearch.longAt(b, from + 11);
    if (secondMillis == NONE || ((dateNow ^ date) | (clockNow ^ clock) | (endNow ^ end)) != 0) {
      secondMillis = second(b, from);
      date = dateNow;
      clock = clockNow;
      end = endNow;
    }
    int milli = b[from + 19] == ',' || b[from + 19] == '.' ? number(b, from + 20, 3) : -1;
    return secondMillis == NONE || milli < 0 ? NONE : secondMillis + milli;
  }

  private long second(byte[] b, int from) {
    // The first 13 bytes, "2026-11-20 19", in two words that overlap.
    long start = ByteSearch.longAt(b, from);
    long hourNow = ByteSearch.longAt(b, from + 5);
    if (start != hourStart || hourNow != hourEnd) {
      long millis = hour(b, from);
      if (millis == NONE) {
        return NONE;
      }
      hourStart = start;
      hourEnd = hourNow;
      hourMillis = millis;
    }
    int minute = number(b, from + 14, 2);
    int second = number(b, from + 17, 2);
    if ((minute | second) < 0 || minute > 59 || second > 60) {
      return NONE;
    }
    return hourMillis + minute * 60_000L + second * 1000L;
  }

  private long hour(byte[] b, int from) {
    int year = number(b, from, 4);
    int month = number(b, from + 5, 2);
    int day = number(b, from + 8, 2);
    int hour = number(b, from + 11, 2);
    boolean separated =
        b[from + 4] == '-' && b[from + 7] == '-' && (b[from + 10] == ' ' || b[from + 10] == 'T');
    if (!separated || (year | month | day | hour) < 0) {
      return NONE;
    }
    try {
      return LocalDateTime.of(year, month, day, hour, 0).atZone(zone).toInstant().toEpochMilli();
    } catch (DateTimeException e) {
      return NONE;
    }
  }

  /** Negative where one is no digit. */
  private static int number(byte[] b, int from, int digits) {
    int value = 0;
    for (int i = from; i < from + digits; i++) {
      int digit = b[i] - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      value = value * 10 + digit;
    }
    return value;
  }
}
