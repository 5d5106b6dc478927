// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.tiering.observe.BlockAccess;
import io.thermocline.tiering.observe.ClientTraceSource;
import io.thermocline.tiering.observe.DataNodeCounters;
import io.thermocline.tiering.observe.LogPositions;
import io.thermocline.tiering.observe.LogStart;
import io.thermocline.tiering.observe.ServedCounters;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The heat that the installed service learns from the audit log alone, with {@code observe} as in conf/, beside the block
 * reads in the DataNodes' logs and in their counters.
 */
@Tag("cluster")
class ReadsAgainstHeatTest {
  private static final String ROOT = "/warehouse";
  private static final int BLOCK = 256 << 10;
  private static final int SMALL = 16 << 10;
  private static final int TABLE_FILES = 300;
  private static final int JOBS = 20;
  private static final int BLOCKS = 20;

  /** Relative error of the block reads of each directory; heat cools by 1 % in five minutes. */
  private static final double BOUND = 0.05;

  @TempDir private Path temp;
  private ServedCluster cluster;
  private ClientTrace trace;

  @BeforeEach
  void start() throws IOException {
    cluster =
        ServedCluster.start(
            temp,
            List.of(StorageType.DISK, StorageType.SSD),
            4,
            ServedCluster.actsForCallers("httpfs"));
    cluster.devices().fullSpeed();
    trace = ClientTrace.into(temp.resolve("datanodes/hdfs-clienttrace.log"));
  }

