// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import io.thermocline.placement.model.StorageType;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.ThermoclineBridge;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;

/**
 * The number lines of a cluster, one per storage type. Readers take them with one volatile read;
 * {@link #refresh} replaces them, called by one thread at a time.
 */
final class ClusterLines {
  /** Holds no block; and a length on the line would be next to nothing. */
  private static final long LEAST_CAPACITY = 1 << 20;

  private final NetworkTopology topology;
  private final PlacementCounters counters;
  private final Map<StorageType, BucketTable> tables = new EnumMap<>(StorageType.class);

  /** By bucket; never changed once it stands here. */
  private volatile BucketLine[] lines = new BucketLine[StorageType.values().length];

  ClusterLines(NetworkTopology topology, PlacementCounters counters) {
    this.topology = topology;
    this.counters = counters;
    for (StorageType type : StorageType.values()) {
      tables.put(type, new BucketTable(type));
    }
  }

  /** Null where there is no storage of the type, or none has been seen yet, or it is no bucket. */
  BucketLine of(StorageType type) {
    return type == null ? null : lines[type.bucket()];
  }

  void refresh() {
    Map<StorageType, SortedMap<String, DatanodeStorageInfo>> present = storages();
    BucketLine[] fresh = new BucketLine[lines.length];
    tables.forEach((type, table) -> fresh[type.bucket()] = table.refresh(present.get(type)));
    if (!Arrays.equals(fresh, lines)) {
      lines = fresh;
      counters.count(PlacementCounters.Event.SNAPSHOT_BUILT);
    }
  }

  private Map<StorageType, SortedMap<String, DatanodeStorageInfo>> storages() {
    Map<StorageType, SortedMap<String, DatanodeStorageInfo>> present =
        new EnumMap<>(StorageType.class);
    for (StorageType type : StorageType.values()) {
      present.put(type, new TreeMap<>());
    }
    // The list is gathered without the topology's lock. A node that joins or leaves meanwhile may
    // hide another one, which then comes back at the end of the line a second later.
    for (Node node : topology.getLeaves(NodeBase.ROOT)) {
      if (node instanceof DatanodeDescriptor) {
        for (DatanodeStorageInfo storage : ((DatanodeDescriptor) node).getStorageInfos()) {
          StorageType type = StorageTypes.ours(storage.getStorageType());
          if (type != null
              && ThermoclineBridge.isNormal(storage)
              && ThermoclineBridge.capacity(storage) >= LEAST_CAPACITY) {
            present.get(type).put(storage.getStorageID(), storage);
          }
        }
      }
    }
    return present;
  }
}
