// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.placement;

import io.thermocline.placement.attributed.AttributedRing;
import io.thermocline.placement.attributed.RingDevice;
import io.thermocline.placement.attributed.RingRules;
import java.util.ArrayList;
import java.util.List;

/** Ours: attributedCH's ring, all nodes of one bandwidth and zone, c_throttle as derived by default. */
final class AttributedPlacer implements ReplicaPlacer {
  private static final double UNIT = 1e12;
  private static final int BANDWIDTH = 200;

  private final AttributedRing ring;

  AttributedPlacer(double[] weights) {
    List<RingDevice> devices = new ArrayList<>(weights.length);
    for (int node = 0; node < weights.length; node++) {
      devices.add(RingDevice.of("n" + node, Math.round(weights[node] * UNIT), BANDWIDTH, "zone"));
    }
    this.ring = AttributedRing.build(devices, RingRules.defaults());
  }

  @Override
  public void place(long key, int[] nodes) {
    ring.place(key, nodes);
  }

  @Override
  public long bytes() {
    return ring.memoryBytes();
  }

  double bytesPerVirtualNode() {
    return (double) ring.memoryBytes() / ring.virtualNodes();
  }
}
