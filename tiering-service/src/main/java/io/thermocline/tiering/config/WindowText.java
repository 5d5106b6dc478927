// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.config;

import io.thermocline.tiering.rules.Window;
import java.time.DayOfWeek;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.TextStyle;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Times of the week as text: {@code Mon-Fri 22:00-06:00}, {@code Sat,Sun 00:00-24:00}, {@code
 * 01:00-05:00}.
 */
final class WindowText {

  private static final Pattern FORM =
      Pattern.compile("(?:([A-Za-z,-]+) +)?(\\d\\d:\\d\\d) *- *(\\d\\d:\\d\\d)");

  private WindowText() {}

  /**
   * @throws IllegalArgumentException where it is none
   */
  static Window parse(String text, ZoneId zone) {
    Matcher form = FORM.matcher(text.trim());
    if (!form.matches()) {
      throw new IllegalArgumentException(text);
    }
    Set<DayOfWeek> days =
        form.group(1) == null ? EnumSet.allOf(DayOfWeek.class) : days(form.group(1));
    return new Window(days, time(form.group(2)), time(form.group(3)), zone);
  }

  private static Set<DayOfWeek> days(String text) {
    Set<DayOfWeek> days = EnumSet.noneOf(DayOfWeek.class);
    for (String part : text.split(",")) {
      String[] ends = part.split("-", -1);
      if (ends.length > 2) {
        throw new IllegalArgumentException(text);
      }
      DayOfWeek last = day(ends[ends.length - 1]);
      DayOfWeek day = day(ends[0]);
      days.add(day);
      while (day != last) {
        day = day.plus(1);
        days.add(day);
      }
    }
    return days;
  }

  private static DayOfWeek day(String name) {
    for (DayOfWeek day : DayOfWeek.values()) {
      if (day.getDisplayName(TextStyle.SHORT, Locale.ROOT).equalsIgnoreCase(name)
          || day.name().equalsIgnoreCase(name)) {
        return day;
      }
    }
    throw new IllegalArgumentException(name);
  }

  /** The end of a day is the beginning of the next. */
  private static LocalTime time(String text) {
    if (text.equals("24:00")) {
      return LocalTime.MIDNIGHT;
    }
    try {
      return LocalTime.parse(text);
    } catch (java.time.DateTimeException e) {
      throw new IllegalArgumentException(text, e);
    }
  }
}
