// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.placement;

import io.thermocline.placement.attributed.AttributedRing;
import io.thermocline.placement.attributed.RingDevice;
import io.thermocline.placement.attributed.RingRules;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Ours: attributedCH's ring, all nodes of one bandwidth, c_throttle as derived by default. Asked as the placement policy
 * asks it: for one replica after the other, rejecting nodes that have one.
 */
final class AttributedPlacer implements ReplicaPlacer {
  private static final double UNIT = 1e12;
  private static final int BANDWIDTH = 200;
  private static final int TRIES = 256;
  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

  private final AttributedRing ring;
  private final IntPredicate isNew = this::isNew;
  private int[] into;
  private int placed;

  AttributedPlacer(double[] weights) {
    List<RingDevice> devices = new ArrayList<>(weights.length);
    for (int node = 0; node < weights.length; node++) {
      devices.add(RingDevice.of("n" + node, Math.round(weights[node] * UNIT), BANDWIDTH));
    }
    this.ring = AttributedRing.build(devices, RingRules.defaults());
  }

  private boolean isNew(int device) {
    for (int i = 0; i < placed; i++) {
      if (into[i] == device) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void place(long key, int[] nodes) {
    into = nodes;
    for (placed = 0; placed < nodes.length; placed++) {
      nodes[placed] = ring.select(key + placed * GOLDEN_GAMMA, isNew, TRIES);
    }
  }

  @Override
  public long bytes() {
    return ring.memoryBytes();
  }

  double bytesPerVirtualNode() {
    return (double) ring.memoryBytes() / ring.virtualNodes();
  }
}
