// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.rules;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Set;

/**
 * Times of the week. Immutable.
 *
 * @param days on which it opens
 * @param from when it opens
 * @param to when it closes, not itself in it; on the next day where it isn't after {@code from}
 */
public record Window(Set<DayOfWeek> days, LocalTime from, LocalTime to, ZoneId zone) {

  public Window {
    days = Set.copyOf(days);
  }

  /** Whether it is open. */
  public boolean contains(Instant now) {
    ZonedDateTime local = now.atZone(zone);
    LocalTime time = local.toLocalTime();
    DayOfWeek today = local.getDayOfWeek();
    if (from.isBefore(to)) {
      return days.contains(today) && !time.isBefore(from) && time.isBefore(to);
    }
    return days.contains(today) && !time.isBefore(from)
        || days.contains(today.minus(1)) && time.isBefore(to);
  }
}
