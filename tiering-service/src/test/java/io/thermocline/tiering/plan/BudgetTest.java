// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BudgetTest {
  private static final long GB = 1L << 30;

  @Test
  void growsWithTheClusterUpToWhatAPersonCanApprove() {
    Budget shipped = new Budget(1_000, 100 * GB, 0.95, 100, 10 * GB);

    assertEquals(new Budget(1_000, 100 * GB, 0.95), shipped.in(3));
    assertEquals(new Budget(4_000, 400 * GB, 0.95), shipped.in(40));
    assertEquals(new Budget(10_000, 10_000 * GB, 0.95), shipped.in(1_000));
  }

  @Test
  void whatIsConfiguredStays() {
    Budget configured = new Budget(50, GB, 0.95);

    assertEquals(configured, configured.in(1_000));
  }

  @Test
  void takesTheSmallestAndTheLargestValues() {
    assertEquals(new Budget(1, 1, 1, 0, 0), new Budget(1, 1, 1));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1, 0.5, 0, 0",
    "1, 0, 0.5, 0, 0",
    "1, 1, 0, 0, 0",
    "1, 1, 1.01, 0, 0",
    "1, 1, NaN, 0, 0",
    "1, 1, 1, -1, 0",
    "1, 1, 1, 0, -1"
  })
  void refusesOthers(int moves, long bytes, double fill, int movesPerNode, long bytesPerNode) {
    assertThrows(
        IllegalArgumentException.class,
        () -> new Budget(moves, bytes, fill, movesPerNode, bytesPerNode));
  }
}
