// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.testbed.cluster.NodeLayout;
import io.thermocline.tiering.readorder.NodeDifference;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.net.DFSNetworkTopology;
import org.apache.hadoop.ipc.CallerContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.AssertionFailedError;

/**
 * Which storage types served reads, as the installed service says, beside the DataNodes' own counters. A DataNode has
 * storages of one type, so that its counters are of that type.
 */
@Tag("cluster")
class ServedReadsTest {

  private static final long MIB = 1L << 20;
  private static final int RACKS = 3;
  private static final int FILES = 12;
  private static final int ROUNDS = 20;
  private static final double POINTS = 0.03;

  /** DataNodes renew their counters every ten seconds. */
  private static final Duration LIMIT = Duration.ofMinutes(2);

  @TempDir private Path temp;
  private ServedCluster cluster;
  private ClientTrace trace;

  @BeforeEach
  void start() throws IOException {
    List<NodeLayout> nodes =
        IntStream.range(0, 2 * RACKS)
            .mapToObj(
                node ->
                    new NodeLayout(
                        (isFast(node) ? "ssd" : "disk") + node + ".test",
                        "/rack" + node % RACKS,
                        isFast(node)
                            ? Map.of(StorageType.SSD, 32 * MIB)
                            : Map.of(StorageType.DISK, 128 * MIB)))
            .toList();
    // By which readers may say on which host they are.
    cluster =
        ServedCluster.start(
            temp,
            nodes,
            Map.of(
                "dfs.namenode.ip-proxy-users",
                "alice",
                // HDFS's own read order: more than the fast copies serve.
                "dfs.net.topology.impl",
                DFSNetworkTopology.class.getName()));
    cluster.devices().fullSpeed();
    trace = ClientTrace.into(temp.resolve("datanodes/hdfs-clienttrace.log"));
  }

  private static boolean isFast(int node) {
    return node < RACKS;
  }

