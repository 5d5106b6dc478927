// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Help.Ansi;

/** Names that would take over a terminal, in every shape of an answer. */
class PlainTextTest {

  private static final Pattern OBEYED =
      Pattern.compile(
          "[\\p{Cc}\\p{Zl}\\p{Zp}\u202a-\u202e\u2066-\u2069\u061c\u200e\u200f&&[^\\n]]");

  private static final List<String> NAMES =
      List.of(
          "/data/\u001b[2J\u001b]0;title\u0007",
          "/data/\u009b31mred",
          "/data/two\nlines\r\n",
          "/data/\u202egpj.exe",
          "/data/\u061ca\u200eb\u200fc\u2067d\u2069",
          "/data/a\u2028b\u2029c",
          "/data/@|red,bold alert|@",
          "/data/\b\b\b\b");

  @Test
  void leavesOutWhatATerminalObeys() {
    for (String name : NAMES) {
      Map<String, Object> file = Map.of("path", name, "parts", List.of(name));
      Map<String, Object> error =
          Map.of("code", "NO_SUCH_FILE", "message", name, "whatToDo", "look at " + name);
      for (Object answer :
          List.of(file, error, new Page<>(List.of(file), 1, 0), Map.of(name, name))) {
        for (Ansi ansi : List.of(Ansi.OFF, Ansi.ON)) {
          String text = PlainText.of(Json.MAPPER.valueToTree(answer), ansi);
          // Colours are ours: names and values bring none.
          String plain = text.replaceAll("\u001b\\[(1|21|0|39)*;?(0|1|21)?m", "");
          assertFalse(OBEYED.matcher(plain).find(), () -> ansi + ": " + plain);
        }
      }
    }
  }

  @Test
  void takesNoNameAsMarkup() {
    String text =
        PlainText.of(Json.MAPPER.valueToTree(Map.of("path", "@|red,bold alert|@")), Ansi.ON);
    assertTrue(text.contains("@|red,bold alert|@"), text);
  }
}
