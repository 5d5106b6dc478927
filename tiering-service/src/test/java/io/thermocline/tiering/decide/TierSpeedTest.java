// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TierSpeedTest {

  @Test
  void aCopyIsReadAndWritten() {
    TierSpeed from = new TierSpeed(10, 5, 0.5);
    TierSpeed to = new TierSpeed(100, 50, 0);

    assertEquals(10.5, from.toRead(100));
    assertEquals(12.5, from.toCopy(to, 100));
  }

  @ParameterizedTest
  @CsvSource({"0, 1, 0", "1, 0, 0", "1, 1, -0.1", "NaN, 1, 0", "1, NaN, 0", "1, 1, NaN"})
  void refusesOthers(double read, double write, double latency) {
    assertThrows(IllegalArgumentException.class, () -> new TierSpeed(read, write, latency));
  }
}
