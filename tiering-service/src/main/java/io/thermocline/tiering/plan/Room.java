// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.plan;

import io.thermocline.tiering.cluster.ClusterView;
import java.util.HashMap;
import java.util.Map;

/**
 * The room on each storage while a plan is made: what the snapshot shows, less what the plan already
 * sends there. What the plan takes away counts only once it is gone, in a later snapshot.
 */
final class Room {

  private final ClusterView cluster;
  private final double fill;
  private final Map<String, ClusterView.Storage> storages = new HashMap<>();
  private final Map<String, Long> planned = new HashMap<>();

  Room(ClusterView cluster, double fill) {
    this.cluster = cluster;
    this.fill = fill;
    cluster.nodes().values().stream()
        .flatMap(node -> node.storages().stream())
        .forEach(storage -> storages.put(storage.id(), storage));
  }

  /** The storage of this id, or null where its node is not live and in service. */
  ClusterView.Storage storage(String id) {
    return storages.get(id);
  }

  /** The rack of a node; a node that is not in the snapshot is on a rack of its own. */
  String rack(String node) {
    ClusterView.Node found = cluster.nodes().get(node);
    return found == null ? node : found.rack();
  }

  /** Whether the DataNode will take a copy of so many bytes, in whatever order the plan's copies come. */
  boolean has(ClusterView.Storage storage, long bytes) {
    long after = planned.getOrDefault(storage.id(), 0L) + bytes;
    return storage.remaining() - after > cluster.blockSize()
        && storage.used() + after <= fill * storage.capacity();
  }

  void reserve(Move move) {
    planned.merge(move.targetStorage(), move.bytes(), Long::sum);
  }

  void release(Move move) {
    planned.merge(move.targetStorage(), -move.bytes(), Long::sum);
  }
}
