// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

/**
 * What the placement checks compare single nodes with, as it was at the last refresh: the NameNode's own
 * counters of it stand behind locks. Immutable.
 */
final class ClusterLoad {
  private final boolean avoidStale;
  private final boolean avoidSlow;
  private final double mostTransfers;
  private final int leastBlocks;

  /** Nobody is to be avoided, and one block needs to fit. */
  static final ClusterLoad NONE = new ClusterLoad(false, false, 0, 1);

  /**
   * @param avoidStale whether stale nodes get no replica
   * @param avoidSlow whether nodes that their peers report as slow get no replica
   * @param mostTransfers transfer threads above which a node is too busy; 0 for any number
   * @param leastBlocks blocks that a storage must have space for to get one
   */
  ClusterLoad(boolean avoidStale, boolean avoidSlow, double mostTransfers, int leastBlocks) {
    this.avoidStale = avoidStale;
    this.avoidSlow = avoidSlow;
    this.mostTransfers = mostTransfers;
    this.leastBlocks = leastBlocks;
  }

  boolean avoidStale() {
    return avoidStale;
  }

  boolean avoidSlow() {
    return avoidSlow;
  }

  boolean isTooBusy(int transfers) {
    return transfers > mostTransfers && mostTransfers > 0;
  }

  int leastBlocks() {
    return leastBlocks;
  }
}
