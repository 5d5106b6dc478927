// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.plan;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.cluster.ClusterView;
import java.util.HashMap;
import java.util.List;
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

  /** A node's storages of a type; none where it is not live and in service. */
  List<ClusterView.Storage> storages(String node, StorageType type) {
    ClusterView.Node found = cluster.nodes().get(node);
    return found == null ? List.of() : found.storages(type);
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
    reserve(move.targetStorage(), move.bytes());
  }

  /** Takes bytes of a storage, or gives them back where negative. */
  void reserve(String storage, long bytes) {
    planned.merge(storage, bytes, Long::sum);
  }

  void release(Move move) {
    reserve(move.targetStorage(), -move.bytes());
  }
}
