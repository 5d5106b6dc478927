// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.placement;

import com.google.common.hash.Hashing;

/** Jump hash (Lamping and Veach 2014), Guava's: one node, no weights. */
final class JumpPlacer implements ReplicaPlacer {
  private final int count;

  JumpPlacer(double[] weights) {
    this.count = weights.length;
  }

  @Override
  public void place(long key, int[] nodes) {
    nodes[0] = Hashing.consistentHash(key, count);
  }

  @Override
  public long bytes() {
    return 0;
  }
}
