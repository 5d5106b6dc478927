// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import java.util.Arrays;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.ThermoclineBridge;

/** A DataNode as the snapshot knows it: its rack, and its storages by type. Immutable. */
final class NodeEntry {
  private static final DatanodeStorageInfo[] NO_STORAGES = {};

  private final DatanodeDescriptor node;
  private final int rack;
  private final int index;
  private final int zone;
  private final DatanodeStorageInfo[][] byType;

  /**
   * @param index the node's number in its snapshot, from 0 on
   * @param zone a number that nodes of one zone have in common
   * @param wornOut ids of storages that get no new replicas
   */
  NodeEntry(DatanodeDescriptor node, int rack, int index, int zone, Set<String> wornOut) {
    this.node = node;
    this.rack = rack;
    this.zone = zone;
    this.index = index;
    this.byType = new DatanodeStorageInfo[StorageType.values().length][];
    DatanodeStorageInfo[] all = node.getStorageInfos();
    for (StorageType type : StorageType.values()) {
      DatanodeStorageInfo[] some = NO_STORAGES;
      for (DatanodeStorageInfo storage : all) {
        if (storage.getStorageType() == type && !wornOut.contains(storage.getStorageID())) {
          some = Arrays.copyOf(some, some.length + 1);
          some[some.length - 1] = storage;
        }
      }
      byType[type.ordinal()] = some;
    }
  }

  DatanodeDescriptor node() {
    return node;
  }

  int rack() {
    return rack;
  }

  int index() {
    return index;
  }

  int zone() {
    return zone;
  }

  boolean has(StorageType type) {
    return byType[type.ordinal()].length > 0;
  }

  /**
   * The stock rule of space on a node: the storages of the type that could take the block must together
   * have room for it beside all blocks that are on their way to the node.
   */
  boolean hasSpace(StorageType type, long blockSize, int leastBlocks) {
    long required = blockSize * leastBlocks;
    long remaining = 0;
    for (DatanodeStorageInfo storage : byType[type.ordinal()]) {
      if (canTake(storage, required)) {
        remaining += ThermoclineBridge.remaining(storage);
      }
    }
    return required <= remaining - blockSize * node.getBlocksScheduled(type);
  }

  /**
   * One of the storages of the type that could take the block, in proportion to capacity; null where
   * there is none.
   *
   * @param key well mixed
   */
  DatanodeStorageInfo pick(StorageType type, long required, long key) {
    DatanodeStorageInfo[] storages = byType[type.ordinal()];
    long total = 0;
    for (DatanodeStorageInfo storage : storages) {
      total += weight(storage, required);
    }
    if (total == 0) {
      return null;
    }
    long at = (key >>> 1) % total;
    for (DatanodeStorageInfo storage : storages) {
      at -= weight(storage, required);
      if (at < 0) {
        return storage;
      }
    }
    // A heartbeat came in between.
    return null;
  }

  /** Whether the storage takes writes, and has that many bytes left. */
  static boolean canTake(DatanodeStorageInfo storage, long required) {
    return ThermoclineBridge.isNormal(storage) && ThermoclineBridge.remaining(storage) >= required;
  }

  private static long weight(DatanodeStorageInfo storage, long required) {
    return canTake(storage, required) ? Math.max(1, ThermoclineBridge.capacity(storage)) : 0;
  }
}
