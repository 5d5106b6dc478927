// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.plan;

import io.thermocline.tiering.observe.FileView;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What must not meet on a node: the replicas of a block, or of all internal blocks of an erasure-coded group, where they
 * lie while moves are planned. Not thread-safe.
 */
final class BlockGroup {

  /*
   * The NameNode keeps one place a node for a block group. A node that gets an internal block while it still has
   * another of the group on its way out loses the record of the new one as it reports the old one deleted: the block is
   * there, and HDFS shows it missing until the next full report. So a node of a group that a plan takes one from is no
   * target for another of that group in the same plan.
   */

  private final boolean isCoded;
  private final List<FileView.Replica> replicas = new ArrayList<>();

  /** Nodes that held one when the plan began, or get one. */
  private final Set<String> touched = new HashSet<>();

  BlockGroup(boolean isCoded) {
    this.isCoded = isCoded;
  }

  void add(List<FileView.Replica> more) {
    replicas.addAll(more);
    more.forEach(replica -> touched.add(replica.node()));
  }

  boolean isCoded() {
    return isCoded;
  }

  /** As they lie once all that was planned is done. */
  List<FileView.Replica> replicas() {
    return replicas;
  }

  void moved(FileView.Replica source, FileView.Replica target) {
    replicas.remove(source);
    replicas.add(target);
    touched.add(target.node());
  }

  /** Whether a copy from this source may not go to the node. */
  boolean occupies(FileView.Replica source, String node) {
    return isCoded
        ? touched.contains(node) && !source.node().equals(node)
        : replicas.stream().anyMatch(replica -> replica != source && replica.node().equals(node));
  }
}
