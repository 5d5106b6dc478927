// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.placement;

import io.thermocline.placement.suora.ReplicaPlan;

/** What the plugin draws the three replicas of a new block with, on one rack. */
final class PlanPlacer implements ReplicaPlacer {
  private final ReplicaPlan plan;
  private final int nodes;

  PlanPlacer(double[] weights) {
    nodes = weights.length;
    plan = ReplicaPlan.of(weights, weights, new int[nodes], new double[nodes], 0);
  }

  @Override
  public void place(long key, int[] into) {
    long mixed = ReplicaPlan.mix(key * 0x9E3779B97F4A7C15L);
    long second = ReplicaPlan.mix(mixed);
    into[0] = plan.single(mixed);
    into[1] = plan.pair(second, into[0]);
    into[2] = plan.partner(second, into[1]);
  }

  @Override
  public long bytes() {
    return plan.bytes();
  }
}