  @AfterEach
  void stop() {
    CallerContext.setCurrent(null);
    if (trace != null) {
      trace.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void measuredIsWhatDataNodesCounted() throws Exception {
    Path config =
        cluster
            .setup("/data")
            .replace("promotion: one_or_all", "promotion: one_copy")
            .web(cluster.web())
            .clientTraceLogs(trace.file().toString())
            .apply()
            .write(Files.createDirectories(temp.resolve("service")));
    try (ServiceProcess service = ServiceProcess.start(config.getParent(), config)) {
      promote(service);
      // Reads from before the last move are of no type.
      service.plansOn(4);
      JsonNode before = savings(service).path("measured");
      Map<String, Long> counted = counted();
      long bytes = readAll(ROUNDS);
      Eventually.holds(
          "all reads in the DataNodes' counters",
          LIMIT,
          () -> sum(counted()) - sum(counted) >= bytes);
      JsonNode[] seen = new JsonNode[1];
      try {
        Eventually.holds(
            "all reads in the savings, but for those that can't be attributed",
            LIMIT,
            () -> {
              seen[0] = savings(service).path("measured");
              return served(seen[0]) - served(before) >= 0.97 * bytes;
            });
      } catch (AssertionFailedError e) {
        throw new AssertionError(before + " and then of " + bytes + ": " + seen[0], e);
      }

      JsonNode after = savings(service).path("measured");
      double ssd = served(after, "SSD") - served(before, "SSD");
      double disk = served(after, "DISK") - served(before, "DISK");
      Map<String, Long> now = counted();
      double all = sum(now) - sum(counted);
      double ofFastNodes = 0;
      for (Map.Entry<String, Long> node : now.entrySet()) {
        ofFastNodes +=
            node.getKey().startsWith("ssd") ? node.getValue() - counted.get(node.getKey()) : 0;
      }
      assertEquals(ofFastNodes / all, ssd / (ssd + disk), POINTS, after::toString);
      assertTrue(ssd > 0 && disk > 0, after::toString);
      assertTrue(after.path("attributedShare").asDouble() > 0.9, after::toString);
      long logging =
          now.entrySet().stream()
              .filter(node -> node.getValue() > counted.get(node.getKey()))
              .count();
      assertTrue(after.path("dataNodes").asInt() >= logging, after::toString);
      assertEquals(2 * RACKS, after.path("allDataNodes").asInt(), after::toString);
      assertEquals("estimated", savings(service).path("basis").asText());
      service.terminate();
    }
  }

  @Test
  void estimateIsComparedWithWhatDataNodesCount() throws Exception {
    Path config =
        cluster
            .setup("/data")
            .replace("promotion: one_or_all", "promotion: one_copy")
            .web(cluster.web())
            .apply()
            .write(Files.createDirectories(temp.resolve("service")));
    try (ServiceProcess service = ServiceProcess.start(config.getParent(), config)) {
      promote(service);
      JsonNode good = served(service, () -> readAll(1));
      assertTrue(good.path("differenceShare").asDouble() < NodeDifference.BOUND, good::toString);
      assertTrue(good.path("finding").isMissingNode(), good::toString);
      assertEquals(2 * RACKS, good.path("dataNodes").asInt(), good::toString);
      JsonNode savings = savings(service);
      assertEquals("estimated", savings.path("basis").asText());
      assertTrue(savings.path("measured").isMissingNode(), savings::toString);

      // As HBase reads: one open, and no further line in the audit log.
      JsonNode bad;
      try (FSDataInputStream open =
          cluster.as("alice").open(new org.apache.hadoop.fs.Path(file(0)))) {
        bad =
            served(
                service,
                () -> {
                  for (int i = 0; i < 50; i++) {
                    open.readFully(0, new byte[64 << 10]);
                  }
                  return 0L;
                });
      }
      String finding = bad.path("finding").asText();
      assertTrue(finding.contains("programs keep files open"), bad::toString);
      service.terminate();
      Doctor doctor = Doctor.run(ServiceProcess.USER, config);
      assertEquals("warning", doctor.checks().get("logs.served"), doctor.text());
      assertTrue(doctor.text().contains("programs keep files open"), doctor.text());
    }
  }

  /** Compares reads that all come after this begins. */
  private static JsonNode served(ServiceProcess service, Callable<Long> read) throws Exception {
    Instant begin = Instant.now();
    JsonNode[] known = new JsonNode[1];
    Eventually.holds(
        "reads are compared",
        LIMIT,
        () -> {
          read.call();
          known[0] = service.get("/state").path("served");
          return !known[0].isMissingNode()
              && Instant.parse(known[0].path("since").asText()).isAfter(begin);
        });
    return known[0];
  }

  private static JsonNode savings(ServiceProcess service) throws Exception {
    return service.get("/savings/latest");
  }

  /** Until a copy of each file is on SSD. */
  private void promote(ServiceProcess service) throws Exception {
    for (int file = 0; file < FILES; file++) {
      cluster.write(file(file));
    }
    service.plansOn(1);
    readAll(6);
    for (int file = 0; file < FILES; file++) {
      String path = file(file);
      Eventually.holds(
          path + " has a copy on SSD", LIMIT, () -> cluster.has(path, 1, StorageType.SSD));
    }
  }

  private static String file(int number) {
    return "/data/f" + number;
  }

  /** On the DataNodes' host, where HDFS takes any of them for the nearest, and on two others. */
  private long readAll(int times) throws IOException {
    FileSystem client = cluster.as("alice");
    for (int time = 0; time < times; time++) {
      String host = List.of("127.0.0.1", "10.1.1.1", "10.1.1.2").get(time % 3);
      CallerContext.setCurrent(new CallerContext.Builder("clientIp:" + host).build());
      for (int file = 0; file < FILES; file++) {
        try (InputStream in = client.open(new org.apache.hadoop.fs.Path(file(file)))) {
          in.readAllBytes();
        }
      }
    }
    return (long) times * FILES * ServedCluster.FILE_BYTES;
  }

  /** Bytes that DataNodes served, by their names. */
  private static Map<String, Long> counted() throws JMException {
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    Map<String, Long> counted = new HashMap<>();
    for (ObjectName bean :
        beans.queryNames(new ObjectName("Hadoop:service=DataNode,name=DataNodeActivity-*"), null)) {
      String name = bean.getKeyProperty("name").substring("DataNodeActivity-".length());
      counted.put(name, (Long) beans.getAttribute(bean, "BytesRead"));
    }
    return counted;
  }

  private static long sum(Map<String, Long> counted) {
    return counted.values().stream().mapToLong(Long::longValue).sum();
  }

  private static double served(JsonNode measured) {
    return served(measured, "SSD") + served(measured, "DISK");
  }

  private static double served(JsonNode measured, String type) {
    for (JsonNode one : measured.path("served")) {
      if (one.path("type").asText().equals(type)) {
        return one.path("servedBytes").asDouble();
      }
    }
    return 0;
  }
}
