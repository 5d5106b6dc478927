// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.testbed.cluster.NodeLayout;
import io.thermocline.tiering.readorder.ReadOrder;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.net.DFSNetworkTopology;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * How many blocks a NameNode names to readers with SSD first, after the installed service gave each file a copy there,
 * beside what savings says. The table of docs/guides/read-order.md: four DataNodes in one rack, and readers on their
 * host.
 */
@Tag("cluster")
class FirstLocationsTest {

  private static final long MIB = 1L << 20;
  private static final int NODES = 4;
  private static final int FILES = 30;
  private static final int ROUNDS = 10;
  private static final double POINTS = 0.05;

  @TempDir private Path temp;

  private ServedCluster cluster;

  @ParameterizedTest
  @CsvSource({
    "NEAREST, 2, 0.50",
    "NEAREST, 3, 0.33",
    "NEAREST_THEN_TYPE, 3, 0.50",
    "FASTEST, 3, 1.00",
  })
  void savingsSayWhatReadersGetFirst(ReadOrder order, short replication, double share)
      throws Exception {
    List<NodeLayout> nodes =
        IntStream.range(0, NODES)
            .mapToObj(
                node ->
                    new NodeLayout(
                        "dn" + node + ".test",
                        "/rack",
                        Map.of(StorageType.SSD, 32 * MIB, StorageType.DISK, 128 * MIB)))
            .toList();
    try (ServedCluster started = ServedCluster.start(temp, nodes, stock(order))) {
      cluster = started;
      cluster.devices().fullSpeed();
      Path config =
          cluster
              .setup("/data")
              .web(cluster.web())
              .replace("promotion: one_or_all", "promotion: one_copy")
              .apply()
              .write(Files.createDirectories(temp.resolve("service")));
      try (ServiceProcess service = ServiceProcess.start(config.getParent(), config)) {
        promote(service, replication);
        service.plansOn(4);
        Map<String, Double> before = served(service);
        double first = first();
        Eventually.holds(
            "savings count the opens",
            () -> sum(served(service)) - sum(before) >= 0.97 * ROUNDS * FILES);
        Map<String, Double> after = served(service);
        double claimed =
            (after.get("SSD") - before.getOrDefault("SSD", 0.0)) / (sum(after) - sum(before));
        assertEquals(share, first, POINTS, "as docs/guides/read-order.md says");
        assertEquals(first, claimed, POINTS, "as savings say");
        service.terminate();
      }
    }
  }

  /** HDFS's own classes, but for the order. */
  private static Map<String, String> stock(ReadOrder order) {
    Map<String, String> keys = new HashMap<>();
    keys.put("dfs.block.replicator.classname", BlockPlacementPolicyDefault.class.getName());
    keys.put("dfs.net.topology.impl", DFSNetworkTopology.class.getName());
    if (order == ReadOrder.FASTEST) {
      keys.put("dfs.net.topology.impl", ReadOrder.TOPOLOGY);
    }
    keys.put(
        "dfs.namenode.read.considerStorageType",
        Boolean.toString(order == ReadOrder.NEAREST_THEN_TYPE));
    return keys;
  }

  /** Until a copy of each file is on SSD. */
  private void promote(ServiceProcess service, short replication) throws Exception {
    for (int file = 0; file < FILES; file++) {
      try (OutputStream out =
          cluster.superuser().createFile(path(file)).replication(replication).recursive().build()) {
        out.write(ServedCluster.content(path(file).toString()));
      }
    }
    service.plansOn(1);
    for (int read = 0; read < 6; read++) {
      first(1);
    }
    Eventually.holds("each block has one copy on SSD", () -> isPromoted(replication));
  }

  private boolean isPromoted(int replication) throws IOException {
    for (int file = 0; file < FILES; file++) {
      for (LocatedBlock block :
          cluster
              .superuser()
              .getClient()
              .getLocatedFileInfo(path(file).toString(), false)
              .getLocatedBlocks()
              .getLocatedBlocks()) {
        long fast =
            Arrays.stream(block.getStorageTypes())
                .filter(type -> type == org.apache.hadoop.fs.StorageType.SSD)
                .count();
        if (fast != 1 || block.getStorageTypes().length != replication) {
          return false;
        }
      }
    }
    return true;
  }

  private double first() throws IOException {
    return first(ROUNDS);
  }

  /** The share of blocks with SSD as the first location, as a reader gets them with an open. */
  private double first(int rounds) throws IOException {
    DistributedFileSystem reader = cluster.as("alice");
    int fast = 0;
    int all = 0;
    for (int round = 0; round < rounds; round++) {
      for (int file = 0; file < FILES; file++) {
        try (FSDataInputStream in = reader.open(path(file))) {
          for (LocatedBlock block : ((HdfsDataInputStream) in).getAllBlocks()) {
            all++;
            fast += block.getStorageTypes()[0] == org.apache.hadoop.fs.StorageType.SSD ? 1 : 0;
          }
        }
      }
    }
    return (double) fast / all;
  }

  private static org.apache.hadoop.fs.Path path(int file) {
    return new org.apache.hadoop.fs.Path("/data/f" + file);
  }

  /** Reads by the type that served them, as savings say. */
  private static Map<String, Double> served(ServiceProcess service) throws Exception {
    Map<String, Double> served = new HashMap<>();
    for (JsonNode one : service.get("/savings/latest").path("served")) {
      served.put(one.path("type").asText(), one.path("reads").asDouble());
    }
    return served;
  }

  private static double sum(Map<String, Double> served) {
    return served.values().stream().mapToDouble(Double::doubleValue).sum();
  }
}
