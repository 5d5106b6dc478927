// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import io.thermocline.tiering.plan.Move;
import java.util.List;

/** Hears every change of a move, from any thread. */
@FunctionalInterface
public interface MoveListener {

  /** All moves of a plan, once each, before any of them begins. */
  default void planned(List<Move> moves) {}

  /**
   * @param detail why, for failed and obsolete moves; else empty
   */
  void changed(Move move, MoveState state, String detail);

  /** Changes that were seen at once, none of which is that a copy begins. */
  default void changed(List<Change> changes) {
    changes.forEach(one -> changed(one.move(), one.state(), one.detail()));
  }

  /** What {@link #changed} says of one. */
  record Change(Move move, MoveState state, String detail) {}
}
