// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;

/**
 * The one class of ours in a package of Hadoop's: hands the package-private parts of the stock policy
 * that Thermocline needs to a subclass outside. Decides nothing.
 *
 * <p>Uses only what has the same signature in Hadoop 3.3.6, 3.4.3 and 3.5.0.
 */
public abstract class ThermoclineBridge extends BlockPlacementPolicyDefault {
  /** Null before Hadoop 3.4, which asks for space for one block. */
  private static final Method LEAST_BLOCKS = leastBlocksGetter();

  private static Method leastBlocksGetter() {
    try {
      return BlockPlacementPolicy.class.getMethod("getMinBlocksForWrite");
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  @Override
  public final void initialize(
      Configuration conf,
      FSClusterStats stats,
      NetworkTopology clusterMap,
      Host2NodesMap host2datanodeMap) {
    super.initialize(conf, stats, clusterMap, host2datanodeMap);
    initialized(conf, stats, clusterMap);
  }

  /**
   * Called once, after the stock policy has been initialized.
   *
   * @param stats null where the policy is created outside the NameNode's block manager: by the
   *     balancer, the mover and fsck
   */
  protected abstract void initialized(
      Configuration conf, FSClusterStats stats, NetworkTopology clusterMap);

  /** The stock checks of a node: in service, not stale, not too busy, not slow, rack not full. */
  protected final boolean isGood(
      DatanodeDescriptor node,
      int maxNodesPerRack,
      List<DatanodeStorageInfo> results,
      boolean avoidStaleNodes) {
    return isGoodDatanode(node, maxNodesPerRack, considerLoad, results, avoidStaleNodes);
  }

  /**
   * The stock check of a node's space for a block on any of its storages of that type, which knows
   * the current minimum of blocks. Adds the storage it found to the results.
   */
  protected final boolean addIfSpace(
      DatanodeDescriptor node,
      long blocksize,
      List<DatanodeStorageInfo> results,
      StorageType type) {
    return chooseStorage4Block(node, blocksize, results, type) != null;
  }

  /** Whether new blocks may go to a storage, apart from its space and its node's state. */
  protected abstract boolean takesBlocks(DatanodeStorageInfo storage);

  /** The stock choice among the storages of one type on a node, of those that take blocks. */
  @Override
  final DatanodeStorageInfo chooseStorage4Block(
      DatanodeDescriptor node,
      long blocksize,
      List<DatanodeStorageInfo> results,
      StorageType type) {
    DatanodeStorageInfo stock = super.chooseStorage4Block(node, blocksize, results, type);
    if (stock == null || takesBlocks(stock)) {
      return stock;
    }
    results.remove(results.size() - 1);
    long scheduled = blocksize * node.getBlocksScheduled(type);
    for (DatanodeStorageInfo other : node.getStorageInfos()) {
      if (other.getStorageType() == type
          && isNormal(other)
          && other.getRemaining() - scheduled >= blocksize * leastBlocks()
          && takesBlocks(other)) {
        results.add(other);
        return other;
      }
    }
    return null;
  }

  /** Transfer threads above which a node is too busy, by the average of all nodes; 0 for any number. */
  protected final double mostTransfers(FSClusterStats stats) {
    return considerLoadFactor * stats.getInServiceXceiverAverage();
  }

  /** Whether nodes are compared by their load. */
  protected final boolean considersLoad() {
    return considerLoad;
  }

  /** The stock check of a node's load, which knows the averages by storage type and volume. */
  protected final boolean isTooBusy(DatanodeDescriptor node) {
    return excludeNodeByLoad(node);
  }

  /** Blocks for which a storage must have space to get one; may change at run time. */
  protected final int leastBlocks() {
    try {
      return LEAST_BLOCKS == null ? 1 : (Integer) LEAST_BLOCKS.invoke(this);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("getMinBlocksForWrite can't be called", e);
    }
  }

  /** Marks the node, and what the stock policy counts as related to it, as not to be chosen. */
  protected final void exclude(DatanodeDescriptor node, Set<Node> excludedNodes) {
    excludedNodes.add(node);
    addToExcludedNodes(node, excludedNodes);
  }

  /** Whether the storage takes writes. */
  public static boolean isNormal(DatanodeStorageInfo storage) {
    return storage.getState() == DatanodeStorage.State.NORMAL;
  }

  /** In bytes; 0 until the first heartbeat. */
  public static long capacity(DatanodeStorageInfo storage) {
    return storage.getCapacity();
  }

  /** In bytes, as the last heartbeat said. */
  public static long remaining(DatanodeStorageInfo storage) {
    return storage.getRemaining();
  }
}
