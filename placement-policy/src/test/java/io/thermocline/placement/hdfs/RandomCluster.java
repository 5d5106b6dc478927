// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import static io.thermocline.placement.hdfs.FakeCluster.BLOCK;
import static io.thermocline.placement.hdfs.FakeCluster.GB;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;
import org.apache.hadoop.util.Time;

/**
 * A small cluster drawn from a seed, with all that can be wrong with nodes and storages, and calls to
 * place blocks on it. Closed, it takes its slow nodes out of the NameNode's static set.
 */
final class RandomCluster implements AutoCloseable {
  private static final StorageType[] TYPES = {
    StorageType.DISK, StorageType.SSD, StorageType.ARCHIVE, StorageType.RAM_DISK
  };
  private static final String[] POLICIES = {
    "HOT", "HOT", "COLD", "WARM", "ONE_SSD", "ALL_SSD", "LAZY_PERSIST", "PROVIDED"
  };

  private static final String NOWHERE = "/nowhere";

  private final Random random;
  private final FakeCluster cluster = new FakeCluster();
  private final List<DatanodeDescriptor> nodes = new ArrayList<>();
  private final Set<String> slow = new HashSet<>();
  private final boolean avoidStale;
  private final FakeStats stats;
  private final List<String> racks = new ArrayList<>();

  RandomCluster(long seed) {
    random = new Random(seed);
    avoidStale = random.nextInt(3) == 0;
    cluster.conf().setBoolean("dfs.datanode.peer.stats.enabled", true);
    cluster
        .conf()
        .setBoolean(
            "dfs.namenode.block-placement-policy.exclude-slow-nodes.enabled", random.nextBoolean());
    cluster.conf().setBoolean("dfs.namenode.redundancy.considerLoad", random.nextInt(4) > 0);
    cluster
        .conf()
        .setBoolean(
            "dfs.namenode.block-placement-policy.default.prefer-local-node", random.nextInt(8) > 0);
    int rackCount = 1 + random.nextInt(6);
    boolean deep = random.nextInt(4) == 0;
    for (int rack = 0; rack < rackCount; rack++) {
      racks.add((deep ? "/d" + rack % 2 : "") + "/r" + rack);
    }
    int size = 1 + random.nextInt(random.nextBoolean() ? 8 : 30);
    boolean nearFull = random.nextInt(4) == 0;
    for (int node = 0; node < size; node++) {
      nodes.add(add(node, nearFull));
    }
    afflict(0.1);
    stats = new FakeStats(nodes, avoidStale);
  }

  private DatanodeDescriptor add(int number, boolean nearFull) {
    DatanodeDescriptor node = cluster.add(racks.get(random.nextInt(racks.size())));
    int storages = 1 + random.nextInt(4);
    for (int i = 0; i < storages; i++) {
      long capacity = (1 + random.nextInt(200)) * GB;
      long remaining =
          nearFull || random.nextInt(10) == 0
              ? (long) (3 * BLOCK * random.nextDouble())
              : (long) (capacity * random.nextDouble());
      cluster
          .datanode(number)
          .with(
              TYPES[random.nextInt(random.nextInt(3) == 0 ? 4 : 2)],
              String.format("n%03d-s%d", number, i),
              capacity,
              remaining);
    }
    cluster.datanode(number).busyWith(random.nextInt(10));
    for (int i = random.nextInt(3); i > 0; i--) {
      DatanodeStorageInfo.incrementBlocksScheduled(node.getStorageInfos());
    }
    return node;
  }

  /** Lets each thing that can go wrong happen to that share of the nodes. */
  void afflict(double share) {
    for (int number = 0; number < nodes.size(); number++) {
      DatanodeDescriptor node = nodes.get(number);
      if (random.nextDouble() < share) {
        node.setLastUpdateMonotonic(Time.monotonicNow() - 600_000);
      }
      if (random.nextDouble() < share) {
        DatanodeManager.getSlowNodesUuidSet().add(node.getDatanodeUuid());
        slow.add(node.getDatanodeUuid());
      }
      if (random.nextDouble() < share) {
        cluster.datanode(number).busyWith(60);
      }
      if (random.nextDouble() < share) {
        switch (random.nextInt(4)) {
          case 0 -> node.startDecommission();
          case 1 -> node.setDecommissioned();
          case 2 -> node.startMaintenance();
          default -> node.setInMaintenance();
        }
      }
      if (random.nextDouble() < share) {
        DatanodeStorageInfo[] storages = node.getStorageInfos();
        cluster.datanode(number).fail(storages[random.nextInt(storages.length)]);
      }
      if (random.nextDouble() < share / 3) {
        cluster.topology().remove(node);
        node.setAlive(false);
      }
    }
  }

