// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import static io.thermocline.placement.hdfs.FakeCluster.GB;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.ThermoclineBridge;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each storage's share of the replicas of new blocks against its share of the capacity. */
class FairPlacementTest {
  private static final int BLOCKS = Boolean.getBoolean("test.short") ? 200_000 : 1_000_000;
  private static final long UNIT = 100 * GB;

  private final FakeCluster cluster = new FakeCluster();

  /** On racks of 1, 2, 3 and so on nodes, over and over; the heavy nodes among all. */
  private void add(int nodes, int heavy, int times, int racks) {
    for (int i = 0; i < nodes; i++) {
      long capacity = i * heavy / nodes != (i + 1) * heavy / nodes ? times * UNIT : UNIT;
      int rack = 0;
      int left = i % (racks * (racks + 1) / 2);
      while (left > rack) {
        left -= ++rack;
      }
      cluster.add(
          "/r" + (i < racks ? i : rack),
          StorageType.ARCHIVE,
          2 * capacity,
          StorageType.DISK,
          capacity,
          StorageType.SSD,
          capacity / 4);
    }
  }

  /** The racks of some can't hold their shares: two replicas of each block at most. */
  @ParameterizedTest
  @CsvSource({
    "10, 2, 4, 1, false", "10, 2, 4, 3, true", "10, 2, 4, 10, false",
    "12, 6, 10, 1, false", "12, 6, 10, 3, false", "12, 6, 10, 10, false",
    "30, 15, 4, 1, false", "30, 15, 4, 3, false", "30, 15, 4, 10, false"
  })
  void sharesFollowCapacityWhereTheRacksLetThem(
      int nodes, int heavy, int times, int racks, boolean uneven) {
    add(nodes, heavy, times, racks);
    ThermoclinePlacementPolicy policy = cluster.policy(1);
    for (String storagePolicy : List.of("HOT", "ALL_SSD", "ONE_SSD", "WARM")) {
      int[] counts = counts(policy, storagePolicy, i -> null, nodes);
      double[] planned =
          policy
              .lines()
              .snapshot()
              .plans()
              .of(
                  TypeCounts.of(
                      FakeCluster.storagePolicy(storagePolicy).chooseStorageTypes((short) 3)))
              .shares();
      double all = 0;
      for (int i = 0; i < nodes; i++) {
        all += ThermoclineBridge.capacity(cluster.storage(i, 1));
      }
      for (int i = 0; i < nodes; i++) {
        // All types of a node are as large a part of their types.
        double fair = 3 * ThermoclineBridge.capacity(cluster.storage(i, 1)) / all;
        int index = policy.lines().snapshot().entry(cluster.datanode(i).node()).index();
        String what = storagePolicy + ", node " + i;
        assertEquals(planned[index], (double) counts[i] / BLOCKS, slack(planned[index]), what);
        if (!uneven) {
          assertEquals(fair, (double) counts[i] / BLOCKS, slack(fair), what);
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "10, 2, 4, 1, true",
    "10, 2, 4, 10, true",
    "12, 6, 10, 3, false",
    "30, 15, 4, 1, true"
  })
  void pairsMakeUpForWritersOnNodes(int nodes, int heavy, int times, int racks, boolean even) {
    add(nodes, heavy, times, racks);
    cluster.conf().setInt(ThermoclinePlacementPolicy.REFRESH_KEY, 3_600_000);
    ThermoclinePlacementPolicy policy = cluster.policy(2);
    IntFunction<Node> writer = i -> cluster.datanode(i % nodes).node();
    counts(policy, "HOT", writer, nodes);
    policy.refresh();
    int[] counts = counts(policy, "HOT", writer, nodes);
    long hot = TypeCounts.of(FakeCluster.storagePolicy("HOT").chooseStorageTypes((short) 3));
    double[] planned = policy.lines().snapshot().plans().of(hot).shares();
    double all = 0;
    for (int i = 0; i < nodes; i++) {
      all += ThermoclineBridge.capacity(cluster.storage(i, 1));
    }
    for (int i = 0; i < nodes; i++) {
      int index = policy.lines().snapshot().entry(cluster.datanode(i).node()).index();
      double share = (double) counts[i] / BLOCKS;
      assertEquals(planned[index], share, slack(planned[index]), "node " + i);
      double fair = 3 * ThermoclineBridge.capacity(cluster.storage(i, 1)) / all;
      // Small nodes whose writers alone fill more than their share can't have less.
      double nearest = Math.max(fair, 1.0 / nodes);
      if (even) {
        assertEquals(nearest, share, slack(nearest), "node " + i);
      }
    }
  }

  /** Hosts without a DataNode, on racks with DataNodes and on one without. */
  @ParameterizedTest
  @CsvSource({
    "10, 2, 4, 1, true",
    "10, 2, 4, 3, false",
    "12, 6, 10, 3, false",
    "30, 15, 4, 10, false"
  })
  void pairsMakeUpForWritersOnRacks(int nodes, int heavy, int times, int racks, boolean even) {
    add(nodes, heavy, times, racks);
    cluster.conf().setInt(ThermoclinePlacementPolicy.REFRESH_KEY, 3_600_000);
    ThermoclinePlacementPolicy policy = cluster.policy(2);
    List<Node> hosts =
        List.of(
            new NodeBase("/r0/edge1"),
            new NodeBase("/r0/edge2"),
            new NodeBase("/r" + (racks - 1) + "/edge3"),
            new NodeBase("/default-rack/edge4"));
    IntFunction<Node> writer = i -> hosts.get(i % hosts.size());
    counts(policy, "HOT", writer, nodes);
    policy.refresh();
    int[] counts = counts(policy, "HOT", writer, nodes);
    long hot = TypeCounts.of(FakeCluster.storagePolicy("HOT").chooseStorageTypes((short) 3));
    double[] planned = policy.lines().snapshot().plans().of(hot).shares();
    double all = 0;
    for (int i = 0; i < nodes; i++) {
      all += ThermoclineBridge.capacity(cluster.storage(i, 1));
    }
    for (int i = 0; i < nodes; i++) {
      int index = policy.lines().snapshot().entry(cluster.datanode(i).node()).index();
      double share = (double) counts[i] / BLOCKS;
      assertEquals(planned[index], share, slack(planned[index]), "node " + i);
      double fair = 3 * ThermoclineBridge.capacity(cluster.storage(i, 1)) / all;
      if (even) {
        assertEquals(fair, share, slack(fair), "node " + i);
      }
    }
  }

  /** A light node, of whose share its own writer makes up the most. */
  @Test
  void aNodeThatJoinsCountsAsAWriterLikeTheOthers() {
    add(10, 2, 4, 1);
    cluster.conf().setInt(ThermoclinePlacementPolicy.REFRESH_KEY, 3_600_000);
    ThermoclinePlacementPolicy policy = cluster.policy(2);
    counts(policy, "ALL_SSD", i -> cluster.datanode(i % 10).node(), 10);
    policy.refresh();
    add(1, 0, 1, 1);
    policy.refresh();

    int[] counts = counts(policy, "ALL_SSD", i -> cluster.datanode(i % 11).node(), 11);

    double all = 0;
    for (int i = 0; i < 11; i++) {
      all += ThermoclineBridge.capacity(cluster.storage(i, 1));
    }
    for (int i = 0; i < 11; i++) {
      double fair = 3 * ThermoclineBridge.capacity(cluster.storage(i, 1)) / all;
      assertEquals(fair, (double) counts[i] / BLOCKS, slack(fair), "node " + i);
    }
  }

  /** One part in a hundred, and three standard errors. */
  private static double slack(double share) {
    return 0.01 * share + 3 * Math.sqrt(share / BLOCKS);
  }

  /** By node, the replicas of all blocks. */
  private int[] counts(
      ThermoclinePlacementPolicy policy,
      String storagePolicy,
      IntFunction<Node> writer,
      int nodes) {
    Map<Node, Integer> numbers = new HashMap<>();
    for (int i = 0; i < nodes; i++) {
      numbers.put(cluster.datanode(i).node(), i);
    }
    int[] counts = new int[nodes];
    for (int i = 0; i < BLOCKS; i++) {
      DatanodeStorageInfo[] targets =
          policy.chooseTarget(
              "/file",
              3,
              writer.apply(i),
              new ArrayList<>(),
              false,
              new HashSet<>(),
              FakeCluster.BLOCK,
              FakeCluster.storagePolicy(storagePolicy),
              EnumSet.noneOf(AddBlockFlag.class));
      assertEquals(3, targets.length);
      for (DatanodeStorageInfo target : targets) {
        counts[numbers.get(target.getDatanodeDescriptor())]++;
      }
    }
    return counts;
  }
}
