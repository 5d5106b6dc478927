// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.cluster;

import io.thermocline.tiering.sim.HeadTime;
import io.thermocline.tiering.sim.SimTier;
import io.thermocline.tiering.sim.device.DeviceSpec;

/**
 * The devices of one storage type, which every node has as many of.
 *
 * @param name of the storage type
 * @param devicesPerNode from 1
 * @param deviceBytes capacity of one
 * @param copies how many copies of a file it holds where the file is on it: 3 as HDFS does, 1 for one fast copy
 * @param device how fast one is
 * @param flash whether writes wear it
 */
public record TierSpec(
    String name,
    int devicesPerNode,
    long deviceBytes,
    int copies,
    DeviceSpec device,
    boolean flash) {
  public TierSpec {
    if (devicesPerNode < 1 || deviceBytes < 0 || copies < 1) {
      throw new IllegalArgumentException(
          "%s: %d devices a node (from 1), %d bytes each (from 0), %d copies (from 1)"
              .formatted(name, devicesPerNode, deviceBytes, copies));
    }
  }

  /**
   * The tier that all these devices make in a cluster of so many nodes.
   *
   * @param served share of the reads of a file on it that it serves
   * @param blockBytes of files
   */
  SimTier tier(int nodes, double served, long blockBytes) {
    double devices = (double) nodes * devicesPerNode;
    return new SimTier(
        name,
        (long) (devices * deviceBytes / copies),
        devices * device.readBytesPerSecond(),
        devices * device.writeBytesPerSecond(),
        flash,
        served,
        new HeadTime(
            device.seekSeconds() + device.readLatencySeconds(),
            device.readBytesPerSecond(),
            blockBytes));
  }

  /** The same with another capacity of a device. */
  public TierSpec withDeviceBytes(long bytes) {
    return new TierSpec(name, devicesPerNode, bytes, copies, device, flash);
  }
}
