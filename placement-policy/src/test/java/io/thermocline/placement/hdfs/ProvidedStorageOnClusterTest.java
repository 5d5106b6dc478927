// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import static io.thermocline.placement.hdfs.FakeCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import javax.management.ObjectName;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.server.common.blockaliasmap.impl.TextFileRegionAliasMap;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A storage of a type that no number line has, on a real NameNode. */
@Tag("cluster")
class ProvidedStorageOnClusterTest {
  private static final StorageType DISK = StorageType.DISK;
  private static final StorageType[] TWO_DISKS = {DISK, DISK};

  @TempDir Path directory;

  @Test
  void nodeThatJoinsAfterOneGetsBlocks() throws Exception {
    Path aliases = Files.createDirectories(directory.resolve("aliases"));
    Map<String, String> settings =
        Map.of(
            DFSConfigKeys.DFS_NAMENODE_PROVIDED_ENABLED,
            "true",
            DFSConfigKeys.DFS_PROVIDED_ALIASMAP_CLASS,
            TextFileRegionAliasMap.class.getName(),
            DFSConfigKeys.DFS_PROVIDED_ALIASMAP_TEXT_READ_FILE,
            aliases.resolve("blocks.csv").toUri().toString());
    try (MiniCluster cluster =
        new MiniCluster(
            directory.resolve("hdfs"),
            ThermoclinePlacementPolicy.class,
            new String[] {"/a", "/b", "/b"},
            new StorageType[][] {TWO_DISKS, TWO_DISKS, TWO_DISKS},
            settings)) {
      cluster.awaitLine(DISK);
      // No block of the remote store is known yet.
      String pool = cluster.dfs().getNamesystem().getBlockPoolId();
      Files.createFile(aliases.resolve(TextFileRegionAliasMap.fileNameFromBlockPoolID(pool)));
      join(cluster.dfs(), "/a", "provider", DISK, StorageType.PROVIDED);
      int foreign = 1 << StorageType.PROVIDED.ordinal();
      await(() -> cluster.policy().lines().snapshot().foreign() == foreign, "the PROVIDED storage");
      assertTrue(
          Arrays.stream(cluster.fs().getDataNodeStats())
              .anyMatch(node -> node.getHostName().equals("provider")));
      join(cluster.dfs(), "/a", "late", TWO_DISKS);
      await(
          () ->
              cluster.policy().tables().stream()
                  .anyMatch(table -> table.bucket().equals("DISK") && table.storages() == 9),
          "nine disks");
      long got = 0;
      for (int i = 0; i < 25; i++) {
        got +=
            cluster.replicas(cluster.write("f" + i, "HOT", 3)).stream()
                .map(DatanodeInfoWithStorage::getHostName)
                .filter("late"::equals)
                .count();
      }
      // Three of five nodes each time, on two racks.
      assertTrue(got >= 5, got + " of 25 blocks");
      ObjectName bean =
          new ObjectName(
              "Hadoop:service=NameNode,name="
                  + PlacementMetrics.nameFor(
                      cluster
                          .dfs()
                          .getNamesystem()
                          .getBlockManager()
                          .getDatanodeManager()
                          .getNetworkTopology()));
      DefaultMetricsSystem.instance().publishMetricsNow();
      for (String zero : List.of("PlacementStopped", "RefreshFailed", "PlacementFailed")) {
        Number value = (Number) ManagementFactory.getPlatformMBeanServer().getAttribute(bean, zero);
        assertEquals(0, value.longValue(), zero);
      }
    }
  }

  private static void join(MiniDFSCluster cluster, String rack, String host, StorageType... types)
      throws IOException {
    cluster.startDataNodes(
        cluster.getConfiguration(0),
        1,
        new StorageType[][] {types},
        true,
        null,
        new String[] {rack},
        new String[] {host},
        null,
        null,
        false,
        false,
        false,
        null,
        null,
        null);
    cluster.waitActive();
  }
}
