// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.ClusterLayout;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.tiering.commands.SimulateMain;
import io.thermocline.tiering.observe.image.ImageFetch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The service in shadow mode, and the simulator with its log, image and configuration, plan the same files. */
@Tag("cluster")
class SimulatedDecisionsTest {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int FILES = 6;

  @TempDir private Path temp;

  @Test
  void theSimulatorNamesTheFilesThatTheServiceNames() throws Exception {
    try (ServedCluster cluster =
        ServedCluster.start(temp, List.of(StorageType.DISK, StorageType.SSD))) {
      for (int file = 0; file < FILES; file++) {
        cluster.write("/data/f" + file);
        cluster.write("/elsewhere/f" + file);
      }
      for (int file = 0; file < FILES; file++) {
        cluster.read("/data/f" + file, 2 * file);
        cluster.read("/elsewhere/f" + file, 2 * file);
      }
      cluster.superuser().rename(path("/data/f5"), path("/data/renamed"));
      cluster.superuser().delete(path("/data/f4"), false);
      Path image = image(cluster);
      Path log = Files.copy(cluster.auditLog(), temp.resolve("hdfs-audit.log"));

      Path free = setup(cluster).write(Files.createDirectories(temp.resolve("free")));
      Path capped =
          setup(cluster)
              .replace("caps: []", "caps: [{path: /data, type: ssd, most: 1300 KB}]")
              .write(Files.createDirectories(temp.resolve("capped")));

      Map<String, String> all = planned(free);
      assertEquals(Set.of("/data/f1", "/data/f2", "/data/f3", "/data/renamed"), all.keySet());
      assertEquals(all, simulated(free, log, image));
      Map<String, String> hottest = planned(capped);
      assertEquals(Set.of("/data/f3", "/data/renamed"), hottest.keySet());
      assertEquals(hottest, simulated(capped, log, image));
    }
  }

  /** The first plan is the only one. */
  private static ServiceSetup setup(ServedCluster cluster) {
    return cluster.setup("/data").fromTheBeginning().planEvery("1h");
  }

  private Path image(ServedCluster cluster) throws IOException {
    DistributedFileSystem superuser = cluster.superuser();
    superuser.setSafeMode(SafeModeAction.ENTER);
    superuser.saveNamespace();
    superuser.setSafeMode(SafeModeAction.LEAVE);
    return new ImageFetch(cluster.web(), new Configuration(), System::nanoTime)
        .fetch(Files.createDirectories(temp.resolve("image")), (bytes, of, left) -> {});
  }

  /** By path, the cause, the target and the bytes of the copies. */
  private static Map<String, String> planned(Path config) throws Exception {
    Path journal =
        ServiceSetup.journalOf(config.getParent()).resolve("shadow").resolve("journal.jsonl");
    try (ServiceProcess service = ServiceProcess.start(config.getParent(), config)) {
      Eventually.holds(
          "a plan in shadow mode",
          PATIENCE,
          () -> Files.exists(journal) && Files.readString(journal).contains("\"planned\""));
      // All of a plan is in the journal before its message is shown.
      assertTrue(service.get("/state").path("message").asText().contains(" moves"));
    }
    Map<String, String> files = new TreeMap<>();
    for (String line : Files.readAllLines(journal)) {
      if (line.contains("\"entry\":\"planned\"")) {
        add(files, new ObjectMapper().readTree(line.substring(line.indexOf('{'))));
      }
    }
    return files;
  }

  private static void add(Map<String, String> files, JsonNode file) {
    files.put(
        file.get("path").asText(),
        file.get("cause").asText() + " " + file.get("target").asText() + " " + file.get("bytes"));
  }

  private Map<String, String> simulated(Path config, Path log, Path image) throws IOException {
    Path cluster =
        Files.writeString(
            temp.resolve("cluster.yaml"),
            """
            racks: 2
            nodesPerRack: 2
            blockSize: %d B
            tiers:
              DISK:
                capacity: 64 MB
                copies: 3
                readMegabytesPerSecond: 100
                writeMegabytesPerSecond: 100
              SSD:
                capacity: 16 MB
                readMegabytesPerSecond: 1000
                writeMegabytesPerSecond: 1000
            """
                .formatted(ClusterLayout.DEMO_BLOCK_SIZE));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream before = System.out;
    int status;
    try {
      System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
      status =
          SimulateMain.line()
              .execute(
                  "--config",
                  config.toString(),
                  "--cluster",
                  cluster.toString(),
                  "--audit-log",
                  log.toString(),
                  "--fsimage",
                  image.toString(),
                  // Of the one that was deleted.
                  "--file-size",
                  "1",
                  "--policies",
                  "ours",
                  "--sizes",
                  "1",
                  "--json");
    } finally {
      System.setOut(before);
    }
    String text = out.toString(StandardCharsets.UTF_8);
    assertEquals(0, status, text);
    Map<String, String> files = new TreeMap<>();
    new ObjectMapper().readTree(text).at("/runs/0/planned").forEach(file -> add(files, file));
    return files;
  }

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }
}
