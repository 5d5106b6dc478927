// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.plan;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.observe.FileView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How full a storage type is before and after the moves of a plan; replicas in addition, and memory, don't count.
 *
 * @param node host and port of a DataNode; empty: all of them together
 * @param before bytes that are used when the plan is made
 * @param after bytes that are used once all moves are made, if nothing else changes
 */
public record PlanSpace(String node, StorageType type, long before, long after, long capacity) {

  /** All types, then each DataNode whose space changes, by name. */
  public static List<PlanSpace> of(Plan plan, ClusterView cluster) {
    Map<String, Map<StorageType, Long>> changes = new HashMap<>();
    for (Move move : plan.moves()) {
      FileView.Replica source = move.source();
      add(changes, source.node(), source.type(), -move.bytes());
      add(changes, move.targetNode(), move.targetType(), move.bytes());
    }
    List<PlanSpace> all = new ArrayList<>();
    new TreeMap<>(cluster.occupancy())
        .descendingMap()
        .forEach(
            (type, bytes) -> {
              long change =
                  changes.values().stream().mapToLong(each -> each.getOrDefault(type, 0L)).sum();
              all.add(
                  new PlanSpace("", type, bytes.used(), bytes.used() + change, bytes.capacity()));
            });
    Map<String, ClusterView.Node> byName = new TreeMap<>();
    cluster.nodes().values().forEach(node -> byName.put(node.name(), node));
    byName.forEach(
        (name, node) ->
            new TreeMap<>(changes.getOrDefault(node.uuid(), Map.of()))
                .descendingMap()
                .forEach((type, change) -> all.add(of(node, type, change))));
    return all;
  }

  private static PlanSpace of(ClusterView.Node node, StorageType type, long change) {
    List<ClusterView.Storage> storages = node.storages(type);
    long used = storages.stream().mapToLong(ClusterView.Storage::used).sum();
    long capacity = storages.stream().mapToLong(ClusterView.Storage::capacity).sum();
    return new PlanSpace(node.name(), type, used, used + change, capacity);
  }

  private static void add(
      Map<String, Map<StorageType, Long>> changes, String node, StorageType type, long bytes) {
    changes.computeIfAbsent(node, first -> new HashMap<>()).merge(type, bytes, Long::sum);
  }
}
