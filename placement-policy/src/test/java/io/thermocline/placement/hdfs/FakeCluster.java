// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.net.DFSNetworkTopology;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockStoragePolicySuite;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.FSClusterStats;
import org.apache.hadoop.hdfs.server.blockmanagement.FakeDatanode;
import org.apache.hadoop.net.Node;
import org.mockito.Mockito;

/** A topology of fake DataNodes, and placement policies on it. */
final class FakeCluster {
  static final long MB = 1 << 20;
  static final long GB = 1 << 30;
  static final long BLOCK = 64 * MB;

  private static final BlockStoragePolicySuite SUITE = BlockStoragePolicySuite.createDefaultSuite();

  private final Configuration conf = new Configuration(false);
  private final DFSNetworkTopology topology = DFSNetworkTopology.getInstance(conf);
  private final List<FakeDatanode> nodes = new ArrayList<>();

  Configuration conf() {
    return conf;
  }

  DFSNetworkTopology topology() {
    return topology;
  }

  /** Adds a node; a storage's id is the node's number, a letter and the storage's number. */
  DatanodeDescriptor add(String rack, Object... typesAndCapacities) {
    int number = nodes.size();
    FakeDatanode datanode = new FakeDatanode(number, rack);
    for (int i = 0; i < typesAndCapacities.length; i += 2) {
      datanode.with(
          (StorageType) typesAndCapacities[i],
          String.format("n%03d-s%d", number, i / 2),
          (Long) typesAndCapacities[i + 1]);
    }
    nodes.add(datanode);
    topology.add(datanode.node());
    return datanode.node();
  }

  int size() {
    return nodes.size();
  }

  FakeDatanode datanode(int number) {
    return nodes.get(number);
  }

  DatanodeStorageInfo storage(int node, int storage) {
    return datanode(node).node().getStorageInfo(String.format("n%03d-s%d", node, storage));
  }

  /** The statistics of a NameNode without load. */
  static FSClusterStats stats() {
    return Mockito.mock(FSClusterStats.class);
  }

  /** A policy as in a NameNode, whose nonces are 0, 1, 2 and so on from the seed. */
  ThermoclinePlacementPolicy policy(long seed) {
    long[] nonce = {seed};
    PolicyHost host = new PolicyHost(System::nanoTime, () -> nonce[0]++, Thread::sleep);
    return started(new ThermoclinePlacementPolicy(host));
  }

  /** Initializes the policy and waits for its first snapshot. */
  ThermoclinePlacementPolicy started(ThermoclinePlacementPolicy policy) {
    if (conf.get(ThermoclinePlacementPolicy.REFRESH_KEY) == null) {
      conf.setInt(ThermoclinePlacementPolicy.REFRESH_KEY, 20);
    }
    policy.initialize(conf, stats(), topology, null);
    await(() -> policy.counters().get(PlacementCounters.Event.SNAPSHOT_BUILT) > 0, "a snapshot");
    return policy;
  }

  static DatanodeStorageInfo[] choose(
      BlockPlacementPolicyDefault policy, String storagePolicy, int replicas, Node... excluded) {
    Set<Node> excludedNodes = new HashSet<>(List.of(excluded));
    return policy.chooseTarget(
        "/file",
        replicas,
        null,
        new ArrayList<>(),
        false,
        excludedNodes,
        BLOCK,
        storagePolicy(storagePolicy),
        EnumSet.noneOf(AddBlockFlag.class));
  }

  static BlockStoragePolicy storagePolicy(String name) {
    return SUITE.getPolicy(name);
  }

  static void await(BooleanSupplier condition, String what) {
    await(condition, () -> what);
  }

  /**
   * @param what to say where it doesn't come
   */
  static void await(BooleanSupplier condition, Supplier<String> what) {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    while (!condition.getAsBoolean()) {
      assertTrue(
          System.nanoTime() < deadline, () -> "waited two minutes in vain for " + what.get());
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }
}
