// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.cluster;

import io.thermocline.tiering.sim.SimTier;
import java.util.ArrayList;
import java.util.List;

/**
 * A cluster of equal nodes.
 *
 * @param racks from 1
 * @param nodesPerRack from 1
 * @param network between them
 * @param blockBytes files are cut into blocks of this size, each on a device of its own
 * @param tiers slowest first
 * @param home index of the tier where files begin
 */
public record ClusterSpec(
    int racks, int nodesPerRack, Network network, long blockBytes, List<TierSpec> tiers, int home) {

  /**
   * What a read pays beside the device.
   *
   * @param bytesPerSecond of a node's link, above 0
   * @param rackLatencySeconds within a rack
   * @param crossRackLatencySeconds between racks
   */
  public record Network(
      double bytesPerSecond, double rackLatencySeconds, double crossRackLatencySeconds) {}

  public ClusterSpec {
    tiers = List.copyOf(tiers);
    if (racks < 1 || nodesPerRack < 1 || blockBytes < 1) {
      throw new IllegalArgumentException(
          "%d racks, %d nodes in each, blocks of %d bytes: all are from 1"
              .formatted(racks, nodesPerRack, blockBytes));
    }
    if (home < 0 || home >= tiers.size()) {
      throw new IllegalArgumentException("home tier %d of %d".formatted(home, tiers.size()));
    }
  }

  /** In all racks. */
  public int nodes() {
    return racks * nodesPerRack;
  }

  /** What the devices make together, slowest first. */
  public List<SimTier> simTiers() {
    return tiers.stream().map(tier -> tier.tier(nodes())).toList();
  }

  /** The same with the fastest tier's capacity multiplied. */
  public ClusterSpec withFastest(double factor) {
    List<TierSpec> changed = new ArrayList<>(tiers);
    TierSpec fastest = changed.remove(tiers.size() - 1);
    changed.add(fastest.withDeviceBytes((long) (fastest.deviceBytes() * factor)));
    return new ClusterSpec(racks, nodesPerRack, network, blockBytes, changed, home);
  }
}
