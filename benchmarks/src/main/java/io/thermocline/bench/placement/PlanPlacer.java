// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.placement;

import io.thermocline.placement.suora.ReplicaPlan;

/** What the plugin draws the three replicas of a new block with, on one rack. */
final class PlanPlacer implements ReplicaPlacer {
  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

  private final ReplicaPlan plan;
  private final int nodes;

  PlanPlacer(double[] weights) {
    nodes = weights.length;
    plan = ReplicaPlan.of(weights, weights, new int[nodes], new double[nodes]);
  }

  @Override
  public void place(long key, int[] into) {
    long mixed = ReplicaPlan.mix((key + 1) * GOLDEN_GAMMA);
    into[0] = plan.single(mixed);
    long pair;
    do {
      mixed = ReplicaPlan.mix(mixed + GOLDEN_GAMMA);
      pair = plan.pair(mixed, into[0]);
      // By rounding a key may have none.
    } while (pair == ReplicaPlan.NONE);
    into[1] = ReplicaPlan.one(pair);
    into[2] = ReplicaPlan.other(pair);
  }

  @Override
  public long bytes() {
    return plan.bytes();
  }
}
