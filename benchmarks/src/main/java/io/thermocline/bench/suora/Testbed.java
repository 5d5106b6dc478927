// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.suora;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.sim.device.DeviceSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The 30 storage nodes of SUORA's evaluation (section 4), one device each: 10 with a WD disk, the slowest bucket, 10
 * with a Seagate disk, 10 with an SSD. Nodes are numbered in this order. Immutable.
 *
 * @param devices by bucket, slowest first
 * @param divisor of the published capacities
 */
record Testbed(List<DeviceSpec> devices, int divisor) {
  static final int NODES_OF_A_BUCKET = 10;

  /** The storage types that stand for the buckets. */
  static final List<StorageType> BUCKETS =
      List.of(StorageType.ARCHIVE, StorageType.DISK, StorageType.SSD);

  static final int NODES = NODES_OF_A_BUCKET * BUCKETS.size();
  static final int FIRST_SSD = NODES - NODES_OF_A_BUCKET;

  /** Default of Sheepdog there. */
  static final long OBJECT_BYTES = 64 << 20;

  /** 10GbE. */
  static final double LINK_BYTES_PER_SECOND = 10e9 / 8;

  /** Table 4: WD, Seagate, S3700. */
  private static final double[] BYTES_PER_SECOND = {95e6, 176e6, 500e6};

  /** Table 1: 3.5 to 5 ms for disks; the slower disk gets the slower end. */
  private static final double[] SEEK_SECONDS = {5e-3, 3.5e-3, 0};

  private static final long[] CAPACITIES = {500_000_000_000L, 500_000_000_000L, 200_000_000_000L};

  Testbed {
    devices = List.copyOf(devices);
  }

  /** Bandwidths of table 4 alone. */
  static Testbed ofBandwidths() {
    return of(new double[BYTES_PER_SECOND.length], 0, 1);
  }

  /**
   * With the latencies of table 1.
   *
   * @param ssdLatencySeconds table 1 has 35 to 350 us
   * @param divisor of the capacities
   */
  static Testbed of(double ssdLatencySeconds, int divisor) {
    return of(SEEK_SECONDS, ssdLatencySeconds, divisor);
  }

  private static Testbed of(double[] seekSeconds, double ssdLatencySeconds, int divisor) {
    List<DeviceSpec> devices = new ArrayList<>();
    for (int bucket = 0; bucket < BUCKETS.size(); bucket++) {
      double rate = BYTES_PER_SECOND[bucket];
      double latency = BUCKETS.get(bucket).isFast() ? ssdLatencySeconds : 0;
      devices.add(new DeviceSpec(rate, rate, latency, latency, seekSeconds[bucket], 0));
    }
    return new Testbed(devices, divisor);
  }

  static int bucketOf(int node) {
    return node / NODES_OF_A_BUCKET;
  }

  /** The same for its only storage; names sort as numbers do. */
  static String nameOf(int node) {
    return String.format(Locale.ROOT, "node%02d", node);
  }

  DeviceSpec device(int node) {
    return devices.get(bucketOf(node));
  }

  long capacity(int node) {
    return CAPACITIES[bucketOf(node)] / divisor;
  }

  /**
   * As the service would see it, all nodes on one rack.
   *
   * @param used bytes by node
   */
  ClusterView view(long[] used) {
    Map<String, ClusterView.Node> nodes = new HashMap<>();
    for (int node = 0; node < NODES; node++) {
      String name = nameOf(node);
      ClusterView.Storage storage =
          new ClusterView.Storage(
              name, name, BUCKETS.get(bucketOf(node)), capacity(node), capacity(node) - used[node]);
      nodes.put(name, new ClusterView.Node(name, name, "/rack", List.of(storage)));
    }
    return new ClusterView(nodes, OBJECT_BYTES);
  }
}
