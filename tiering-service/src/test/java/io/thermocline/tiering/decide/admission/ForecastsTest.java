// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** F1 is twice the right forecasts by all right ones, all wrong ones and all reads that came. */
class ForecastsTest {

  private static final double EXACT = 1e-12;

  private final Forecasts forecasts = new Forecasts(2);

  @Test
  void nothingIsRightBeforeAnythingCame() {
    assertEquals(0, forecasts.learnedF1());
    assertEquals(0, forecasts.thresholdF1());
  }

  @Test
  void whatComesWithinTheHorizonIsRight() {
    forecasts.came(Forecasts.HORIZON, 0.5, 1);
    forecasts.came(Math.nextUp(Forecasts.HORIZON), 0.5, 1);
    assertEquals(1, forecasts.learnedF1(), EXACT);
    // Two came: one that was expected by the cut 0.5, one by none.
    forecasts.came(1, 0.05, 1);
    assertEquals(2 / 3.0, forecasts.learnedF1(), EXACT);
    assertEquals(1, forecasts.thresholdF1(), EXACT);
  }

  /** By the cut of 0.9 no forecast is wrong, by that of one tenth both are; of two reads one, of one both. */
  @Test
  void whatDoesNotComeIsWrongByTheCutsItReached() {
    forecasts.came(1, 0.9, 2);
    forecasts.open(1, 0, 0.89, 1);
    forecasts.open(2, 1, 0.1, 1);
    forecasts.expire(Forecasts.HORIZON + 5, key -> key == 1 ? 0 : 1);
    assertEquals(1, forecasts.learnedF1(), EXACT);
    assertEquals(1, forecasts.thresholdF1(), EXACT);

    forecasts.open(3, 10, 0.9, 2);
    forecasts.expire(Forecasts.HORIZON + 10, key -> 10);
    assertEquals(1, forecasts.learnedF1(), EXACT, "its time is not over");
    forecasts.expire(Forecasts.HORIZON + 11, key -> 10);
    assertEquals(2 / 3.0, forecasts.learnedF1(), EXACT);
    assertEquals(2 / 3.0, forecasts.thresholdF1(), EXACT);
  }

  @Test
  void whatWasReadSinceIsSettledAlready() {
    forecasts.came(1, 0.9, 1);
    forecasts.open(1, 0, 0.9, 1);
    forecasts.expire(1e6, key -> 7);
    assertEquals(1, forecasts.learnedF1(), EXACT);
  }

  @Test
  void ofTooManyTheOldestIsForgotten() {
    forecasts.came(1, 0.9, 1);
    for (int key = 1; key <= 3; key++) {
      forecasts.open(key, 0, 0.9, 1);
    }
    forecasts.expire(1e6, key -> 0);
    // One right, two wrong, one came.
    assertEquals(2 / 4.0, forecasts.learnedF1(), EXACT);
  }

  @Test
  void whatWasSeenFades() {
    forecasts.came(1, 0.9, 1);
    forecasts.fade(0.5);
    forecasts.open(1, 0, 0.9, 1);
    forecasts.expire(1e6, key -> 0);
    assertEquals(2 * 0.5 / (0.5 + 1 + 0.5), forecasts.learnedF1(), EXACT);
    assertEquals(2 * 0.5 / (0.5 + 1 + 0.5), forecasts.thresholdF1(), EXACT);
    forecasts.fade(0.25);
    assertEquals(2 * 0.5 / (0.5 + 1 + 0.5), forecasts.learnedF1(), EXACT);
  }
}
