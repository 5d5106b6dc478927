// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.hints.Hint;
import io.thermocline.hints.Operation;
import io.thermocline.hints.Requirement;
import io.thermocline.hints.Temperature;
import io.thermocline.hints.wire.HintWire;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.tiering.app.CommandLines;
import io.thermocline.tiering.app.ExplainMain;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What stands on files as extended attributes, and what the service makes of it. */
@Tag("cluster")
class HintsTest {

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir static Path temp;

  private static ServedCluster cluster;
  private static DistributedFileSystem alice;
  private static DistributedFileSystem mallory;

  @BeforeAll
  static void start() throws IOException {
    cluster = ServedCluster.start(temp, List.of(StorageType.DISK, StorageType.SSD), 4, Map.of());
    alice = cluster.as("alice");
    mallory = cluster.as("mallory");
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void aHintMovesWhatNobodyReads() throws Exception {
    for (String file : List.of("/hints/hot", "/hints/forged", "/hints/plain")) {
      cluster.write(file);
      cluster.superuser().setOwner(new org.apache.hadoop.fs.Path(file), "alice", null);
      cluster
          .superuser()
          .setPermission(new org.apache.hadoop.fs.Path(file), new FsPermission((short) 0666));
    }
    Path directory = Files.createDirectories(temp.resolve("service"));
    Path config =
        cluster
            .setup("/hints")
            .apply()
            .checkpointEvery("1s")
            .replace("take: off", "take: on")
            .write(directory);
    Hint hot = hot("/hints/hot", "alice");
    try (ServiceProcess service = ServiceProcess.start(directory, config)) {
      service.logs("plan 1: 3 files managed");
      give(alice, hot);
      // It says alice, and the NameNode's log says who it was.
      give(mallory, hot("/hints/forged", "alice"));
      cluster
          .superuser()
          .rename(
              new org.apache.hadoop.fs.Path("/hints/hot"),
              new org.apache.hadoop.fs.Path("/hints/renamed"));
      Eventually.holds(
          "on SSD, of " + service,
          PATIENCE,
          () -> cluster.has("/hints/renamed", 1, StorageType.SSD));
      service.logs("1 hints were refused so far, the last one on /hints/forged");
      service.terminate();
    }
    assertTrue(cluster.has("/hints/forged", 0, StorageType.SSD));
    assertTrue(cluster.has("/hints/plain", 0, StorageType.SSD));
    List<String> planned = ServiceSetup.journal(directory, "\"planned\"");
    assertEquals(1, planned.size(), planned::toString);
    assertTrue(planned.get(0).contains("hinted hot by alice until"), planned::toString);
    String said = explain(config, "/hints/renamed");
    assertTrue(said.contains("hinted hot by alice until "), said);
    assertTrue(said.contains(", believed 0.80: as 19.2 reads a day"), said);
  }

  private static Hint hot(String path, String owner) {
    return Hint.onFile(Operation.ADVISE, path)
        .temperature(Temperature.HOT)
        .requirement(Requirement.LOW_LATENCY)
        .owner(owner)
        .leaseExpiryMillis(Instant.now().plus(Duration.ofHours(12)).toEpochMilli())
        .build();
  }

  private static void give(DistributedFileSystem user, Hint hint) throws IOException {
    user.setXAttr(
        new org.apache.hadoop.fs.Path(hint.target()),
        HintWire.attributeOf(hint.operation()),
        HintWire.encode(hint).getBytes(StandardCharsets.UTF_8));
  }

  private static String explain(Path config, String path) {
    StringWriter said = new StringWriter();
    CommandLine command = CommandLines.of(new ExplainMain());
    command.setOut(new PrintWriter(said, true));
    command.setErr(new PrintWriter(said, true));
    assertEquals(0, command.execute("--config", config.toString(), path), said::toString);
    return said.toString();
  }
}
