// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Steps of a second, of which eight are a half-life. */
class EventClockTest {

  private static final Decay DECAY = new Decay(Duration.ofSeconds(8));

  private EventClock clock = new EventClock(DECAY);

  /** How many lines of one time it takes to bring a new step. */
  private int lines(long second) {
    int lines = 1;
    while (!clock.observe(1_000 * second)) {
      lines++;
      assertTrue(lines < 100, "no number of lines is enough");
    }
    assertEquals(second, clock.step());
    return lines;
  }

  @Test
  void aHalfLifeIsCrossedAtOnceAndMoreBySixteenLinesInARow() {
    assertEquals(1, lines(500), "the first one");
    assertFalse(clock.observe(500_999));
    assertEquals(1, lines(501));
    assertFalse(clock.observe(499_000));
    assertEquals(501, clock.step());
    assertEquals(1, lines(509));
    assertEquals(16, lines(518));
    for (int i = 0; i < 15; i++) {
      assertFalse(clock.observe(600_000));
    }
    assertFalse(clock.observe(518_000));
    assertEquals(16, lines(600), "it begins again after one of before");
  }

  @Test
  void whatMayComeIsBelievedAtOnce() {
    assertEquals(1, lines(0));
    clock.trust(20_000);
    assertEquals(1, lines(28));
    assertEquals(16, lines(37));
  }

  @Test
  void aReadWasCountedInAStepThatHadBegun() {
    lines(10);
    assertEquals(7, clock.stepOf(7_999));
    assertEquals(10, clock.stepOf(1_000_000));
  }

  @Test
  void goesOnFromWhatWasSaved() {
    lines(10);
    for (int i = 0; i < 10; i++) {
      assertFalse(clock.observe(100_000));
    }
    SavedNumbers numbers = new SavedNumbers();
    clock.freeze().writeTo(numbers);
    clock = new EventClock(DECAY);
    clock.restore(numbers.source());
    assertEquals(10, clock.step());
    assertEquals(6, lines(100));
  }

  @Test
  void eightStepsHalve() {
    assertEquals(0.5, Decay.factor(8));
    assertEquals(0.25, Decay.factor(16));
    assertEquals(1, Decay.factor(0));
    assertEquals(1, Decay.factor(-1));
    assertEquals(Math.pow(0.5, 159 / 8.0), Decay.factor(159), 1e-15);
    assertEquals(0, Decay.factor(160));
    assertEquals(-1, DECAY.step(-1));
    assertEquals(5, new Decay(Duration.ofMillis(1)).step(5));
  }
}
