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
    plan = ReplicaPlan.of(weights, weights, new int[nodes], new double[nodes], 0);
  }

  @Override
  public void place(long key, int[] into) {
    long mixed = ReplicaPlan.mix((key + 1) * GOLDEN_GAMMA);
    into[0] = plan.single(mixed);
    // A pair that is one node, as rounding makes it once in millions, is drawn again.
    do {
      mixed = ReplicaPlan.mix(mixed + GOLDEN_GAMMA);
      into[1] = plan.pair(mixed, into[0]);
      into[2] = plan.partner(mixed, into[1]);
    } while (into[2] < 0);
  }

  @Override
  public long bytes() {
    return plan.bytes();
  }
}
