// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import io.thermocline.placement.hdfs.ThermoclinePlacementPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.blockmanagement.AvailableSpaceBlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManagerTestUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.http.HttpServer2;

/** A NameNode that was started with one of the placement policies, and has fake DataNodes only. */
final class IdleNameNode implements AutoCloseable {
  private static final long SEED = 20261121;

  private final MiniDFSCluster cluster;
  private final FakeDatanodes nodes;

  /** The policies that are compared. */
  enum Policy {
    OURS(ThermoclinePlacementPolicy.class),
    DEFAULT(BlockPlacementPolicyDefault.class),
    AVAILABLESPACE(AvailableSpaceBlockPlacementPolicy.class);

    private final Class<? extends BlockPlacementPolicy> type;

    Policy(Class<? extends BlockPlacementPolicy> type) {
      this.type = type;
    }
  }

  private IdleNameNode(MiniDFSCluster cluster) {
    this.cluster = cluster;
    this.nodes = new FakeDatanodes(cluster.getNameNodeRpc(), SEED);
  }

  /** Started, with all nodes registered. Ends with the process at the latest. */
  static IdleNameNode start(Policy policy, int nodes) throws IOException {
    IdleNameNode started = start(policy);
    started.nodes.join(nodes);
    int racks = started.manager().getNetworkTopology().getNumOfNonEmptyRacks();
    if (racks != FakeDatanodes.racks(nodes)) {
      throw new IllegalStateException("the NameNode sees " + racks + " racks");
    }
    return started;
  }

  /** Started, without nodes. */
  static IdleNameNode start(Policy policy) throws IOException {
    Path directory = Files.createTempDirectory("thermocline-bench-");
    Configuration conf = new HdfsConfiguration();
    conf.set("dfs.block.replicator.classname", policy.type.getName());
    conf.set(HttpServer2.HTTP_TEMP_DIR_KEY, directory.resolve("http").toString());
    // Nodes send no second heartbeat.
    conf.setInt("dfs.namenode.heartbeat.recheck-interval", Integer.MAX_VALUE / 4);
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf, directory.toFile()).numDataNodes(0).build();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> cluster.shutdown(true)));
    return new IdleNameNode(cluster);
  }

  FakeDatanodes nodes() {
    return nodes;
  }

  /** A node by the number that it joined with. */
  DatanodeDescriptor node(int node) {
    return manager().getDatanode(FakeDatanodes.uuid(node));
  }

  /** Makes the NameNode find a node dead. */
  void lose(int node) {
    BlockManagerTestUtil.noticeDeadDatanode(cluster.getNameNode(), node(node).getXferAddr());
  }

  private DatanodeManager manager() {
    return cluster.getNamesystem().getBlockManager().getDatanodeManager();
  }

  BlockPlacementPolicy policy() {
    return cluster.getNamesystem().getBlockManager().getBlockPlacementPolicy();
  }

  @Override
  public void close() {
    cluster.shutdown(true);
  }
}
