// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.wire;

/**
 * Text from elsewhere as it may stand in a line of a log or on a terminal: paths, reasons and names
 * may hold line breaks, what a terminal obeys, and what turns the order of letters round. Pure.
 */
public final class OneLine {

  private OneLine() {}

  /**
   * The text with each such character as an escape of Java and JSON, like {@code \n} or
   * {@code \u001b}; so what is JSON stays so. The same text where there is none.
   */
  public static String of(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (isEscaped(text.charAt(i))) {
        return escaped(text);
      }
    }
    return text;
  }

  private static String escaped(String text) {
    StringBuilder line = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\n') {
        line.append("\\n");
      } else if (c == '\r') {
        line.append("\\r");
      } else if (c == '\t') {
        line.append("\\t");
      } else if (isEscaped(c)) {
        line.append(String.format("\\u%04x", (int) c));
      } else {
        line.append(c);
      }
    }
    return line.toString();
  }

  /** Controls, separators of lines and paragraphs, and marks of direction (Unicode TR 9, 2.8). */
  private static boolean isEscaped(char c) {
    int type = Character.getType(c);
    return type == Character.CONTROL
        || type == Character.LINE_SEPARATOR
        || type == Character.PARAGRAPH_SEPARATOR
        || c >= '\u202a' && c <= '\u202e'
        || c >= '\u2066' && c <= '\u2069'
        || c == '\u061c'
        || c == '\u200e'
        || c == '\u200f';
  }
}
