// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act.groups;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class RoundRobinCursorTest {

  @Test
  void goesOnWhereItEnded() {
    RoundRobinCursor<Integer> turns = new RoundRobinCursor<>(each -> each, each -> 2, 5);
    List<Integer> all = List.of(5, 1, 4, 2, 3);
    assertEquals(List.of(1, 2), turns.next(all));
    assertEquals(List.of(3, 4), turns.next(all));
    assertEquals(List.of(5, 1), turns.next(all));
    assertEquals(List.of(3, 4), turns.next(List.of(3, 4, 5)), "2 is gone");
  }

  @Test
  void takesOneThatCostsTooMuchAlone() {
    RoundRobinCursor<Integer> turns =
        new RoundRobinCursor<>(each -> each, each -> each == 2 ? 100 : 1, 10);
    assertEquals(List.of(1), turns.next(List.of(1, 2, 3)));
    assertEquals(List.of(2), turns.next(List.of(1, 2, 3)));
    assertEquals(List.of(3, 1), turns.next(List.of(1, 2, 3)));
    assertEquals(List.of(), turns.next(List.of()));
  }

  @Test
  void takesEachOnceWhereAllFit() {
    RoundRobinCursor<Integer> turns =
        new RoundRobinCursor<>(each -> each, each -> 1, Integer.MAX_VALUE);
    assertEquals(List.of(1, 2, 3), turns.next(List.of(3, 2, 1)));
    assertEquals(List.of(1, 2, 3), turns.next(List.of(3, 2, 1)));
  }
}
