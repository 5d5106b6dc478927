// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim;

import java.util.List;

/**
 * Decides which file is on which tier. One object serves one run, in one thread. It learns from the
 * accesses, and answers when it is asked: after each access where moves are immediate, from time to time
 * where they take their time. The simulator enforces capacities: a policy that wants room makes it first.
 */
public interface TieringPolicy {

  /** Learns of an access, in both modes, after it was served; it moves nothing. */
  void onAccess(FileAccess access, TierState tiers);

  /**
   * Immediate mode, right after {@link #onAccess} with the same access. Moves take effect as they are asked
   * for.
   */
  void react(FileAccess access, TierState tiers, Moves moves);

  /**
   * Live mode, at each decision. Moves of earlier decisions that haven't begun are forgotten, so what is
   * still wanted is asked for again, in the order wanted now.
   */
  void rebalance(TierState tiers, Moves moves);

  /** When it decides, in live mode; null: as often as the simulation asks. */
  default Pace pace() {
    return null;
  }

  /** What it planned, in order, where it says so by name. */
  default List<PlannedFile> planned() {
    return List.of();
  }
}
