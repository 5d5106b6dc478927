// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.choice;

import java.util.Arrays;

/**
 * The rack rule of HDFS: no rack has more replicas than the stock policy lets it have, so a set of three
 * spans two racks, and the NameNode takes it as it is. Immutable.
 */
public final class RackSpread implements SpreadRule {
  private final int[] rackOf;
  private final int mostOfRack;

  private RackSpread(int[] rackOf, int mostOfRack) {
    this.rackOf = rackOf;
    this.mostOfRack = mostOfRack;
  }

  /**
   * The rule for placements of that many replicas.
   *
   * @param rackOfDevice any number for each rack, by device
   */
  public static RackSpread of(int[] rackOfDevice, int replicas) {
    int racks = (int) Arrays.stream(rackOfDevice).distinct().count();
    int most = replicas;
    if (racks > 1 && replicas > 1) {
      // As BlockPlacementPolicyDefault.getMaxNodesPerRack.
      most = (replicas - 1) / racks + 2;
      if (most == replicas) {
        most--;
      }
    }
    return new RackSpread(rackOfDevice.clone(), most);
  }

  @Override
  public boolean allows(int device, int[] devices, int from, int to) {
    int there = 0;
    for (int i = from; i < to; i++) {
      if (rackOf[devices[i]] == rackOf[device]) {
        there++;
      }
    }
    return there < mostOfRack;
  }
}
