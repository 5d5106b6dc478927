// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;

/**
 * The order in which a client writes the replicas: from each to the nearest of those left, as the stock
 * policy's private method does, on the snapshot's racks in place of the topology with its lock.
 */
final class Pipeline {
  private Pipeline() {}

  /**
   * Sorts the replicas from the given index on.
   *
   * @param start where the data comes from; null for the first replica
   */
  static void sort(
      NodeEntry start, ReplicaChoice replicas, int from, ClusterSnapshot.Racks distances) {
    DatanodeStorageInfo[] storages = replicas.storages();
    if (from >= storages.length) {
      return;
    }
    DatanodeDescriptor node = start == null ? storages[from].getDatanodeDescriptor() : start.node();
    int rack = start == null ? replicas.rack(from) : start.rack();
    for (int next = from; next < storages.length; next++) {
      int nearest = next;
      int least = Integer.MAX_VALUE;
      for (int i = next; i < storages.length; i++) {
        int distance =
            storages[i].getDatanodeDescriptor() == node
                ? 0
                : distances.distance(rack, replicas.rack(i));
        if (distance < least) {
          least = distance;
          nearest = i;
        }
      }
      if (nearest != next) {
        replicas.swap(nearest, next);
      }
      node = storages[next].getDatanodeDescriptor();
      rack = replicas.rack(next);
    }
  }
}
