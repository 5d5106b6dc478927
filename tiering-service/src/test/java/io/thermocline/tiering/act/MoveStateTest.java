// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Set;
import org.junit.jupiter.api.Test;

class MoveStateTest {
  @Test
  void refusesTransitionsThatAreNotDrawn() {
    for (MoveState from : MoveState.values()) {
      Set<MoveState> next = from.next();
      assertEquals(next.isEmpty(), from.isFinal());
      for (MoveState to : MoveState.values()) {
        if (next.contains(to)) {
          assertEquals(to, from.to(to));
        } else {
          IllegalStateException refusal =
              assertThrows(IllegalStateException.class, () -> from.to(to));
          assertEquals("a move cannot go from " + from + " to " + to, refusal.getMessage());
        }
      }
    }
  }
}
