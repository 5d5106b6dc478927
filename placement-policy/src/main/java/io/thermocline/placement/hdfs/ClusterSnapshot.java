// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import io.thermocline.placement.model.StorageType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.Node;

/**
 * The cluster as placement sees it: nodes, racks, and per storage type the buckets, whole and by rack.
 * Immutable but for what is counted of writers; a call works on one from start to end. Racks are numbered from 0; storage types go by the
 * ordinal of Hadoop's enum.
 */
final class ClusterSnapshot {
  /** No rack. */
  static final int NO_RACK = -1;

  private static final RackedLine[] NO_LINES = {};

  private final Map<Node, NodeEntry> entries;
  private final NodeEntry[] byIndex;
  private final long zones;
  private final double[][] weights;
  private final ReplicaPlans plans;
  private final Writers writers;
  private final Racks racks;
  private final RackedLine[][] lines;
  private final int missing;
  private final int foreign;
  private final long[] capacities;
  private final ClusterLoad load;
  private final StorageMetrics metrics;

  private ClusterSnapshot(
      Map<Node, NodeEntry> entries,
      NodeEntry[] byIndex,
      double[][] weights,
      ReplicaPlans plans,
      Writers writers,
      Racks racks,
      RackedLine[][] lines,
      ClusterLoad load,
      StorageMetrics metrics) {
    this.byIndex = byIndex;
    this.zones = Arrays.stream(byIndex).mapToInt(NodeEntry::zone).distinct().count();
    this.weights = weights;
    this.plans = plans;
    this.writers = writers;
    this.metrics = metrics;
    this.entries = entries;
    this.racks = racks;
    this.lines = lines;
    this.load = load;
    int none = 0;
    int unknown = 0;
    for (org.apache.hadoop.fs.StorageType type : org.apache.hadoop.fs.StorageType.values()) {
      int bit = 1 << type.ordinal();
      if (lines[type.ordinal()] == null) {
        unknown |= bit;
      } else if (lines[type.ordinal()].length == 0) {
        none |= bit;
      }
    }
    this.missing = none;
    this.capacities = new long[lines.length];
    Arrays.setAll(
        capacities,
        type ->
            lines[type] == null
                ? 0
                : Arrays.stream(lines[type]).mapToLong(RackedLine::capacity).sum());
    this.foreign = unknown;
  }

  /**
   * A cluster under no load.
   *
   * @param wornOut ids of storages that get no new replicas
   * @param before the snapshot before; null for none
   */
  static ClusterSnapshot of(
      List<DatanodeDescriptor> nodes,
      List<BucketLine> buckets,
      BucketSelection selection,
      Set<String> wornOut,
      ClusterSnapshot before) {
    Racks racks = Racks.of(nodes);
    Map<Node, NodeEntry> entries = new IdentityHashMap<>(nodes.size() * 2);
    Map<DatanodeDescriptor, Integer> rackOf = new IdentityHashMap<>(nodes.size() * 2);
    Map<String, Integer> zones = new HashMap<>();
    for (DatanodeDescriptor node : nodes) {
      int rack = racks.indexOf(node.getNetworkLocation());
      rackOf.put(node, rack);
      int zone = zones.computeIfAbsent(zoneOf(node, selection), name -> zones.size());
      entries.put(node, new NodeEntry(node, rack, entries.size(), zone, wornOut));
    }
    NodeEntry[] byIndex = new NodeEntry[entries.size()];
    entries.values().forEach(entry -> byIndex[entry.index()] = entry);
    RackedLine[][] lines = new RackedLine[org.apache.hadoop.fs.StorageType.values().length][];
    for (org.apache.hadoop.fs.StorageType type : org.apache.hadoop.fs.StorageType.values()) {
      StorageType ours = StorageTypes.ours(type);
      if (ours == null && entries.values().stream().anyMatch(entry -> entry.has(type))) {
        continue;
      }
      List<RackedLine> some = new ArrayList<>();
      for (BucketLine bucket : buckets) {
        if (bucket.type() == ours) {
          some.add(RackedLine.of(bucket, rackOf, racks.count(), selection));
        }
      }
      lines[type.ordinal()] = some.toArray(NO_LINES);
    }
    double[][] weights = new double[lines.length][];
    for (int type = 0; type < lines.length; type++) {
      // Several buckets of a type are drawn from one by one.
      weights[type] =
          lines[type] == null || lines[type].length != 1
              ? null
              : weights(lines[type][0], entries, byIndex.length);
    }
    Writers writers = Writers.of(byIndex, racks, before);
    ReplicaPlans plans = ReplicaPlans.of(weights, racksOf(byIndex), writers.planned());
    return new ClusterSnapshot(
        entries, byIndex, weights, plans, writers, racks, lines, ClusterLoad.NONE, null);
  }

  /** Of a node that has none, the empty name. */
  private static String zoneOf(DatanodeDescriptor node, BucketSelection selection) {
    for (DatanodeStorageInfo storage : node.getStorageInfos()) {
      String zone = selection.zoneOf(storage);
      if (zone != null) {
        return zone;
      }
    }
    return "";
  }

  /** By node, the sum of its storages' weights; null where the bucket's selector has none. */
  private static double[] weights(RackedLine line, Map<Node, NodeEntry> entries, int nodes) {
    double[] ofDevices = line.selector().weights();
    if (ofDevices == null) {
      return null;
    }
    double[] sums = new double[nodes];
    for (int device = 0; device < ofDevices.length; device++) {
      sums[entries.get(line.storage(device).getDatanodeDescriptor()).index()] += ofDevices[device];
    }
    return sums;
  }

