// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ProgressLinesTest {

  @Test
  void saysHowLongTheRestTakesAtThePaceSoFar() {
    assertEquals("copies: 10 of 40, about 15 s left", ProgressLines.line("copies", 10, 40, 5));
    assertEquals("copies: 0 of 40", ProgressLines.line("copies", 0, 40, 5));
    assertEquals("copies: 40 of 40", ProgressLines.line("copies", 40, 40, 20));
    // A copy that failed was made again.
    assertEquals("copies: 41 of 40", ProgressLines.line("copies", 41, 40, 20));
  }
}
