// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import io.thermocline.placement.choice.Location;
import io.thermocline.placement.choice.Metric;
import io.thermocline.placement.choice.ServerAttributes;
import io.thermocline.placement.choice.ServerMetrics;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.ThermoclineBridge;

/**
 * What a NameNode knows of its DataNodes, as choice policies read it. To be called where the snapshot of
 * the cluster is made, off the call path. Immutable, safe for any thread.
 *
 * <p>Space, transfer threads and cache are those of the last heartbeat. What heartbeats don't carry (free
 * RAM, processors, write latency, journal) is asked of the attributes. Uses only what has the same
 * signature in Hadoop 3.3.6, 3.4.3 and 3.5.0.
 */
final class NameNodeMetrics {
  /** HDFS's cache is RAM that it has pinned: what is left of that is no free RAM. */
  private static final Metric[] FROM_ATTRIBUTES = {
    Metric.MEMORY_FREE, Metric.CPU_USED, Metric.WRITE_LATENCY, Metric.JOURNAL_UNFLUSHED
  };

  private final ServerAttributes attributes;
  private final Supplier<Set<String>> slowNodes;

  /**
   * @param slowNodes UUIDs of the nodes that their peers report as slow; null where nobody reports
   */
  NameNodeMetrics(ServerAttributes attributes, Supplier<Set<String>> slowNodes) {
    this.attributes = attributes;
    this.slowNodes = slowNodes;
  }

  /**
   * With this NameNode's slow-node reports, which there are only with {@code
   * dfs.datanode.peer.stats.enabled}: without, no node counts as slow.
   */
  static NameNodeMetrics of(ServerAttributes attributes) {
    return new NameNodeMetrics(attributes, DatanodeManager::getSlowNodesUuidSet);
  }

  /** One server for each storage: space is the storage's own, the rest its node's. Entries may be null. */
  ServerMetrics ofStorages(DatanodeStorageInfo[] storages) {
    ServerMetrics.Builder metrics = ServerMetrics.builder(storages.length);
    Set<String> slow = slow();
    for (int i = 0; i < storages.length; i++) {
      DatanodeStorageInfo storage = storages[i];
      if (storage != null) {
        ofNode(metrics, i, storage.getDatanodeDescriptor(), slow);
        ofSpace(
            metrics, i, ThermoclineBridge.capacity(storage), ThermoclineBridge.remaining(storage));
      }
    }
    return metrics.build();
  }

  /** Where a writer is: as the distances of these metrics are measured. */
  static Location locationOf(DatanodeDescriptor node) {
    return Location.of(node.getHostName(), node.getNetworkLocation());
  }

  private Set<String> slow() {
    return slowNodes == null ? null : slowNodes.get();
  }

  private void ofNode(
      ServerMetrics.Builder metrics, int server, DatanodeDescriptor node, Set<String> slow) {
    metrics.location(server, locationOf(node));
    if (slow != null) {
      metrics.set(Metric.SLOW, server, slow.contains(node.getDatanodeUuid()) ? 1 : 0);
    }
    // A node that has registered but not yet reported has no capacity, and its zeros mean nothing.
    if (node.getCapacity() > 0) {
      metrics
          .set(Metric.XCEIVERS, server, node.getXceiverCount())
          .set(Metric.CACHE_CAPACITY, server, node.getCacheCapacity())
          .set(Metric.CACHE_USED, server, node.getCacheUsed())
          .set(Metric.CACHE_REMAINING, server, node.getCacheRemaining());
    }
    for (Metric metric : FROM_ATTRIBUTES) {
      metrics.set(metric, server, attributes.value(metric, node.getHostName()));
    }
  }

  private static void ofSpace(
      ServerMetrics.Builder metrics, int server, long capacity, long remaining) {
    if (capacity > 0) {
      // Used is what can't take blocks: theirs, others' and what is reserved.
      metrics
          .set(Metric.DISK_CAPACITY, server, capacity)
          .set(Metric.DISK_REMAINING, server, remaining)
          .set(Metric.DISK_USED, server, 1 - (double) remaining / capacity);
    }
  }
}