  private static int[] racksOf(NodeEntry[] nodes) {
    return Arrays.stream(nodes).mapToInt(NodeEntry::rack).toArray();
  }

  /** The same cluster with plans for those who write now; this one where these are the same. */
  ClusterSnapshot forItsWriters() {
    return writers.haveChanged()
        ? new ClusterSnapshot(
            entries,
            byIndex,
            weights,
            ReplicaPlans.of(weights, racksOf(byIndex), writers.planned()),
            writers,
            racks,
            lines,
            load,
            metrics)
        : this;
  }

  /** Whether nodes are in several zones. */
  boolean hasZones() {
    return zones > 1;
  }

  Writers writers() {
    return writers;
  }

  /** Never null. */
  ReplicaPlans plans() {
    return plans;
  }

  /** A node by its {@link NodeEntry#index}. */
  NodeEntry entry(int index) {
    return byIndex[index];
  }

  /**
   * The same cluster under another load.
   *
   * @param measured null where nothing is chosen by it
   */
  ClusterSnapshot under(ClusterLoad other, StorageMetrics measured) {
    return new ClusterSnapshot(
        entries, byIndex, weights, plans, writers, racks, lines, other, measured);
  }

  /** Whether the same nodes stand on the same racks, with the same buckets. */
  boolean shows(List<DatanodeDescriptor> nodes, List<BucketLine> buckets) {
    if (nodes.size() != entries.size()) {
      return false;
    }
    int foreignNow = 0;
    for (DatanodeDescriptor node : nodes) {
      NodeEntry entry = entries.get(node);
      if (entry == null || !racks.name(entry.rack()).equals(node.getNetworkLocation())) {
        return false;
      }
      foreignNow |= foreignTypes(node);
    }
    if (foreignNow != foreign) {
      return false;
    }
    List<BucketLine> here = new ArrayList<>();
    for (RackedLine[] some : lines) {
      for (int i = 0; some != null && i < some.length; i++) {
        here.add(some[i].line());
      }
    }
    return here.size() == buckets.size() && here.containsAll(buckets);
  }

  /** Mask of the node's storage types that are no buckets of ours. */
  private static int foreignTypes(DatanodeDescriptor node) {
    int types = 0;
    for (DatanodeStorageInfo storage : node.getStorageInfos()) {
      if (StorageTypes.ours(storage.getStorageType()) == null) {
        types |= 1 << storage.getStorageType().ordinal();
      }
    }
    return types;
  }

  /** Null for a node that isn't in this snapshot. */
  NodeEntry entry(Node node) {
    return entries.get(node);
  }

  Racks racks() {
    return racks;
  }

  /** The buckets of a type by its ordinal; empty where there are none, null for a foreign type. */
  RackedLine[] lines(int type) {
    return lines[type];
  }

  boolean hasLines(int type) {
    return lines[type] != null && lines[type].length > 0;
  }

  /** Mask of the types of which there is no storage. */
  int missing() {
    return missing;
  }

  /** Mask of the types of which there are storages, but no buckets of ours. */
  int foreign() {
    return foreign;
  }

  ClusterLoad load() {
    return load;
  }

  /** Null where nothing is chosen by it. */
  StorageMetrics metrics() {
    return metrics;
  }

  /** Bytes of all buckets of a type. */
  long capacity(int type) {
    return capacities[type];
  }

  /** The racks of a cluster, and how far they are from each other. */
  static final class Racks {
    private final String[] names;
    private final Map<String, Integer> indices;
    private final int[][] ancestors;

    private Racks(String[] names, Map<String, Integer> indices, int[][] ancestors) {
      this.names = names;
      this.indices = indices;
      this.ancestors = ancestors;
    }

    static Racks of(List<DatanodeDescriptor> nodes) {
      Map<String, Integer> indices = new HashMap<>();
      List<String> names = new ArrayList<>();
      for (DatanodeDescriptor node : nodes) {
        if (indices.putIfAbsent(node.getNetworkLocation(), names.size()) == null) {
          names.add(node.getNetworkLocation());
        }
      }
      Map<String, Integer> prefixes = new HashMap<>();
      int[][] ancestors = new int[names.size()][];
      for (int rack = 0; rack < ancestors.length; rack++) {
        ancestors[rack] = prefixesOf(names.get(rack), prefixes);
      }
      return new Racks(names.toArray(new String[0]), indices, ancestors);
    }

    /** A number for each prefix of the location, the shortest first. */
    private static int[] prefixesOf(String location, Map<String, Integer> prefixes) {
      int[] numbers = new int[0];
      for (int end = location.indexOf('/', 1); ; end = location.indexOf('/', end + 1)) {
        String prefix = end < 0 ? location : location.substring(0, end);
        numbers = Arrays.copyOf(numbers, numbers.length + 1);
        Integer known = prefixes.putIfAbsent(prefix, prefixes.size());
        numbers[numbers.length - 1] = known == null ? prefixes.size() - 1 : known;
        if (end < 0) {
          return numbers;
        }
      }
    }

    int count() {
      return names.length;
    }

    String name(int rack) {
      return names[rack];
    }

    /** {@link #NO_RACK} for a location that is no rack of a node. */
    int indexOf(String location) {
      Integer index = indices.get(location);
      return index == null ? NO_RACK : index;
    }

    /** Network distance between two nodes on these racks: hops to the common ancestor and back. */
    int distance(int rack, int other) {
      if (rack == other) {
        return 2;
      }
      int[] one = ancestors[rack];
      int[] two = ancestors[other];
      int common = 0;
      while (common < one.length && common < two.length && one[common] == two[common]) {
        common++;
      }
      return one.length + two.length + 2 - 2 * common;
    }
  }
}
