// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HeatSettingsTest {

  private static final Duration HOUR = Duration.ofHours(1);

  @Test
  void growWithTheNumberOfFiles() {
    assertEquals(
        new HeatSettings(HOUR, 1 << 16, 1_000, 1_000, 1_000), HeatSettings.forFiles(HOUR, 1));
    assertEquals(
        new HeatSettings(HOUR, 1_900_000, 50_000, 50_000, 50_000),
        HeatSettings.forFiles(HOUR, 500_000));
    assertEquals(
        new HeatSettings(HOUR, 3_800_000_000L, 100_000, 10_000_000, 100_000),
        HeatSettings.forFiles(HOUR, 1_000_000_000));
  }

  @Test
  void takeTheSmallestValues() {
    Duration second = Duration.ofSeconds(1);
    assertEquals(second, new HeatSettings(second, 1 << 16, 1, 1, 1).halfLife());
  }

  @ParameterizedTest
  @CsvSource({"999, 1, 1, 1", "1000, 0, 1, 1", "1000, 1, 0, 1", "1000, 1, 1, 0"})
  void refuseOthers(long halfLifeMillis, int candidates, int directories, int renames) {
    assertThrows(
        IllegalArgumentException.class,
        () ->
            new HeatSettings(
                Duration.ofMillis(halfLifeMillis), 1 << 16, candidates, directories, renames));
  }
}
