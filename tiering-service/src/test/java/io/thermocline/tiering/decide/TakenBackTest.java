// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class TakenBackTest {

  private static TakenBack at(double heat) {
    return new TakenBack("ann took back a plan", Instant.EPOCH, heat);
  }

  @Test
  void isOverWhenTheHeatIsSoManyTimesWhatItWasOrThatPart() {
    assertFalse(at(8).isOver(31.9, 4));
    assertTrue(at(8).isOver(32, 4));
    assertFalse(at(8).isOver(2.1, 4));
    assertTrue(at(8).isOver(2, 4));
  }

  @Test
  void ofAColdFileOnlyMoreReadsCount() {
    assertFalse(at(0).isOver(0, 4));
    assertFalse(at(0.5).isOver(0.01, 4));
    assertFalse(at(0.5).isOver(3.9, 4));
    assertTrue(at(0).isOver(4, 4));
    assertTrue(at(1).isOver(0.25, 4), "a read is some");
    assertTrue(at(1).hold(4).reason().endsWith("is above 4.0 or below 0.3"), at(1).hold(4)::reason);
  }

  @Test
  void keepsTheFileAndSaysUntilWhen() {
    Hold hold = at(8).hold(4);
    assertFalse(hold.rise() || hold.fall());
    assertEquals(
        "ann took back a plan: stays so until its heat, 8.0 then, is above 32.0 or below 2.0",
        hold.reason());
    assertEquals(
        "ann took back a plan: stays so until its heat is above 4.0", at(0).hold(4).reason());
  }
}
