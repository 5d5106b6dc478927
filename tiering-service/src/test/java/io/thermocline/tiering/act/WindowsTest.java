// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WindowsTest {

  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  /** Nights that begin Monday to Friday, and all of Sunday. 2026-11-20 is a Friday. */
  private final Windows windows =
      Windows.of(List.of("mon-fri 20:00-06:00", "sun 00:00-24:00"), BERLIN);

  @Test
  void countsANightByTheDayOnWhichItBegins() {
    assertFalse(isOpen("2026-11-20T19:59"));
    assertTrue(isOpen("2026-11-20T20:00"));
    assertTrue(isOpen("2026-11-21T05:59"), "Friday's night");
    assertFalse(isOpen("2026-11-21T06:00"));
    assertFalse(isOpen("2026-11-21T21:00"), "Saturday has none");
    assertTrue(isOpen("2026-11-22T00:00"));
    assertTrue(isOpen("2026-11-22T23:59"));
    assertFalse(isOpen("2026-11-23T00:00"), "Sunday's ends at midnight");
  }

  @Test
  void saysWhenTheNextOneOpens() {
    assertEquals(
        "outside act.windows, the next opens at 2026-11-20T20:00+01:00, in 30 min",
        windows.closed(at("2026-11-20T19:30")).orElseThrow());
    assertEquals(
        "outside act.windows, the next opens at 2026-11-22T00:00+01:00, in 18 h",
        windows.closed(at("2026-11-21T06:00")).orElseThrow());
  }

  @Test
  void followsTheZonesClocks() {
    Windows early = Windows.of(List.of("daily 01:30-03:30"), BERLIN);
    // On 2026-10-25 the clocks go back from 3 to 2 o'clock: three hours pass.
    assertTrue(early.closed(Instant.parse("2026-10-24T23:30:00Z")).isEmpty());
    assertTrue(early.closed(Instant.parse("2026-10-25T02:29:00Z")).isEmpty());
    assertFalse(early.closed(Instant.parse("2026-10-25T02:30:00Z")).isEmpty());
  }

  @Test
  void isAlwaysOpenWithoutAny() {
    assertTrue(Windows.always().closed(Instant.EPOCH).isEmpty());
    assertTrue(Windows.of(List.of(), BERLIN).closed(Instant.EPOCH).isEmpty());
  }

  @Test
  void goesRoundTheWeekAndTakesLists() {
    Windows round = Windows.of(List.of("fri-mon,wed 10:00-11:00"), BERLIN);
    for (int day = 16; day <= 22; day++) {
      boolean isOpen = round.closed(at("2026-11-" + day + "T10:30")).isEmpty();
      assertEquals(day != 17 && day != 19, isOpen, "November " + day);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "mon",
        "20:00-06:00",
        "mon-fri",
        "monday 20:00-06:00",
        "mon-tue-wed 20:00-06:00",
        "mon 20-06",
        "mon 25:00-06:00",
        "mon 24:00-06:00",
        "mon, 20:00-21:00"
      })
  void saysWhatIsNoWindow(String text) {
    IllegalArgumentException refusal =
        assertThrows(IllegalArgumentException.class, () -> Windows.of(List.of(text), BERLIN));
    assertTrue(refusal.getMessage().endsWith("found '" + text + "'"), refusal.getMessage());
  }

  private boolean isOpen(String local) {
    return windows.closed(at(local)).isEmpty();
  }

  private static Instant at(String local) {
    return LocalDateTime.parse(local).atZone(BERLIN).toInstant();
  }
}
