// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * When moves may begin: days of the week and times of day in a time zone. Immutable and pure.
 *
 * <p>Written as {@code mon-fri 20:00-06:00}, {@code sat,sun 00:00-24:00} or {@code daily 01:00-05:00}; one that ends
 * before it begins ends on the next day, and counts by the day on which it begins.
 *
 * @param windows none: always open
 */
public record Windows(List<Window> windows, ZoneId zone) {

  private static final Pattern FORM =
      Pattern.compile("([a-z,-]+) +(\\d{2}:\\d{2})-(\\d{2}:\\d{2})");
  private static final List<String> DAYS = List.of("mon", "tue", "wed", "thu", "fri", "sat", "sun");
  private static final int LOOK_AHEAD_DAYS = 8;

  /**
   * @param to where not after from, on the next day
   */
  public record Window(Set<DayOfWeek> days, LocalTime from, LocalTime to) {}

  public Windows {
    windows = List.copyOf(windows);
  }

  /** Always open. */
  public static Windows always() {
    return new Windows(List.of(), ZoneId.of("UTC"));
  }

  /**
   * @param texts none: always open
   * @throws IllegalArgumentException with what is wrong in which of them
   */
  public static Windows of(List<String> texts, ZoneId zone) {
    List<Window> windows = new ArrayList<>();
    for (String text : texts) {
      windows.add(window(text));
    }
    return new Windows(windows, zone);
  }

  /** Why nothing may begin at this moment; empty where it may. */
  public Optional<String> closed(Instant now) {
    if (windows.isEmpty()) {
      return Optional.empty();
    }
    Instant opens = null;
    LocalDate today = now.atZone(zone).toLocalDate();
    for (Window window : windows) {
      for (int day = -1; day <= LOOK_AHEAD_DAYS; day++) {
        LocalDate date = today.plusDays(day);
        if (!window.days().contains(date.getDayOfWeek())) {
          continue;
        }
        Instant begin = date.atTime(window.from()).atZone(zone).toInstant();
        boolean isOvernight = !window.to().isAfter(window.from());
        Instant end =
            date.plusDays(isOvernight ? 1 : 0).atTime(window.to()).atZone(zone).toInstant();
        if (!now.isBefore(begin) && now.isBefore(end)) {
          return Optional.empty();
        }
        if (begin.isAfter(now) && (opens == null || begin.isBefore(opens))) {
          opens = begin;
        }
      }
    }
    return Optional.of(
        "outside act.windows, the next opens at "
            + (opens == null ? "no time" : opens.atZone(zone).toOffsetDateTime())
            + (opens == null ? "" : ", in " + words(Duration.between(now, opens))));
  }

  private static String words(Duration wait) {
    return wait.toHours() >= 1 ? wait.toHours() + " h" : wait.toMinutes() + " min";
  }

  private static Window window(String text) {
    Matcher matcher = FORM.matcher(text.trim().toLowerCase(Locale.ROOT));
    if (matcher.matches()) {
      Set<DayOfWeek> days = days(matcher.group(1));
      LocalTime from = time(matcher.group(2));
      // 24:00 is the next day's midnight.
      LocalTime to = matcher.group(3).equals("24:00") ? LocalTime.MIDNIGHT : time(matcher.group(3));
      if (days != null && from != null && to != null) {
        return new Window(days, from, to);
      }
    }
    throw new IllegalArgumentException(
        "expected days and times like 'mon-fri 20:00-06:00', found '" + text + "'");
  }

  /** Null where it isn't one. */
  private static LocalTime time(String text) {
    try {
      return LocalTime.parse(text);
    } catch (DateTimeException e) {
      return null;
    }
  }

  /** Null where these aren't days. */
  private static Set<DayOfWeek> days(String text) {
    if (text.equals("daily")) {
      return EnumSet.allOf(DayOfWeek.class);
    }
    Set<DayOfWeek> days = EnumSet.noneOf(DayOfWeek.class);
    for (String part : text.split(",", -1)) {
      String[] ends = part.split("-", -1);
      int first = DAYS.indexOf(ends[0]);
      int last = DAYS.indexOf(ends[ends.length - 1]);
      if (first < 0 || last < 0 || ends.length > 2) {
        return null;
      }
      for (int day = first; ; day = (day + 1) % DAYS.size()) {
        days.add(DayOfWeek.of(day + 1));
        if (day == last) {
          break;
        }
      }
    }
    return days;
  }
}
