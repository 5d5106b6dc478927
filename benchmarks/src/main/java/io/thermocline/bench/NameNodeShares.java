// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import io.thermocline.placement.hdfs.PlacementCounters;
import io.thermocline.placement.hdfs.ThermoclinePlacementPolicy;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockStoragePolicySuite;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;

/**
 * The process of {@link NameNodeCommand} that counts, for one placement policy on small uneven clusters, how
 * many replicas of new blocks each storage gets: with writers outside the cluster, on its nodes, and on other
 * hosts of one of its racks, by four storage policies, and after a node was added and another lost.
 */
final class NameNodeShares {
  /** Starts a line of the standard output that is a result. */
  static final String RESULT = "shares ";

  private static final int REPLICAS = 3;
  private static final long TERABYTE = 1L << 40;
  private static final long BLOCK = 128L << 20;
  private static final int[] RACKS = {1, 3, 10};
  private static final int WARM_UP = 200_000;
  private static final List<String> STORAGE_POLICIES = List.of("HOT", "ONE_SSD", "WARM", "ALL_SSD");

  /** Of each node, with the part of its size; the sizes of each are those of another node's. */
  private static final StorageType[] TYPES = {
    StorageType.DISK, StorageType.SSD, StorageType.ARCHIVE, StorageType.NVDIMM
  };

  private static final double[] PARTS = {1, 0.25, 2, 0.0625};

  /** Where writers are. */
  private enum From {
    OUTSIDE,
    NODES,
    RACK
  }

  private final IdleNameNode.Policy policy;
  private final int blocks;
  private final PrintStream out;

  private NameNodeShares(IdleNameNode.Policy policy, int blocks, PrintStream out) {
    this.policy = policy;
    this.blocks = blocks;
    this.out = out;
  }

  /**
   * Of nodes of 1 TB, and heavy ones among them of as many times that. Racks have 1, 2, 3 and so on nodes.
   */
  private record Cluster(String name, int nodes, int heavy, int times) {
    /** The last node is the one that is added. */
    double[] sizes() {
      double[] sizes = new double[nodes + 1];
      Arrays.setAll(sizes, i -> i == nodes || isHeavy(i) ? times : 1);
      return sizes;
    }

    boolean isHeavy(int i) {
      return i * heavy / nodes != (i + 1) * heavy / nodes;
    }

    int firstHeavy() {
      int first = 0;
      while (!isHeavy(first)) {
        first++;
      }
      return first;
    }

    int[] racks(int count) {
      int[] racks = new int[nodes + 1];
      for (int i = 0; i <= nodes; i++) {
        int rack = 0;
        for (int left = i % (count * (count + 1) / 2); left > rack; ) {
          left -= ++rack;
        }
        racks[i] = i < count ? i : rack;
      }
      return racks;
    }
  }

  private static final List<Cluster> CLUSTERS =
      List.of(
          new Cluster("10_two_4x", 10, 2, 4),
          new Cluster("12_six_10x", 12, 6, 10),
          new Cluster("30_half_4x", 30, 15, 4));

  /** Arguments: policy, blocks. */
  public static void main(String[] args) throws IOException {
    NameNodeShares shares =
        new NameNodeShares(
            IdleNameNode.Policy.valueOf(args[0]), Integer.parseInt(args[1]), System.out);
    for (Cluster cluster : CLUSTERS) {
      for (int racks : RACKS) {
        shares.measure(cluster, racks, From.OUTSIDE);
        shares.measure(cluster, racks, From.NODES);
        if (racks > 1) {
          shares.measure(cluster, racks, From.RACK);
        }
      }
    }
    System.exit(0);
  }

