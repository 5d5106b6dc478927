// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import static io.thermocline.placement.hdfs.FakeCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.suora.SegmentLog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two NameNodes, active and standby, over one directory: one table, also after a restart. */
@Tag("cluster")
class SharedTablesOnClusterTest {
  private static final StorageType[] BOTH = {StorageType.DISK, StorageType.SSD};

  @TempDir Path directory;

  @Test
  void activeAndStandbyHaveTheSameTables() throws Exception {
    Files.createDirectories(Path.of(System.getProperty("java.io.tmpdir")));
    // Not below what is deleted after the test: policies live until they are collected.
    Path tables = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "tables");
    Configuration conf = new HdfsConfiguration();
    conf.set("dfs.block.replicator.classname", ThermoclinePlacementPolicy.class.getName());
    conf.setInt(ThermoclinePlacementPolicy.REFRESH_KEY, 50);
    conf.set(PolicySettings.TABLE_DIR_KEY, tables.toString());
    conf.setInt(PolicySettings.SETTLE_KEY, 1000);
    conf.setInt("dfs.heartbeat.interval", 1);
    try (MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf, directory.toFile())
            .nnTopology(MiniDFSNNTopology.simpleHATopology())
            .numDataNodes(3)
            .storagesPerDatanode(2)
            .storageTypes(BOTH)
            .build()) {
      cluster.waitActive();
      cluster.transitionToActive(0);
      await(() -> figures(cluster, 0).size() == 2 && same(cluster), "one table");
      await(() -> Files.exists(tables.resolve("SSD.segments")), "the files");
      // One more joins both; then a NameNode restarts, to which nodes register in another order.
      StorageType[][] types = {BOTH};
      cluster.startDataNodes(
          conf, 1, types, true, null, null, null, null, null, false, false, false, null, null,
          null);
      cluster.waitActive();
      await(
          () -> figures(cluster, 0).stream().allMatch(one -> one.startsWith("4 ")) && same(cluster),
          "four storages in both");
      List<String> before = figures(cluster, 0);
      cluster.restartNameNode(1);
      cluster.waitActive();
      await(() -> figures(cluster, 1).size() == 2 && same(cluster), "the same again");
      assertEquals(before, figures(cluster, 1));
      byte[] text = Files.readAllBytes(tables.resolve("DISK.segments"));
      SegmentLog read = SegmentLog.read("DISK", text).log();
      assertTrue(before.contains("4 " + read.fingerprint()), before + " " + read.fingerprint());
    }
  }

  private static boolean same(MiniDFSCluster cluster) {
    return figures(cluster, 0).equals(figures(cluster, 1));
  }

  /** Storages and fingerprint of each bucket. */
  private static List<String> figures(MiniDFSCluster cluster, int nameNode) {
    ThermoclinePlacementPolicy policy =
        (ThermoclinePlacementPolicy)
            cluster.getNamesystem(nameNode).getBlockManager().getBlockPlacementPolicy();
    return policy.tables().stream()
        .map(one -> one.storages() + " " + one.fingerprint())
        .collect(Collectors.toList());
  }
}
