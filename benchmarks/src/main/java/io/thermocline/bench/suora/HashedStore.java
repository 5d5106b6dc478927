// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.suora;

import io.thermocline.bench.placement.ReplicaPlacer;
import java.util.SplittableRandom;

/** Replicas where a hash puts them, for good, each of them read as often as the other, as Sheepdog does. */
final class HashedStore implements ObjectStore {
  private final int[][] nodes;

  /**
   * @param firstNode of those that the placer places on
   */
  HashedStore(ReplicaPlacer placer, int firstNode, int objects, long seed) {
    nodes = new int[objects][REPLICAS];
    for (int object = 0; object < objects; object++) {
      placer.place(ObjectStore.id(object, seed), nodes[object]);
      for (int i = 0; i < REPLICAS; i++) {
        nodes[object][i] += firstNode;
      }
    }
  }

  @Override
  public int read(int object, SplittableRandom random) {
    return nodes[object][random.nextInt(REPLICAS)];
  }

  @Override
  public int[] nodes(int object) {
    return nodes[object];
  }
}
