// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.launcher.Launched;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.testbed.process.OsUser;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A DataNode without data, as after it joined, gets what the number line sends there, and no more. */
@Tag("cluster")
class NewNodesOnClusterTest {
  private static final int FILES = 40;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path temp;

  @Test
  void anEmptyDataNodeGetsItsShareAndUndoTakesItBack() throws Exception {
    try (ServedCluster cluster =
        ServedCluster.start(temp.resolve("cluster"), List.of(StorageType.DISK, StorageType.SSD))) {
      List<DatanodeStorageReport> nodes =
          Arrays.asList(
              cluster
                  .superuser()
                  .getClient()
                  .getNamenode()
                  .getDatanodeStorageReport(DatanodeReportType.LIVE));
      Set<String> ofTheNewOne = storages(nodes.get(0));
      List<String> files = write(cluster, nodes.subList(1, nodes.size()));
      int blocks = files.size() * cluster.places(files.get(0)).size();
      assertEquals(0, on(cluster, files, ofTheNewOne), "it is empty");
      Path directory = Files.createDirectories(temp.resolve("service"));
      Path config =
          cluster
              .setup("/spread")
              .apply()
              .replace("fillNewNodes: off", "fillNewNodes: on")
              .write(directory);

      // A quarter of all replicas.
      double share = 3.0 * blocks / nodes.size();
      try (ServiceProcess service = ServiceProcess.start(directory, config)) {
        service.logs("running in APPLY mode");
        Eventually.holds(
            "its share, by " + service,
            PATIENCE,
            () -> on(cluster, files, ofTheNewOne) >= 0.85 * share);
        Eventually.holds(
            "as many replicas as before, by " + service,
            PATIENCE,
            () -> replicas(cluster, files) == 3 * blocks);
        int moved = on(cluster, files, ofTheNewOne);
        service.plansOn(2);
        assertEquals(moved, on(cluster, files, ofTheNewOne), "that was all");
        service.terminate();
      }

      assertTrue(on(cluster, files, ofTheNewOne) <= 1.15 * share, "no more than its share");
      assertEquals(List.of(), ServiceSetup.journal(directory, "\"entry\":\"policy\""));
      String fsck = cluster.fsckOfPolicies("/spread");
      assertTrue(fsck.contains("All blocks satisfy specified storage policy"), fsck);
      for (String file : files) {
        cluster.read(file, 1);
      }
      takeBack(cluster, directory, config, files, ofTheNewOne);
    }
  }

  private void takeBack(
      ServedCluster cluster, Path directory, Path config, List<String> files, Set<String> newOne)
      throws Exception {
    List<String> planned = ServiceSetup.journal(directory, "\"planned\"", "TO_NEW_NODE");
    assertFalse(planned.isEmpty());
    assertTrue(planned.get(0).contains("belong there (decide.fillNewNodes)"), planned.get(0));
    String plan = planned.get(0).replaceFirst(".*\"plan\":(\\d+).*", "$1");
    List<String> ofThePlan =
        files.stream()
            .filter(
                file ->
                    planned.stream()
                        .anyMatch(
                            line ->
                                line.contains("\"plan\":" + plan + ",")
                                    && line.contains("\"" + file + "\"")))
            .toList();
    assertTrue(on(cluster, ofThePlan, newOne) > 0, "plan " + plan + " of " + ofThePlan);
    Launched undo =
        Launched.installedBehind(
            OsUser.ordinaryOwning(directory),
            directory,
            ServiceProcess.USER,
            List.of("undo", "--config", config.toString(), "--yes", plan));
    assertEquals(0, undo.status(), undo::toString);
    Eventually.holds("taken back: " + undo, PATIENCE, () -> on(cluster, ofThePlan, newOne) == 0);
  }

  private static List<String> write(ServedCluster cluster, List<DatanodeStorageReport> nodes)
      throws IOException {
    InetSocketAddress[] favored =
        nodes.stream()
            .map(DatanodeStorageReport::getDatanodeInfo)
            .map(NewNodesOnClusterTest::address)
            .toArray(InetSocketAddress[]::new);
    List<String> files = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      String file = "/spread/f" + i;
      files.add(file);
      try (OutputStream out =
          cluster
              .superuser()
              .createFile(new org.apache.hadoop.fs.Path(file))
              .recursive()
              .replication((short) 3)
              .favoredNodes(favored)
              .build()) {
        out.write(ServedCluster.content(file));
      }
      Eventually.holds("three replicas of " + file, () -> cluster.has(file, 3, StorageType.DISK));
    }
    return files;
  }

  private static InetSocketAddress address(DatanodeInfo node) {
    return new InetSocketAddress(node.getIpAddr(), node.getXferPort());
  }

  private static Set<String> storages(DatanodeStorageReport node) {
    Set<String> ids = new HashSet<>();
    for (StorageReport report : node.getStorageReports()) {
      ids.add(report.getStorage().getStorageID());
    }
    return ids;
  }

  private static int replicas(ServedCluster cluster, List<String> files) throws IOException {
    int replicas = 0;
    for (String file : files) {
      replicas += cluster.places(file).stream().mapToInt(List::size).sum();
    }
    return replicas;
  }

  private static int on(ServedCluster cluster, List<String> files, Set<String> storages)
      throws IOException {
    int found = 0;
    for (String file : files) {
      for (List<String> block : cluster.places(file)) {
        found +=
            (int)
                block.stream()
                    .filter(place -> storages.contains(place.substring(place.indexOf(' ') + 1)))
                    .count();
      }
    }
    return found;
  }
}
