// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.readorder.ReadOrder;
import io.thermocline.tiering.sim.FileAccess;
import io.thermocline.tiering.sim.ServiceModel;
import io.thermocline.tiering.sim.device.DeviceSpec;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterDevicesTest {
  private static final double EXACT = 1e-9;
  private static final long SECOND = 1_000_000;

  /** All reads by the disks. */
  private static final double[] DISK = {1, 0};

  private static ClusterSpec cluster(int racks, int nodes) {
    return new ClusterSpec(
        racks,
        nodes,
        new ClusterSpec.Network(1e9, 0.125, 0.5),
        100,
        List.of(
            new TierSpec("DISK", 1, 1000, 3, new DeviceSpec(100, 50, 0, 0, 1, 0), false),
            new TierSpec("SSD", 2, 100, 1, new DeviceSpec(400, 200, 0, 0, 0, 0), true)),
        0);
  }

  private static FileAccess read(long second, long bytes) {
    return new FileAccess(second * SECOND, 0, bytes, false);
  }

  @Test
  void blocksOfOneDeviceFollowEachOther() {
    ClusterDevices devices = new ClusterDevices(cluster(1, 1), 1);

    // Two blocks, 1 s of seek and 1 s of transfer each, and half a block.
    assertEquals(5.5, devices.serve(read(0, 250), DISK), EXACT);
    // It waits until 5.5.
    assertEquals(5.5 - 1 + 2, devices.serve(read(1, 100), DISK), EXACT);
    assertEquals(4, devices.requests());
  }

  @Test
  void aMoveIsInTheWayWhileItRuns() {
    ClusterDevices devices = new ClusterDevices(cluster(1, 1), 1);

    // One block a ten seconds: at 0, 10, 20.
    devices.moves(new ServiceModel.Transfer(1, 300, 0, 1, 0, 30 * SECOND));

    assertEquals(3, devices.serve(read(11, 100), DISK), EXACT, "behind the block of 10 to 12");
    assertEquals(2, devices.serve(read(15, 100), DISK), EXACT);
    assertEquals(2, devices.serve(read(40, 100), DISK), EXACT, "all blocks have gone by then");
  }

  @Test
  void otherNodesPayForTheNetwork() {
    ClusterDevices oneRack = new ClusterDevices(cluster(1, 1000), 1);
    ClusterDevices manyRacks = new ClusterDevices(cluster(1000, 1), 1);

    // Of 1,000 nodes hardly any reads what it has itself.
    assertEquals(2.125, oneRack.serve(read(0, 100), DISK), EXACT);
    assertEquals(2.5, manyRacks.serve(read(0, 100), DISK), EXACT);
  }

  @Test
  void capacityCountsCopies() {
    ClusterSpec cluster = cluster(2, 3);

    assertEquals(2000, cluster.simTiers().get(0).capacityBytes());
    assertEquals(1200, cluster.simTiers().get(1).capacityBytes());
    assertEquals(4800, cluster.simTiers().get(1).readBytesPerSecond(), EXACT);
    assertEquals(600, cluster.withFastest(0.5).simTiers().get(1).capacityBytes());
  }

  @Test
  void aFastCopyServesTheReadsThatTheReadOrderGivesIt() {
    ClusterSpec cluster = cluster(4, 25);

    assertEquals(1, cluster.withReadOrder(ReadOrder.FASTEST).simTiers().get(1).served(), EXACT);
    // The copy that is alone in its rack: its own node's 1 of 100 readers, the 24 others of its
    // rack, and a third of the
    // 50 in racks without a copy.
    assertEquals(
        0.25 + 0.5 / 3, cluster.withReadOrder(ReadOrder.NEAREST).simTiers().get(1).served(), EXACT);
    assertEquals(1, cluster.simTiers().get(0).served(), EXACT, "the home tier has all copies");
  }

  @Test
  void readsGoToTheTiersByTheirShares() {
    ClusterDevices devices = new ClusterDevices(cluster(1, 1), 1);
    int fast = 0;
    for (int i = 0; i < 1_000; i++) {
      // 2 s by the disk, 0.25 s by an SSD.
      fast += devices.serve(read(10 * i, 100), new double[] {0.7, 0.3}) < 1 ? 1 : 0;
    }
    assertEquals(300, fast, 50);
  }

  @Test
  void theSeedDecidesWhereBlocksAre() {
    assertEquals(latencies(1), latencies(1));
    assertNotEquals(latencies(1), latencies(2));
  }

  private static List<Double> latencies(long seed) {
    ClusterDevices devices = new ClusterDevices(cluster(2, 3), seed);
    List<Double> latencies = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      latencies.add(devices.serve(new FileAccess(i * SECOND, i % 7, 450, false), DISK));
    }
    assertTrue(latencies.stream().allMatch(seconds -> seconds >= 2));
    return latencies;
  }
}