  @AfterEach
  void stop() {
    if (trace != null) {
      trace.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void heatIsWhatDataNodesRead() throws Exception {
    for (int file = 0; file < TABLE_FILES; file++) {
      write(table(file), SMALL);
    }
    for (int file = 0; file < 3; file++) {
      write(small(file), SMALL);
      write(home(file), SMALL);
    }
    write(ROOT + "/whole/f", BLOCKS * BLOCK);
    write(ROOT + "/tasks/f", BLOCKS * BLOCK);
    write(ROOT + "/again/f", BLOCK);
    // Before the service reads the log: whoever asks for the places of blocks leaves a line.
    Map<Long, String> blocks = directoriesOfBlocks();
    long countedBefore = countedReads();
    Path config =
        cluster
            .setup(ROOT)
            .sharesOpens()
            .apply()
            .write(Files.createDirectories(temp.resolve("service")));
    try (ServiceProcess service = ServiceProcess.start(config.getParent(), config)) {
      service.plansOn(1);
      DistributedFileSystem hive = cluster.as("hive");
      for (int job = 0; job < JOBS; job++) {
        context("mr_attempt_1700000000000_%04d_m_000000_0".formatted(job));
        for (int file = 0; file < TABLE_FILES; file++) {
          readWhole(hive, table(file));
        }
        for (int file = 0; file < 3; file++) {
          readWhole(hive, small(file));
        }
      }
      DistributedFileSystem alice = cluster.as("alice");
      for (int time = 0; time < 3; time++) {
        context("mr_attempt_1700000000000_%04d_m_000000_0".formatted(100 + time));
        readWhole(alice, ROOT + "/whole/f");
        for (int task = 0; task < BLOCKS; task++) {
          context("mr_attempt_1700000000000_%04d_m_%06d_0".formatted(200 + time, task));
          readBlock(alice, ROOT + "/tasks/f", task);
        }
        context("CLI");
        for (int open = 0; open < 100; open++) {
          readWhole(alice, ROOT + "/again/f");
        }
      }
      readThroughGateway();

      Map<String, Double> read = blockReads(blocks);
      Eventually.holds("a plan after the last read", () -> isNear(read, heat(service)));
      Map<String, Double> heat = heat(service);
      assertEquals(
          Map.of(
              "table", 6000.0, "small", 60.0, "whole", 60.0, "tasks", 60.0, "again", 300.0, "home",
              600.0),
          read,
          "what DataNodes read");
      long logged = (long) read.values().stream().mapToDouble(Double::doubleValue).sum();
      Eventually.holds(
          "DataNodes count as many reads as they log, each counter of which may be ten seconds old",
          () -> countedReads() - countedBefore >= logged);
      assertEquals(logged, countedReads() - countedBefore, "what DataNodes count");
      assertEquals(
          List.of("table", "home", "again"),
          heat.keySet().stream().limit(3).toList(),
          () -> "hottest first: " + heat);
      JsonNode seen = service.get("/state").path("observed");
      assertEquals(0, seen.path("scanOpens").asLong(), seen::toString);
      assertTrue(
          String.join(" ", service.explains(table(0))).contains("20.0 block reads"),
          service::toString);
      Eventually.holds("the table has copies on SSD", () -> isTableFast(service));
      service.terminate();
      assertTrue(Explained.by(config, table(TABLE_FILES - 1)).contains("20.0 block reads"));
      for (int file = 0; file < TABLE_FILES; file++) {
        assertTrue(cluster.has(table(file), 1, StorageType.SSD), table(file));
      }
    }
  }

  private static String table(int file) {
    return ROOT + "/table/part-%05d".formatted(file);
  }

  private static String small(int file) {
    return ROOT + "/small/part-%05d".formatted(file);
  }

  private static String home(int file) {
    return ROOT + "/home/f" + file;
  }

  private void write(String path, int length) throws IOException {
    try (OutputStream out = cluster.superuser().create(path(path))) {
      out.write(new byte[length]);
    }
  }

  private static void context(String context) {
    CallerContext.setCurrent(context == null ? null : new CallerContext.Builder(context).build());
  }

  private static void readWhole(FileSystem client, String path) throws IOException {
    try (InputStream in = client.open(path(path))) {
      in.readAllBytes();
    }
  }

  private static void readBlock(FileSystem client, String path, int block) throws IOException {
    try (FSDataInputStream in = client.open(path(path))) {
      in.readFully((long) block * BLOCK, new byte[BLOCK]);
    }
  }

  /** Forty users behind one address, each of whom reads three files five times. */
  private void readThroughGateway() throws Exception {
    context(null);
    UserGroupInformation gateway = UserGroupInformation.createRemoteUser("httpfs");
    for (int user = 0; user < 40; user++) {
      try (FileSystem client =
          UserGroupInformation.createProxyUser("user" + user, gateway)
              .doAs(
                  (PrivilegedExceptionAction<FileSystem>)
                      () ->
                          FileSystem.newInstance(
                              cluster.superuser().getUri(), cluster.superuser().getConf()))) {
        for (int time = 0; time < 5; time++) {
          for (int file = 0; file < 3; file++) {
            readWhole(client, home(file));
          }
        }
      }
    }
  }

  private Map<Long, String> directoriesOfBlocks() throws IOException {
    Map<Long, String> directories = new HashMap<>();
    RemoteIterator<LocatedFileStatus> files = cluster.superuser().listFiles(path(ROOT), true);
    while (files.hasNext()) {
      org.apache.hadoop.fs.Path file = files.next().getPath();
      for (LocatedBlock block :
          cluster
              .superuser()
              .getClient()
              .getLocatedBlocks(file.toUri().getPath(), 0, Long.MAX_VALUE)
              .getLocatedBlocks()) {
        directories.put(block.getBlock().getBlockId(), file.getParent().getName());
      }
    }
    return directories;
  }

  /** Of each directory, by all DataNodes' logs, when all have come. */
  private Map<String, Double> blockReads(Map<Long, String> directories) throws IOException {
    Map<String, Double> reads = new HashMap<>();
    try (ClientTraceSource source =
        new ClientTraceSource(
            trace.file(), LogStart.BEGINNING, LogPositions.none(), ZoneId.systemDefault())) {
      // A DataNode logs a read a moment after its client has the last byte.
      Eventually.holds(
          "all reads in the DataNodes' logs",
          () -> {
            source.poll(
                access -> {
                  if (access.kind() == BlockAccess.Kind.READ) {
                    reads.merge(directories.get(access.blockId()), 1.0, Double::sum);
                  }
                },
                Long.MAX_VALUE,
                Long.MAX_VALUE);
            return reads.values().stream().mapToDouble(Double::doubleValue).sum()
                >= TABLE_FILES * JOBS + 3 * JOBS + 2 * 3 * BLOCKS + 300 + 600;
          });
    }
    return reads;
  }

  /** Reads of clients that all DataNodes counted since they started. */
  private long countedReads() throws Exception {
    List<DataNodeCounters.Asked> nodes =
        Arrays.stream(cluster.superuser().getDataNodeStats())
            .map(
                node ->
                    new DataNodeCounters.Asked(
                        node.getDatanodeUuid(),
                        "http://" + node.getInfoAddr(),
                        Integer.toString(node.getXferPort())))
            .toList();
    Map<String, ServedCounters> counters =
        new DataNodeCounters(new Configuration(false)).ask(nodes);
    assertEquals(nodes.size(), counters.size());
    return counters.values().stream().mapToLong(ServedCounters::reads).sum();
  }

  /** Block reads of each directory, the hottest first, as the service has them. */
  private static Map<String, Double> heat(ServiceProcess service) throws Exception {
    Map<String, Double> heat = new LinkedHashMap<>();
    for (JsonNode one : service.get("/directories?path=" + ROOT).path("items")) {
      heat.put(path(one.path("path").asText()).getName(), one.path("heat").asDouble());
    }
    return heat;
  }

  private static boolean isNear(Map<String, Double> read, Map<String, Double> heat) {
    return read.entrySet().stream()
        .allMatch(
            one -> Math.abs(heat.getOrDefault(one.getKey(), 0.0) / one.getValue() - 1) <= BOUND);
  }

  private static boolean isTableFast(ServiceProcess service) throws Exception {
    for (JsonNode one : service.get("/directories?path=" + ROOT).path("items")) {
      if (one.path("path").asText().endsWith("/table")) {
        return one.path("fastBytes").asLong() == (long) TABLE_FILES * SMALL;
      }
    }
    return false;
  }

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }
}
