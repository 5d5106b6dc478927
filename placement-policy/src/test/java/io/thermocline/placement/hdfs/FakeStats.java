// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.FSClusterStats;
import org.apache.hadoop.hdfs.server.blockmanagement.StorageTypeStats;

/** The statistics of the given nodes, as a NameNode computes them. */
final class FakeStats implements FSClusterStats {
  private final List<DatanodeDescriptor> nodes;
  private final boolean avoidStale;
  private double average;

  FakeStats(List<DatanodeDescriptor> nodes, boolean avoidStale) {
    this.nodes = nodes;
    this.avoidStale = avoidStale;
    measure();
  }

  /** Takes the average load anew; ours sees it when it refreshes, the stock policy at once. */
  void measure() {
    average =
        nodes.stream()
            .filter(DatanodeDescriptor::isInService)
            .mapToInt(DatanodeDescriptor::getXceiverCount)
            .average()
            .orElse(0);
  }

  @Override
  public int getTotalLoad() {
    return nodes.stream().mapToInt(DatanodeDescriptor::getXceiverCount).sum();
  }

  @Override
  public boolean isAvoidingStaleDataNodesForWrite() {
    return avoidStale;
  }

  @Override
  public int getNumDatanodesInService() {
    return (int) nodes.stream().filter(DatanodeDescriptor::isInService).count();
  }

  @Override
  public double getInServiceXceiverAverage() {
    return average;
  }

  // Not in 3.3.6, so no @Override.
  public double getInServiceXceiverAverageForVolume() {
    return 0;
  }

  @Override
  public Map<StorageType, StorageTypeStats> getStorageTypeStats() {
    return new EnumMap<>(StorageType.class);
  }
}
