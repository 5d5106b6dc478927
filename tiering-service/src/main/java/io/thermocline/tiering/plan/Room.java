// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.plan;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.cluster.ClusterView;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The room on each storage while a plan is made: what the snapshot shows, less what the plan
 * already sends there. What the plan takes away makes room only once it is gone, in a later
 * snapshot.
 */
final class Room {

  /**
   * By so much of its capacity a storage may be fuller than others before blocks go to their
   * homes instead.
   */
  private static final double SLACK = 0.02;

  private final ClusterView cluster;
  private final double fill;
  private final Map<String, ClusterView.Storage> storages = new HashMap<>();
  private final Map<String, Long> planned = new HashMap<>();
  private final Map<String, Long> leaving = new HashMap<>();
  private final Map<StorageType, Long> plannedOfType = new EnumMap<>(StorageType.class);
  private final Map<StorageType, ClusterView.Occupancy> occupancy;

  Room(ClusterView cluster, double fill) {
    this.cluster = cluster;
    this.fill = fill;
    this.occupancy = cluster.occupancy();
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

  /**
   * Whether the DataNode will take a copy of so many bytes, in whatever order the plan's copies
   * come, and isn't one that is slow or excluded, nor the device worn out.
   */
  boolean has(ClusterView.Storage storage, long bytes) {
    long after = planned.getOrDefault(storage.id(), 0L) + bytes;
    return !cluster.slow().contains(storage.node())
        && !isExcluded(storage.node())
        && !cluster.wornOut().contains(storage.id())
        && storage.remaining() - after > cluster.blockSize()
        && storage.used() + after <= fill * storage.capacity();
  }

  /** Whether somebody excluded a DataNode. */
  boolean isExcluded(String node) {
    return cluster.excluded().contains(node);
  }

  /** How many DataNodes somebody excluded. */
  int excluded() {
    return cluster.excluded().size();
  }

  /** How many storages of a type take no copy, as their devices are worn out. */
  long wornOut(StorageType type) {
    return storages.values().stream()
        .filter(storage -> storage.type() == type && cluster.wornOut().contains(storage.id()))
        .count();
  }

  /** How many DataNodes take no copy, as they are slow. */
  int slow() {
    return cluster.slow().size();
  }

  /** How full a storage is with what is planned, from 0 to 1. */
  double fullness(ClusterView.Storage storage) {
    long used = storage.used() + planned.getOrDefault(storage.id(), 0L);
    return storage.capacity() == 0 ? 1 : (double) used / storage.capacity();
  }

  /** How full a storage is once the plan is carried out, from 0 to 1. */
  double fullnessAfterwards(ClusterView.Storage storage) {
    long leaves = leaving.getOrDefault(storage.id(), 0L);
    return fullness(storage) - (storage.capacity() == 0 ? 0 : (double) leaves / storage.capacity());
  }

  /** Whether it is about as full as its type is on average, or less. */
  boolean isBalanced(ClusterView.Storage storage) {
    ClusterView.Occupancy all = occupancy.get(storage.type());
    double average =
        (double) (all.used() + plannedOfType.getOrDefault(storage.type(), 0L)) / all.capacity();
    return fullness(storage) <= average + SLACK;
  }

  void reserve(Move move) {
    reserve(move.targetStorage(), move.bytes());
    leaving.merge(move.source().storageId(), move.bytes(), Long::sum);
  }

  /** Takes bytes of a storage, or gives them back where negative. */
  void reserve(String storage, long bytes) {
    planned.merge(storage, bytes, Long::sum);
    plannedOfType.merge(storages.get(storage).type(), bytes, Long::sum);
  }

  void release(Move move) {
    reserve(move.targetStorage(), -move.bytes());
    leaving.merge(move.source().storageId(), -move.bytes(), Long::sum);
  }
}
