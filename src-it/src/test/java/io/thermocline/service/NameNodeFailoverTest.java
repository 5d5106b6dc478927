// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.testbed.process.HaCluster;
import io.thermocline.testbed.process.HadoopLine;
import io.thermocline.testbed.process.ProcessNode;
import io.thermocline.testbed.process.TestLines;
import io.thermocline.testbed.process.UnresolvedHadoopException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The active NameNode is killed in the middle of a plan, and the plan goes on with the other: both, the JournalNodes that
 * they share, and the DataNodes are processes.
 */
@Tag("cluster")
class NameNodeFailoverTest {

  private static final int FILES = 12;

  @TempDir static Path temp;

  @Test
  void aPlanGoesOnWithTheOtherNameNode() throws Exception {
    List<ProcessNode> nodes = new ArrayList<>();
    for (int i = 1; i <= 4; i++) {
      nodes.add(
          new ProcessNode("dn" + i, "rack" + i % 2, List.of(StorageType.DISK, StorageType.SSD)));
    }
    Map<String, String> settings =
        Map.of(
            "hadoop.user.group.static.mapping.overrides",
            ServiceProcess.USER + "=supergroup;dr.who=",
            "hadoop.caller.context.enabled",
            "true",
            // A NameNode that has taken over deletes no replica too many before the DataNode's next
            // full report.
            "dfs.blockreport.intervalMsec",
            "5000");
    try (HaCluster cluster = HaCluster.start(line(), temp, nodes, settings)) {
      DistributedFileSystem hdfs = cluster.client();
      for (int i = 0; i < FILES; i++) {
        try (OutputStream out = hdfs.create(path(i))) {
          out.write(ServedCluster.content("/ha/f" + i));
        }
      }
      Path hadoop = Files.createDirectories(temp.resolve("hadoop"));
      Map<String, String> site = new HashMap<>(cluster.settings());
      ServiceSetup.site(hadoop.resolve("core-site.xml"), site);
      Path directory = Files.createDirectories(temp.resolve("service"));
      Path config =
          new ServiceSetup(hadoop, cluster.auditLog("nn1"), "/ha")
              .apply()
              .replace(
                  "auditLogs: [/var/log/hadoop/hdfs/hdfs-audit.log]",
                  "auditLogs: [" + cluster.auditLog("nn1") + ", " + cluster.auditLog("nn2") + "]")
              .replace("verifyWithin: 5m", "verifyWithin: 15s")
              .write(directory);
      try (ServiceProcess service = ServiceProcess.start(directory, config)) {
        service.logs("running in APPLY mode");
        Doctor pair = Doctor.run(ServiceProcess.USER, config);
        pair.assertOk("cluster.reached", "cluster.safe-mode", "cluster.clocks", "logs.audit-each");
        Path less =
            new ServiceSetup(hadoop, cluster.auditLog("nn1"), "/ha").write(temp.resolve("less"));
        Doctor.run(ServiceProcess.USER, less)
            .assertFound(
                "logs.audit-each",
                "error",
                "observe.auditLogs: 1 logs for 2 NameNodes",
                "name the log of each NameNode in observe.auditLogs");
        readUntil(
            hdfs,
            service,
            "a copy is asked for",
            () -> !ServiceSetup.journal(directory, "\"COPYING\"").isEmpty());
        cluster.kill("nn1");
        cluster.activate("nn2");
        Doctor one = Doctor.run(ServiceProcess.USER, config);
        one.assertOk("cluster.reached");
        assertTrue(one.text().contains("it doesn't answer"), one.text());
        // Which replica too many goes is the other NameNode's choice where it hadn't heard of the
        // move: such a move fails after its deadline, and the next plan makes it again.
        readUntil(
            hdfs,
            service,
            "all are on SSD, and the plan is at its end",
            () ->
                areFast(hdfs)
                    && !ServiceSetup.journal(directory, "\"VERIFIED\"").isEmpty()
                    && !ServiceSetup.journal(directory, "\"entry\":\"planEnded\"").isEmpty());
        service.terminate();
      }
      List<String> done = ServiceSetup.journal(directory, "\"VERIFIED\"");
      assertEquals(
          done.size(),
          done.stream()
              .map(line -> line.replaceFirst(".*\"block\":(\\d+).*\"to\":\"([^\"]*)\".*", "$1 $2"))
              .distinct()
              .count(),
          "no copy was made twice");
      assertTrue(ServiceSetup.journal(directory, "\"COPYING\"").size() >= FILES);
      for (int i = 0; i < FILES; i++) {
        try (InputStream in = hdfs.open(path(i))) {
          assertArrayEquals(ServedCluster.content("/ha/f" + i), in.readAllBytes());
        }
      }
    }
  }

  private static HadoopLine line() throws IOException {
    try {
      return HadoopLine.resolve(System.getProperty("hadoop.version"), TestLines.DIRECTORY);
    } catch (UnresolvedHadoopException e) {
      return abort(e.getMessage());
    }
  }

  private static org.apache.hadoop.fs.Path path(int file) {
    return new org.apache.hadoop.fs.Path("/ha/f" + file);
  }

  private static void readUntil(
      DistributedFileSystem hdfs, ServiceProcess service, String what, Callable<Boolean> holds) {
    try {
      Eventually.holds(
          what,
          Duration.ofMinutes(3),
          () -> {
            for (int i = 0; i < FILES; i++) {
              for (int times = 0; times < 3; times++) {
                hdfs.open(path(i)).close();
              }
            }
            return holds.call();
          });
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + "; " + service, e);
    }
  }

  private static boolean areFast(DistributedFileSystem hdfs) throws IOException {
    for (int i = 0; i < FILES; i++) {
      for (LocatedBlock block :
          hdfs.getClient()
              .getLocatedFileInfo("/ha/f" + i, false)
              .getLocatedBlocks()
              .getLocatedBlocks()) {
        if (!Arrays.asList(block.getStorageTypes())
            .contains(org.apache.hadoop.fs.StorageType.SSD)) {
          return false;
        }
      }
    }
    return true;
  }
}
