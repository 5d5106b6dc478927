// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/concepts/acting.md draws the life of a move as it is. */
class ActingPageTest {

  private static final Pattern ROW = Pattern.compile("(?m)^\\| ([A-Z]+) \\| ([A-Z, ]*)\\|");
  private static final Pattern DRAWING = Pattern.compile("(?s)```\n(PLANNED.*?)```");

  @Test
  void hasTheTransitionsOfTheEnum() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "concepts", "acting.md"));

    Map<MoveState, Set<MoveState>> written = new EnumMap<>(MoveState.class);
    Matcher row = ROW.matcher(page);
    while (row.find()) {
      Set<MoveState> next = EnumSet.noneOf(MoveState.class);
      for (String name : row.group(2).trim().split(", ")) {
        if (!name.isEmpty()) {
          next.add(MoveState.valueOf(name));
        }
      }
      written.put(MoveState.valueOf(row.group(1)), next);
    }
    Map<MoveState, Set<MoveState>> real = new EnumMap<>(MoveState.class);
    for (MoveState state : MoveState.values()) {
      real.put(state, state.next());
    }
    assertEquals(real, written);

    Matcher drawing = DRAWING.matcher(page);
    assertTrue(drawing.find());
    for (MoveState state : MoveState.values()) {
      assertTrue(drawing.group(1).contains(state.name()), () -> state + " is not drawn");
    }
  }
}
