// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import java.util.List;
import java.util.Set;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.Node;

/**
 * What the NameNode asks for in one call, in the terms of a snapshot. Used by one thread; doesn't change
 * while candidate sets are made of it. The caller's collections are read only.
 */
final class PlacementCall {
  final int wanted;
  final Node writer;
  final List<DatanodeStorageInfo> chosen;
  final Set<Node> excluded;
  final long blockSize;
  final BlockStoragePolicy policy;

  ClusterSnapshot snapshot;

  /** Replicas on a rack at most, those of {@link #chosen} included. */
  int mostPerRack;

  /** The writer's own node, where it is a DataNode of the cluster. */
  NodeEntry local;

  /** Whether a replica near the writer is wanted, on {@link #homeRack} if there is such a rack. */
  boolean hasHome;

  int homeRack = ClusterSnapshot.NO_RACK;

  /** Null for none. */
  Node barredNode;

  int barredRack = ClusterSnapshot.NO_RACK;

  /** The incomplete set of a call that too few nodes fit; null for other calls. */
  ReplicaChoice partial;

  /**
   * @param wanted new replicas, at least 1
   * @param writer may be null
   * @param excluded may be null
   */
  PlacementCall(
      int wanted,
      Node writer,
      List<DatanodeStorageInfo> chosen,
      Set<Node> excluded,
      long blockSize,
      BlockStoragePolicy policy) {
    this.wanted = wanted;
    this.writer = writer;
    this.chosen = chosen;
    this.excluded = excluded;
    this.blockSize = blockSize;
    this.policy = policy;
  }

  /** Whether places were looked for. */
  boolean isSearched() {
    return snapshot != null;
  }

  /**
   * Bars a node, a rack, both or neither from the candidate sets that are made from now on.
   *
   * @param node null for none
   */
  void bar(Node node, int rack) {
    barredNode = node;
    barredRack = rack;
  }

  boolean isNewBlock() {
    return chosen.isEmpty();
  }

  int total() {
    return chosen.size() + wanted;
  }

  boolean excludes(DatanodeDescriptor node) {
    return node == barredNode || excluded != null && !excluded.isEmpty() && excluded.contains(node);
  }

  long requiredSpace() {
    return blockSize * snapshot.load().leastBlocks();
  }
}
