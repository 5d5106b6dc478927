// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.util.Map;
import java.util.TreeMap;

/**
 * How far each log, or partition of a topic, was read: all lines before are in what was made of them, none after.
 * To be stored in one piece with that. Immutable; a text of one line for each log.
 *
 * @param byLog of each log, what its reader needs to go on there: printable, on one line
 */
public record LogPositions(Map<String, String> byLog) {

  private static final String HEADER = "positions 1";

  public LogPositions {
    byLog = Map.copyOf(byLog);
    byLog.forEach(
        (log, position) -> {
          if (log.indexOf('\n') >= 0 || log.indexOf('\t') >= 0 || position.indexOf('\n') >= 0) {
            throw new IllegalArgumentException("not on one line: " + log + ", " + position);
          }
        });
  }

  public static LogPositions none() {
    return new LogPositions(Map.of());
  }

  public String toText() {
    StringBuilder text = new StringBuilder(HEADER).append('\n');
    new TreeMap<>(byLog)
        .forEach((log, position) -> text.append(log).append('\t').append(position).append('\n'));
    return text.toString();
  }

  /**
   * @throws IllegalArgumentException where it is not what {@link #toText} gave
   */
  public static LogPositions parse(String text) {
    String[] lines = text.split("\n");
    if (!lines[0].equals(HEADER)) {
      throw new IllegalArgumentException(
          "expected log positions, beginning with '" + HEADER + "', found: " + lines[0]);
    }
    Map<String, String> byLog = new TreeMap<>();
    for (int i = 1; i < lines.length; i++) {
      int tab = lines[i].indexOf('\t');
      if (tab < 0) {
        throw new IllegalArgumentException("line " + (i + 1) + " of log positions: " + lines[i]);
      }
      byLog.put(lines[i].substring(0, tab), lines[i].substring(tab + 1));
    }
    return new LogPositions(byLog);
  }
}
