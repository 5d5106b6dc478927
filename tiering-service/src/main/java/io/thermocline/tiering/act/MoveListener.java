// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import io.thermocline.tiering.plan.Move;

/** Hears every change of a move, from any thread. */
@FunctionalInterface
public interface MoveListener {

  /**
   * @param detail why, for failed and obsolete moves; else empty
   */
  void changed(Move move, MoveState state, String detail);
}
