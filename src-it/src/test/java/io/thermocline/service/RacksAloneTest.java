// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.launcher.Launched;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.process.OsUser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyWithUpgradeDomain;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Only the NameNode's own configuration says that HDFS keeps replicas apart by upgrade domains. */
@Tag("cluster")
class RacksAloneTest {

  @TempDir Path temp;

  @Test
  void nothingIsMovedWhereReplicasAreKeptApartByMore() throws Exception {
    try (ServedCluster cluster =
        ServedCluster.start(
            temp,
            List.of(StorageType.DISK, StorageType.SSD),
            4,
            Map.of(
                "dfs.block.replicator.classname",
                BlockPlacementPolicyWithUpgradeDomain.class.getName()))) {
      Path applied = cluster.setup("/data").web(cluster.web()).apply().write(temp.resolve("apply"));
      for (List<String> options : List.of(List.of("--check"), List.<String>of())) {
        Launched refused = run(applied, options);
        assertEquals(options.isEmpty() ? 2 : 1, refused.status(), refused.out() + refused.err());
        String said = refused.out() + refused.err();
        assertTrue(
            said.contains("HDFS keeps a block's replicas in different upgrade domains"), said);
        assertTrue(said.contains("act.mode: shadow"), said);
      }
      assertTrue(Files.notExists(ServiceSetup.journalOf(temp.resolve("apply"))), "nothing began");
      Path directory = temp.resolve("shadow");
      Path shadow = cluster.setup("/data").web(cluster.web()).write(directory);
      try (ServiceProcess service = ServiceProcess.start(directory, shadow)) {
        service.plansOn(1);
        service.terminate();
      }
    }
  }

  private static Launched run(Path config, List<String> options) throws Exception {
    List<String> words = new ArrayList<>(List.of("service", "--config", config.toString()));
    words.addAll(options);
    Path directory = config.getParent();
    return Launched.installedBehind(
        OsUser.ordinaryOwning(directory), directory, ServiceProcess.USER, words);
  }
}
