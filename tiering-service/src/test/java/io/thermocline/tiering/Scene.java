// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.observe.FileView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A made-up cluster for tests of pure stages: nodes n1, n2, ... on racks of two, each with one storage
 * of each type, named "n1-SSD". Not thread-safe.
 */
public final class Scene {

  private final Map<String, Map<StorageType, Long>> capacities = new HashMap<>();
  private final Map<String, Long> used = new HashMap<>();
  private long nextBlock = 1;

  /** Adds nodes that all have the same storages. */
  public Scene nodes(int count, Map<StorageType, Long> capacity) {
    for (int i = 0; i < count; i++) {
      capacities.put("n" + (capacities.size() + 1), capacity);
    }
    return this;
  }

  /** A file of one block with a replica on each of the storages, which take its bytes. */
  public FileView file(String path, long length, String... storages) {
    List<FileView.Replica> replicas = new ArrayList<>();
    for (String storage : storages) {
      String[] parts = storage.split("-");
      replicas.add(new FileView.Replica(parts[0], storage, StorageType.valueOf(parts[1])));
      used.merge(storage, length, Long::sum);
    }
    FileView.Block block = new FileView.Block("BP-1", nextBlock++, 1, length, replicas);
    return new FileView(path, length, storages.length, 0, List.of(block));
  }

  /** Bytes that are no file of the scene. */
  public Scene taken(String storage, long bytes) {
    used.merge(storage, bytes, Long::sum);
    return this;
  }

  public ClusterView cluster() {
    Map<String, ClusterView.Node> nodes = new HashMap<>();
    capacities.forEach(
        (node, byType) -> {
          List<ClusterView.Storage> storages = new ArrayList<>();
          byType.forEach(
              (type, capacity) -> {
                String id = node + "-" + type;
                long left = capacity - used.getOrDefault(id, 0L);
                storages.add(new ClusterView.Storage(id, node, type, capacity, left));
              });
          int rack = (Integer.parseInt(node.substring(1)) - 1) / 2;
          nodes.put(node, new ClusterView.Node(node, node + ":9866", "/r" + rack, storages));
        });
    return new ClusterView(nodes, 1);
  }
}
