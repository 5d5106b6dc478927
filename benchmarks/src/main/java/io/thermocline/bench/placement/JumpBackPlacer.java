// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.placement;

import com.dynatrace.hash4j.consistent.ConsistentBucketHasher;
import com.dynatrace.hash4j.consistent.ConsistentHashing;
import com.dynatrace.hash4j.random.PseudoRandomGeneratorProvider;

/** JumpBackHash (Ertl 2024), hash4j's: one node, no weights. */
final class JumpBackPlacer implements ReplicaPlacer {
  private final int count;
  private final ConsistentBucketHasher hasher =
      ConsistentHashing.jumpBackHash(PseudoRandomGeneratorProvider.splitMix64_V1());

  JumpBackPlacer(double[] weights) {
    this.count = weights.length;
  }

  @Override
  public void place(long key, int[] nodes) {
    nodes[0] = hasher.getBucket(key, count);
  }

  @Override
  public long bytes() {
    return 0;
  }
}
