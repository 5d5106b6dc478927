// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class CongestionTest {

  private static double together(double seconds, Long... recent) {
    return Congestion.readers(0, List.of(recent), seconds);
  }

  @Test
  void aSteadyRateTellsHowManyReadAtOnce() {
    assertEquals(2, Congestion.readers(0.5, List.of(), 4));
  }

  @Test
  void theMedianOfCrowdsCounts() {
    // With each so many came within a second: 3, 2, 1 and 3, 2, 1.
    assertEquals(2, together(1, 90_200L, 90_100L, 90_000L, 50_200L, 50_100L, 50_000L));
    assertEquals(7, Congestion.readers(7, List.of(90_100L, 90_000L, 50_100L, 50_000L), 1));
  }

  @Test
  void oneCrowdIsNone() {
    assertEquals(0, together(1, 90_300L, 90_200L, 90_100L, 90_000L));
    assertEquals(0, together(1, 90_300L, 90_200L, 50_000L));
  }

  @Test
  void whoComesWhenAReadHasEndedIsNotTogetherWithIt() {
    assertEquals(0, together(1, 3000L, 2000L, 1000L, 0L));
    assertEquals(2, together(1.001, 3000L, 2000L, 1000L, 0L));
  }

  @Test
  void theNextCrowdBeginsWhenTheReadsOfTheOneBeforeHaveEnded() {
    assertEquals(2, together(1, 2000L, 1999L, 1000L, 999L));
    assertEquals(0, together(1, 2000L, 1999L, 1001L, 1000L));
  }
}
