// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class OneLineTest {

  @Test
  void leavesWhatIsHarmless() {
    String text = "/w/Gr\u00f6\u00dfe \u65e5\u672c \ud83d\ude00 a\\b";
    assertSame(text, OneLine.of(text));
    assertEquals("", OneLine.of(""));
  }

  @Test
  void escapesBreaksAndWhatATerminalObeys() {
    assertEquals("a\\nb\\r\\tc", OneLine.of("a\nb\r\tc"));
    assertEquals("\\u001b[2Jgone\\u0000", OneLine.of("\u001b[2Jgone\u0000"));
    assertEquals("\\u0085\\u2028\\u2029\\u009b", OneLine.of("\u0085\u2028\u2029\u009b"));
    assertEquals("safe\\u202egpj.exe", OneLine.of("safe\u202egpj.exe"));
    // All that have Unicode's property Bidi_Control.
    for (char c :
        "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069".toCharArray()) {
      assertEquals(String.format("a\\u%04xb", (int) c), OneLine.of("a" + c + "b"));
    }
  }

  @Test
  void everyCharacterIsOnOneLine() {
    for (char c = 0; c < Character.MAX_VALUE; c++) {
      String line = OneLine.of("a" + c + "b");
      assertTrue(line.matches("a.+b"), () -> line);
      assertTrue(line.chars().noneMatch(Character::isISOControl), () -> line);
    }
  }
}