  /** A call as a NameNode makes them, from the cluster's own seed. */
  PlacementScenario scenario() {
    List<DatanodeStorageInfo> chosen = new ArrayList<>();
    Set<Node> holders = new HashSet<>();
    if (random.nextInt(3) == 0) {
      for (int i = 1 + random.nextInt(3); i > 0; i--) {
        DatanodeDescriptor node = nodes.get(random.nextInt(nodes.size()));
        if (node.isAlive() && holders.add(node)) {
          DatanodeStorageInfo[] storages = node.getStorageInfos();
          chosen.add(storages[random.nextInt(storages.length)]);
        }
      }
    }
    Set<Node> excluded = new HashSet<>();
    for (int i = random.nextInt(3) == 0 ? random.nextInt(4) : 0; i > 0; i--) {
      excluded.add(nodes.get(random.nextInt(nodes.size())));
    }
    EnumSet<AddBlockFlag> flags = EnumSet.noneOf(AddBlockFlag.class);
    if (random.nextInt(5) == 0) {
      flags.add(AddBlockFlag.NO_LOCAL_WRITE);
    }
    Node writer = writer();
    // The stock policy throws a NullPointerException for a writer whose rack has no nodes.
    if (random.nextInt(5) == 0
        && (writer == null || cluster.topology().getNode(writer.getNetworkLocation()) != null)) {
      flags.add(AddBlockFlag.NO_LOCAL_RACK);
    }
    List<DatanodeDescriptor> favoured = new ArrayList<>();
    if (chosen.isEmpty() && random.nextInt(20) == 0) {
      favoured.add(nodes.get(random.nextInt(nodes.size())));
      favoured.add(nodes.get(random.nextInt(nodes.size())));
    }
    return new PlacementScenario(
        1 + random.nextInt(random.nextInt(4) == 0 ? 6 : 3),
        writer,
        chosen,
        random.nextInt(8) == 0,
        excluded,
        (1 + random.nextInt(2)) * BLOCK,
        FakeCluster.storagePolicy(POLICIES[random.nextInt(POLICIES.length)]),
        random.nextInt(8) == 0 ? null : flags,
        favoured);
  }

  private Node writer() {
    switch (random.nextInt(4)) {
      case 0:
        return null;
      case 1:
        return new NodeBase(
            nodes.get(random.nextInt(nodes.size())).getNetworkLocation() + "/client");
      case 2:
        return random.nextInt(4) == 0
            ? new NodeBase(NOWHERE + "/client")
            : nodes.get(random.nextInt(nodes.size()));
      default:
        return nodes.get(random.nextInt(nodes.size()));
    }
  }

  FakeCluster cluster() {
    return cluster;
  }

  FakeStats stats() {
    return stats;
  }

  boolean avoidsStale() {
    return avoidStale;
  }

  boolean avoidsSlow() {
    return cluster
        .conf()
        .getBoolean("dfs.namenode.block-placement-policy.exclude-slow-nodes.enabled", false);
  }

  boolean considersLoad() {
    return cluster.conf().getBoolean("dfs.namenode.redundancy.considerLoad", true);
  }

  boolean prefersLocal() {
    return cluster
        .conf()
        .getBoolean("dfs.namenode.block-placement-policy.default.prefer-local-node", true);
  }

  boolean isSlow(DatanodeDescriptor node) {
    return slow.contains(node.getDatanodeUuid());
  }

  @Override
  public void close() {
    DatanodeManager.getSlowNodesUuidSet().removeAll(slow);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (DatanodeDescriptor node : nodes) {
      text.append('\n')
          .append(NodeBase.getPath(node))
          .append(node.isAlive() ? "" : " dead")
          .append(' ')
          .append(node.getAdminState())
          .append(node.isStale(30_000) ? " stale" : "")
          .append(isSlow(node) ? " slow" : "")
          .append(" transfers ")
          .append(node.getXceiverCount())
          .append(" scheduled ")
          .append(node.getBlocksScheduled())
          .append(' ')
          .append(
              Arrays.stream(node.getStorageReports())
                  .map(
                      one ->
                          one.getStorage().getStorageType()
                              + " "
                              + one.getStorage().getState()
                              + " "
                              + one.getRemaining() / FakeCluster.MB)
                  .toList());
    }
    return text.toString();
  }
}
