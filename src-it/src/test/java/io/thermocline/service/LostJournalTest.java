// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.launcher.Launched;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.tiering.act.ActionCalls;
import io.thermocline.tiering.act.HdfsActionCalls;
import io.thermocline.tiering.act.OperationBudget;
import io.thermocline.tiering.act.PolicyMarks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.ipc.CallerContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service whose journal's directory is gone, and with it the heat and the position in the logs, as at the defaults. */
@Tag("cluster")
class LostJournalTest {

  private static final List<String> MOVED =
      List.of("/lost/hot", "/lost/renamed", "/lost/confirmed", "/lost/replaced");

  @TempDir static Path temp;

  private static ServedCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    cluster = ServedCluster.start(temp, List.of(StorageType.DISK, StorageType.SSD));
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void whatTheServiceSetIsItsOwnStillUnlessSomebodySetItSince() throws Exception {
    // Of a test before this one; it would stand for somebody else's application.
    CallerContext.setCurrent(null);
    DistributedFileSystem hdfs = cluster.superuser();
    for (String file : MOVED) {
      cluster.write(file);
    }
    for (String file : List.of("theirs", "raised", "same")) {
      cluster.write("/lost/" + file);
    }
    hdfs.setStoragePolicy(path("/lost/theirs"), "ONE_SSD");
    Path first = Files.createDirectories(temp.resolve("first"));
    Path before = cluster.setup("/lost").apply().write(first);
    try (ServiceProcess service = ServiceProcess.start(first, before)) {
      service.logs("running in APPLY mode");
      Eventually.holds(
          "moved",
          () -> {
            for (String file : MOVED) {
              cluster.read(file, 2);
            }
            for (String file : MOVED) {
              if (!cluster.has(file, 1, StorageType.SSD)) {
                return false;
              }
            }
            return true;
          });
      service.plansOn(2);
      service.terminate();
    }
    ActionCalls actions =
        new HdfsActionCalls(
            cluster.as(ServiceProcess.USER).getClient(),
            ServiceProcess.USER,
            new HdfsActionCalls.Pool("thermocline", 4 << 20, Duration.ofHours(1)),
            OperationBudget.unlimited(),
            Clock.systemUTC());
    actions.setReplication("/lost/raised", 4, 3);
    actions.setReplication("/lost/same", 4, 3);
    // While no service runs.
    hdfs.setReplication(path("/lost/same"), (short) 4);
    hdfs.setStoragePolicy(path("/lost/confirmed"), "ONE_SSD");
    hdfs.rename(path("/lost/replaced"), path("/lost/away"));
    hdfs.rename(path("/lost/renamed"), path("/lost/replaced"));

    Path second = Files.createDirectories(temp.resolve("second"));
    String journal = ServiceSetup.journalOf(second).toString();
    Path config =
        Files.writeString(
            second.resolve("thermocline.yaml"),
            Files.readString(before).replace(ServiceSetup.journalOf(first).toString(), journal));
    try (ServiceProcess service = ServiceProcess.start(second, config)) {
      String line = service.fails(1, 1).get(0);
      assertTrue(line.contains("--accept-journal"), line);
    }
    try (ServiceProcess service = ServiceProcess.start(second, config, "--accept-journal")) {
      service
          .logs("3 storage policies are the service's own")
          .logs("1 replication factors and 0 cached files are the service's own")
          .logs("running in APPLY mode");
      Eventually.holds("planned", () -> service.plans() > 0);
      assertEquals(2, service.get("/state").at("/managed/leftAlone").asInt(), service::toString);
      service.terminate();
    }
    for (String ours : List.of("hot", "replaced", "away")) {
      assertEquals(1, ServiceSetup.journal(second, "\"policy\"", "\"/lost/" + ours + '"').size());
    }
    for (String theirs : List.of("theirs", "confirmed")) {
      assertEquals(List.of(), ServiceSetup.journal(second, "\"/lost/" + theirs + '"'));
      assertTrue(
          !hdfs.getXAttrs(path("/lost/" + theirs)).containsKey(PolicyMarks.ATTRIBUTE), theirs);
    }
    assertEquals(4, hdfs.getFileStatus(path("/lost/same")).getReplication());
    Launched removal =
        Launched.installed(
            second,
            ServiceProcess.USER,
            List.of("uninstall", "--config", config.toString(), "--yes"));
    assertEquals(0, removal.status(), removal::toString);
    assertTrue(removal.out().contains("storage policies: 3"), removal::toString);
    for (String ours : List.of("hot", "replaced", "away")) {
      assertTrue(cluster.has("/lost/" + ours, 0, StorageType.SSD), ours);
    }
    for (String theirs : List.of("theirs", "confirmed")) {
      assertEquals("ONE_SSD", hdfs.getStoragePolicy(path("/lost/" + theirs)).getName());
    }
  }

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }
}
