// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import java.util.function.Predicate;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;

/**
 * The stock policy's checks of a node by itself, without its locks and lists. What compares a node with
 * others, racks and the nodes already chosen, is {@link ReplicaChoice}'s. Immutable.
 */
final class NodeChecks {
  private final boolean considerLoad;
  private final Predicate<DatanodeDescriptor> busy;
  private final long staleMillis;

  /**
   * Checks as the configuration says.
   *
   * @param busy asked in place of the cluster's average load where not null
   */
  NodeChecks(boolean considerLoad, Predicate<DatanodeDescriptor> busy, long staleMillis) {
    this.considerLoad = considerLoad;
    this.busy = busy;
    this.staleMillis = staleMillis;
  }

  /** All but the load, which a writer's own node isn't asked for. */
  boolean isHealthy(DatanodeDescriptor node, boolean avoidStale, boolean avoidSlow) {
    // Without a parent a node has left the topology; since the snapshot, that is.
    return node.isAlive()
        && node.getParent() != null
        && node.isInService()
        && !(avoidStale && node.isStale(staleMillis))
        && !(avoidSlow && isSlow(node));
  }

  boolean isTooBusy(DatanodeDescriptor node, ClusterLoad load) {
    return considerLoad
        && (busy == null ? load.isTooBusy(node.getXceiverCount()) : busy.test(node));
  }

  private static boolean isSlow(DatanodeDescriptor node) {
    return DatanodeManager.getSlowNodesUuidSet().contains(node.getDatanodeUuid());
  }
}
