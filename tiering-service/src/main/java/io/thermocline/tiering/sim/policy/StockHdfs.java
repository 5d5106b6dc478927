// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.policy;

import io.thermocline.tiering.sim.FileAccess;
import io.thermocline.tiering.sim.Moves;
import io.thermocline.tiering.sim.TierState;
import io.thermocline.tiering.sim.TieringPolicy;

/** HDFS as it is: every file stays where it was written. */
final class StockHdfs implements TieringPolicy {

  @Override
  public void onAccess(FileAccess access, TierState tiers) {
    // It doesn't look.
  }

  @Override
  public void react(FileAccess access, TierState tiers, Moves moves) {
    // It moves nothing.
  }

  @Override
  public void rebalance(TierState tiers, Moves moves) {
    // It moves nothing.
  }
}