  private void measure(Cluster cluster, int racks, From from) throws IOException {
    double[] sizes = cluster.sizes();
    int[] rackOf = cluster.racks(racks);
    double[][] weights = new double[TYPES.length][sizes.length];
    for (int type = 0; type < TYPES.length; type++) {
      for (int i = 0; i < sizes.length; i++) {
        weights[type][i] = PARTS[type] * sizes[(i + type) % sizes.length];
      }
    }
    String name = cluster.name() + "_" + racks;
    int added = cluster.nodes();
    try (IdleNameNode nameNode = IdleNameNode.start(policy)) {
      for (int i = 0; i < added; i++) {
        join(nameNode, i, rackOf[i], weights);
      }
      Present before = new Present(weights, rackOf, added).without(added);
      measure(nameNode, before, from, name, "");
      join(nameNode, added, rackOf[added], weights);
      Present after = new Present(weights, rackOf, sizes.length);
      measure(nameNode, after, from, name, "_added");
      nameNode.lose(cluster.firstHeavy());
      measure(nameNode, after.without(cluster.firstHeavy()), from, name, "_lost");
    }
  }

  private static void join(IdleNameNode nameNode, int node, int rack, double[][] weights)
      throws IOException {
    long[] capacities = new long[TYPES.length];
    Arrays.setAll(capacities, type -> (long) (weights[type][node] * TERABYTE));
    nameNode.nodes().join(node, "/r" + rack, TYPES, capacities);
  }

  /** The nodes that are there, by number. */
  private record Present(double[][] weights, int[] rackOf, int[] numbers) {
    Present(double[][] weights, int[] rackOf, int nodes) {
      this(weights, rackOf, range(nodes));
    }

    private static int[] range(int nodes) {
      int[] numbers = new int[nodes];
      Arrays.setAll(numbers, i -> i);
      return numbers;
    }

    Present without(int node) {
      return new Present(
          weights, rackOf, Arrays.stream(numbers).filter(number -> number != node).toArray());
    }

    double[] weightsOf(StorageType type) {
      double[] all = weights[Arrays.asList(TYPES).indexOf(type)];
      return Arrays.stream(numbers).mapToDouble(number -> all[number]).toArray();
    }

    /** Numbered from 0 without gaps. */
    int[] racks() {
      int[] used = Arrays.stream(numbers).map(number -> rackOf[number]).distinct().toArray();
      return Arrays.stream(numbers)
          .map(number -> Arrays.stream(used).boxed().toList().indexOf(rackOf[number]))
          .toArray();
    }
  }

  private void measure(
      IdleNameNode nameNode, Present present, From from, String name, String change) {
    Node[] writers = new Node[from == From.NODES ? present.numbers().length : 1];
    if (from == From.NODES) {
      Arrays.setAll(writers, i -> nameNode.node(present.numbers()[i]));
    } else if (from == From.RACK) {
      writers[0] = new NodeBase("/r" + present.rackOf()[present.numbers()[0]] + "/client");
    }
    awaitSnapshot(nameNode.policy(), writers);
    for (String storagePolicy : STORAGE_POLICIES) {
      BlockStoragePolicy types =
          BlockStoragePolicySuite.createDefaultSuite().getPolicy(storagePolicy);
      int[][] counts = counts(nameNode.policy(), types, writers, present);
      Deviation deviation = new Deviation();
      List<StorageType> asked = types.chooseStorageTypes((short) REPLICAS);
      double[] nearest = null;
      double[] fair = fair(present.weightsOf(asked.get(0)));
      double[] first = first(from, fair, present.racks());
      if (asked.get(0) == asked.get(1)) {
        double[] weights = present.weightsOf(asked.get(0));
        nearest =
            from == From.OUTSIDE
                ? NearestShares.ofThree(weights, present.racks())
                : NearestShares.ofPair(first, first, weights, present.racks());
        deviation.add(counts[asked.get(0).ordinal()], blocks, times(REPLICAS, fair), nearest);
      } else {
        double[] weights = present.weightsOf(asked.get(1));
        deviation.add(counts[asked.get(0).ordinal()], blocks, fair, first);
        nearest = NearestShares.ofPair(first, new double[first.length], weights, present.racks());
        deviation.add(
            counts[asked.get(1).ordinal()], blocks, times(REPLICAS - 1, fair(weights)), nearest);
      }
      out.println(
          RESULT
              + String.join(
                  " ",
                  name,
                  storagePolicy.toLowerCase(Locale.ROOT)
                      + "_"
                      + from.name().toLowerCase(Locale.ROOT)
                      + change,
                  Double.toString(100 * deviation.off),
                  Double.toString(100 * deviation.nearest),
                  Double.toString(100 * deviation.over)));
    }
  }

