// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HintTimesTest {

  private static final ZoneId ZONE = ZoneId.of("Europe/Vienna");

  /** 21:30 in Vienna. */
  private static final long NOW = millis("2026-11-24T20:30:00Z");

  @ParameterizedTest
  @CsvSource({
    "22:00, 2026-11-24T21:00:00Z",
    "06:00, 2026-11-25T05:00:00Z",
    "21:30, 2026-11-25T20:30:00Z",
    "2026-11-26T06:00, 2026-11-26T05:00:00Z",
    "2026-11-26T06:00Z, 2026-11-26T06:00:00Z",
    "2026-11-26T06:00+05:00, 2026-11-26T01:00:00Z",
  })
  void aTimeOfDayIsTheNextOne(String text, String expected) {
    assertEquals(millis(expected), HintTimes.parse("-at", text, NOW, ZONE));
  }

  @ParameterizedTest
  @CsvSource({
    "25:00, -at is '25:00'; allowed",
    "six, -at is 'six'; allowed",
    "2026-11-24T21:30, in the past",
    "2020-01-01T00:00Z, in the past",
  })
  void saysWhatIsWrong(String text, String expected) {
    UsageException wrong =
        assertThrows(UsageException.class, () -> HintTimes.parse("-at", text, NOW, ZONE));
    assertTrue(wrong.getMessage().contains(expected), wrong::getMessage);
  }

  @Test
  void beginsAsLongBeforeAsTheBytesTake() {
    long by = NOW + 3_600_000;
    long tenMinutes = 600 * HintTimes.BYTES_PER_SECOND;
    assertEquals(by - 900_000, HintTimes.startFor(by, tenMinutes, NOW));
    assertEquals(NOW, HintTimes.startFor(by, 6 * tenMinutes, NOW), "it is late already");
  }

  @ParameterizedTest
  @CsvSource({
    "20, 10, 30, after -by",
    "40, 0, 30, give a longer -lease",
    "0, 30, 30, give a longer -lease",
  })
  void refusesWhatCannotBe(long at, long by, long expiry, String expected) {
    HintTimes.check(10, 20, 30);
    HintTimes.check(0, 0, 30);
    UsageException wrong =
        assertThrows(UsageException.class, () -> HintTimes.check(at, by, expiry));
    assertTrue(wrong.getMessage().contains(expected), wrong::getMessage);
  }

  private static long millis(String instant) {
    return Instant.parse(instant).toEpochMilli();
  }
}
