// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import java.util.EnumMap;
import java.util.Map;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.FSClusterStats;
import org.apache.hadoop.hdfs.server.blockmanagement.StorageTypeStats;

/** The statistics of a cluster without load. */
final class IdleCluster implements FSClusterStats {
  @Override
  public int getTotalLoad() {
    return 0;
  }

  @Override
  public boolean isAvoidingStaleDataNodesForWrite() {
    return false;
  }

  @Override
  public int getNumDatanodesInService() {
    return 0;
  }

  @Override
  public double getInServiceXceiverAverage() {
    return 0;
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