  /** By node, the share of blocks whose first replica is there. */
  private static double[] first(From from, double[] fair, int[] racks) {
    return switch (from) {
      case OUTSIDE -> fair;
      case NODES -> fair(new double[fair.length]);
      case RACK -> {
        double[] onRack = new double[fair.length];
        Arrays.setAll(onRack, i -> racks[i] == racks[0] ? fair[i] : 0);
        yield fair(onRack);
      }
    };
  }

  /** Weights as parts of their sum; equal parts where they are all 0. */
  private static double[] fair(double[] weights) {
    double sum = Arrays.stream(weights).sum();
    return Arrays.stream(weights)
        .map(weight -> sum == 0 ? 1.0 / weights.length : weight / sum)
        .toArray();
  }

  private static double[] times(double factor, double[] values) {
    return Arrays.stream(values).map(value -> factor * value).toArray();
  }

  /** The largest ones of some storages' shares. */
  private static final class Deviation {
    private double off;
    private double nearest;
    private double over;

    void add(int[] counts, int blocks, double[] fair, double[] nearestShares) {
      for (int i = 0; i < fair.length; i++) {
        double share = (double) counts[i] / blocks;
        off = Math.max(off, Math.abs(share / fair[i] - 1));
        nearest = Math.max(nearest, Math.abs(nearestShares[i] / fair[i] - 1));
        if (nearestShares[i] > 0) {
          double errors = 3 / Math.sqrt(nearestShares[i] * blocks);
          over = Math.max(over, Math.abs(share / nearestShares[i] - 1) - errors);
        } else if (counts[i] > 0) {
          over = Double.POSITIVE_INFINITY;
        }
      }
    }
  }

  /** By storage type and node that is there, the replicas of all blocks. */
  private int[][] counts(
      BlockPlacementPolicy policy, BlockStoragePolicy types, Node[] writers, Present present) {
    int[] index = new int[Arrays.stream(present.numbers()).max().orElseThrow() + 1];
    Arrays.fill(index, -1);
    for (int i = 0; i < present.numbers().length; i++) {
      index[present.numbers()[i]] = i;
    }
    int[][] counts = new int[StorageType.values().length][present.numbers().length];
    for (int i = 0; i < blocks; i++) {
      for (DatanodeStorageInfo target : choose(policy, types, writers[i % writers.length])) {
        String id = target.getStorageID();
        int node = Integer.parseInt(id.substring("DS-".length(), id.lastIndexOf('-')));
        counts[target.getStorageType().ordinal()][index[node]]++;
      }
    }
    return counts;
  }

  /** Ours has learned who writes, and where the nodes are. */
  private static void awaitSnapshot(BlockPlacementPolicy policy, Node[] writers) {
    if (policy instanceof ThermoclinePlacementPolicy ours) {
      BlockStoragePolicy hot = BlockStoragePolicySuite.createDefaultSuite().getPolicy("HOT");
      pause();
      for (int i = 0; i < WARM_UP; i++) {
        choose(policy, hot, writers[i % writers.length]);
      }
      pause();
      if (ours.counters().get(PlacementCounters.Event.ANSWERED) == 0) {
        throw new IllegalStateException("no answer from a snapshot: " + ours.counters());
      }
    }
  }

  private static void pause() {
    LockSupport.parkNanos(
        TimeUnit.MILLISECONDS.toNanos(2 * ThermoclinePlacementPolicy.REFRESH_DEFAULT));
  }

  private static DatanodeStorageInfo[] choose(
      BlockPlacementPolicy policy, BlockStoragePolicy types, Node writer) {
    return policy.chooseTarget(
        "/file",
        REPLICAS,
        writer,
        new ArrayList<>(REPLICAS),
        false,
        new HashSet<>(),
        BLOCK,
        types,
        EnumSet.noneOf(AddBlockFlag.class));
  }
}
