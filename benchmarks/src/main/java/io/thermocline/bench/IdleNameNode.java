// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import io.thermocline.placement.hdfs.ThermoclinePlacementPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.blockmanagement.AvailableSpaceBlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.http.HttpServer2;

/** A NameNode that was started with one of the placement policies, and has fake DataNodes only. */
final class IdleNameNode implements AutoCloseable {
  private static final long SEED = 20261121;

  private final MiniDFSCluster cluster;

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
  }

  /** Started, with all nodes registered. Ends with the process at the latest. */
  static IdleNameNode start(Policy policy, int nodes) throws IOException {
    return started(policy, all -> all.join(nodes), FakeDatanodes.racks(nodes));
  }

  /** Of nodes with one empty DISK each. */
  static IdleNameNode start(Policy policy, long[] capacities, String[] racks) throws IOException {
    return started(
        policy, all -> all.join(capacities, racks), (int) Arrays.stream(racks).distinct().count());
  }

  private interface Joining {
    void join(FakeDatanodes nodes) throws IOException;
  }

  private static IdleNameNode started(Policy policy, Joining nodes, int expectedRacks)
      throws IOException {
    Path directory = Files.createTempDirectory("thermocline-bench-");
    Configuration conf = new HdfsConfiguration();
    conf.set("dfs.block.replicator.classname", policy.type.getName());
    conf.set(HttpServer2.HTTP_TEMP_DIR_KEY, directory.resolve("http").toString());
    // Nodes send no second heartbeat.
    conf.setInt("dfs.namenode.heartbeat.recheck-interval", Integer.MAX_VALUE / 4);
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf, directory.toFile()).numDataNodes(0).build();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> cluster.shutdown(true)));
    nodes.join(new FakeDatanodes(cluster.getNameNodeRpc(), SEED));
    int racks =
        cluster
            .getNamesystem()
            .getBlockManager()
            .getDatanodeManager()
            .getNetworkTopology()
            .getNumOfNonEmptyRacks();
    if (racks != expectedRacks) {
      throw new IllegalStateException("the NameNode sees " + racks + " racks");
    }
    return new IdleNameNode(cluster);
  }

  BlockPlacementPolicy policy() {
    return cluster.getNamesystem().getBlockManager().getBlockPlacementPolicy();
  }

  @Override
  public void close() {
    cluster.shutdown(true);
  }
}
