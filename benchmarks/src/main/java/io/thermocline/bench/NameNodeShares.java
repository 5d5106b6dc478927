// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import io.thermocline.placement.hdfs.PlacementCounters;
import io.thermocline.placement.hdfs.ThermoclinePlacementPolicy;
import io.thermocline.placement.suora.ReplicaPlan;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockStoragePolicySuite;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;

/**
 * The process of {@link NameNodeCommand} that counts, for one placement policy on small uneven clusters, how
 * many replicas of new blocks each node gets, for a client that is no DataNode.
 */
final class NameNodeShares {
  /** Starts a line of the standard output that is a result. */
  static final String RESULT = "shares ";

  private static final int REPLICAS = 3;
  private static final long TERABYTE = 1L << 40;
  private static final long BLOCK = 128L << 20;
  private static final int[] RACKS = {1, 3, 10};

  private NameNodeShares() {}

  /**
   * Of nodes of 1 TB, and heavy ones among them of as many times that. Racks have 1, 2, 3 and so on nodes.
   */
  private record Cluster(String name, int nodes, int heavy, int times) {
    double[] weights() {
      double[] weights = new double[nodes];
      Arrays.setAll(weights, i -> i * heavy / nodes != (i + 1) * heavy / nodes ? times : 1);
      return weights;
    }

    int[] racks(int count) {
      int[] racks = new int[nodes];
      for (int i = 0; i < nodes; i++) {
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
    PrintStream out = System.out;
    for (Cluster cluster : CLUSTERS) {
      for (int racks : RACKS) {
        measure(
            IdleNameNode.Policy.valueOf(args[0]), cluster, racks, Integer.parseInt(args[1]), out);
      }
    }
    System.exit(0);
  }

  private static void measure(
      IdleNameNode.Policy policy, Cluster cluster, int racks, int blocks, PrintStream out)
      throws IOException {
    double[] weights = cluster.weights();
    int[] rackOf = cluster.racks(racks);
    double[] feasible =
        ReplicaPlan.of(weights, weights, rackOf, new double[weights.length], 0).shares();
    long[] counts;
    try (IdleNameNode nameNode =
        IdleNameNode.start(
            policy,
            Arrays.stream(weights).mapToLong(weight -> (long) weight * TERABYTE).toArray(),
            Arrays.stream(rackOf).mapToObj(rack -> "/r" + rack).toArray(String[]::new))) {
      counts = counts(nameNode.policy(), weights.length, blocks);
    }
    double all = Arrays.stream(weights).sum();
    double off = 0;
    double nearest = 0;
    double over = 0;
    for (int node = 0; node < weights.length; node++) {
      double fair = REPLICAS * weights[node] / all;
      double share = (double) counts[node] / blocks;
      off = Math.max(off, Math.abs(share / fair - 1));
      nearest = Math.max(nearest, Math.abs(feasible[node] / fair - 1));
      double errors = 3 / Math.sqrt(feasible[node] * blocks);
      over = Math.max(over, Math.abs(share / feasible[node] - 1) - errors);
    }
    out.println(
        RESULT
            + String.join(
                " ",
                cluster.name() + "_" + racks,
                Double.toString(100 * off),
                Double.toString(100 * nearest),
                Double.toString(100 * over)));
  }

  private static long[] counts(BlockPlacementPolicy policy, int nodes, int blocks) {
    BlockStoragePolicy hot = BlockStoragePolicySuite.createDefaultSuite().getPolicy("HOT");
    awaitSnapshot(policy, hot);
    long[] counts = new long[nodes];
    for (int i = 0; i < blocks; i++) {
      for (DatanodeStorageInfo target : choose(policy, hot)) {
        counts[Integer.parseInt(target.getStorageID().substring("DS-".length()))]++;
      }
    }
    return counts;
  }

  private static void awaitSnapshot(BlockPlacementPolicy policy, BlockStoragePolicy hot) {
    if (policy instanceof ThermoclinePlacementPolicy ours) {
      LockSupport.parkNanos(
          TimeUnit.MILLISECONDS.toNanos(2 * ThermoclinePlacementPolicy.REFRESH_DEFAULT));
      choose(policy, hot);
      if (ours.counters().get(PlacementCounters.Event.ANSWERED) == 0) {
        throw new IllegalStateException("no answer from a snapshot: " + ours.counters());
      }
    }
  }

  private static DatanodeStorageInfo[] choose(BlockPlacementPolicy policy, BlockStoragePolicy hot) {
    return policy.chooseTarget(
        "/file",
        REPLICAS,
        null,
        new ArrayList<>(REPLICAS),
        false,
        new HashSet<>(),
        BLOCK,
        hot,
        EnumSet.noneOf(AddBlockFlag.class));
  }
}
