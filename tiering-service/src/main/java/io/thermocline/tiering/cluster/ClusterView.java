// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.cluster;

import io.thermocline.placement.model.NodeAttributes;
import io.thermocline.placement.model.StorageType;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The storages of the live DataNodes at one moment. Immutable.
 *
 * @param nodes by UUID
 * @param blockSize default block size in bytes. A DataNode that is sent a copy takes it only where this
 *     much is free, however short the block is: it does not know the length beforehand
 * @param slow UUIDs of DataNodes that HDFS itself finds slow: they keep what they have, and no
 *     copy is planned to them
 * @param excluded UUIDs of DataNodes that somebody excluded: no copy is planned to them or from them
 * @param wornOut ids of storages to which more was written than their device is made for: no copy is
 *     planned to them
 */
public record ClusterView(
    Map<String, Node> nodes,
    long blockSize,
    Set<String> slow,
    Set<String> excluded,
    Set<String> wornOut) {

  public ClusterView {
    nodes = Map.copyOf(nodes);
    slow = Set.copyOf(slow);
    excluded = Set.copyOf(excluded);
    wornOut = Set.copyOf(wornOut);
  }

  /** With none that is known to be slow. */
  public ClusterView(Map<String, Node> nodes, long blockSize) {
    this(nodes, blockSize, Set.of(), Set.of(), Set.of());
  }

  /** The same with these DataNodes known as slow. */
  public ClusterView withSlow(Set<String> slow) {
    return new ClusterView(nodes, blockSize, slow, excluded, wornOut);
  }

  /** The same with the storages known that are worn out by what node attributes say. */
  public ClusterView withWear(NodeAttributes attributes) {
    Set<String> worn = new HashSet<>();
    for (Node node : nodes.values()) {
      String host = node.host().substring(0, Math.max(0, node.host().lastIndexOf(':')));
      for (Storage storage : node.storages()) {
        if (attributes.storage(host, storage.type(), storage.id()).isWornOut()) {
          worn.add(storage.id());
        }
      }
    }
    return new ClusterView(nodes, blockSize, slow, excluded, worn);
  }

  /**
   * The same without copies to or from some DataNodes.
   *
   * @param names hosts, hosts with ports, or UUIDs; what names no live DataNode does nothing
   */
  public ClusterView without(Collection<String> names) {
    Set<String> uuids =
        nodes.values().stream()
            .filter(node -> names.stream().anyMatch(node::isNamed))
            .map(Node::uuid)
            .collect(Collectors.toSet());
    return new ClusterView(nodes, blockSize, slow, uuids, wornOut);
  }

  /**
   * A live, in-service DataNode.
   *
   * @param uuid its identity, which survives restarts and address changes
   * @param name address and port
   * @param host its name with the same port, for people
   * @param rack network location, as the NameNode resolved it
   * @param cacheCapacity bytes of memory that it has for cached blocks
   * @param cacheUsed bytes of them that are taken
   * @param silentMillis without a heartbeat, when another DataNode sent the last one
   * @param web its web server, for instance http://10.0.0.7:9864; empty where it isn't known
   */
  public record Node(
      String uuid,
      String name,
      String rack,
      List<Storage> storages,
      long cacheCapacity,
      long cacheUsed,
      String host,
      long silentMillis,
      String web) {
    public Node {
      storages = List.copyOf(storages);
    }

    /** One that caches nothing. */
    public Node(String uuid, String name, String rack, List<Storage> storages) {
      this(uuid, name, rack, storages, 0, 0, name, 0, "");
    }

    /** Whether a text is its address or host, with or without the port, or its UUID. */
    public boolean isNamed(String text) {
      return text.equals(uuid) || isOf(text, name) || isOf(text, host);
    }

    private static boolean isOf(String text, String name) {
      return text.equalsIgnoreCase(name)
          || text.equalsIgnoreCase(name.substring(0, Math.max(0, name.lastIndexOf(':'))));
    }

    /** Its storages of one type; most nodes have one volume or several of each. */
    public List<Storage> storages(StorageType type) {
      return storages.stream().filter(storage -> storage.type() == type).toList();
    }
  }

  /** One volume of a DataNode. Sizes in bytes. */
  public record Storage(String id, String node, StorageType type, long capacity, long remaining) {

    /** What is not there for new replicas, whoever took it: blocks, reservations, other files. */
    public long used() {
      return Math.max(0, capacity - remaining);
    }
  }

  /** Bytes used and there are on all storages of one type. */
  public record Occupancy(long used, long capacity) {
    /** From 0 to 1. */
    public double fraction() {
      return capacity == 0 ? 0 : (double) used / capacity;
    }
  }

  /** Each storage type that some node has, with its total. */
  public Map<StorageType, Occupancy> occupancy() {
    return nodes.values().stream()
        .map(Node::storages)
        .flatMap(Collection::stream)
        .collect(
            Collectors.toMap(
                Storage::type,
                storage -> new Occupancy(storage.used(), storage.capacity()),
                (a, b) -> new Occupancy(a.used() + b.used(), a.capacity() + b.capacity()),
                () -> new EnumMap<>(StorageType.class)));
  }
}
