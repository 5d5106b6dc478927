// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.thermocline.hints.fs.HintingFileSystem;
import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.Scene;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.observe.ReaderTally;
import io.thermocline.tiering.readorder.ReadOrder;
import io.thermocline.tiering.readorder.ReadShares;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReadOrdersTest {

  private static final String TYPE = "dfs.namenode.read.considerStorageType";

  private final Configuration here = new Configuration(false);
  private final List<HttpServer> nameNodes = new ArrayList<>();
  private final Scene scene = new Scene().nodes(4, Map.of(StorageType.DISK, 1000L));
  private long nanos;

  @AfterEach
  void stop() {
    nameNodes.forEach(server -> server.stop(0));
  }

  @Test
  void isOfTheNameNodesNotOfThisHost() throws IOException {
    here.set("dfs.net.topology.impl", ReadOrder.TOPOLOGY);
    assertEquals(
        "Readers take the nearest replica: a copy on SSD serves 50 % of its file's reads"
            + " (estimated for readers on all DataNodes). docs/guides/read-order.md",
        line(orders(web(Map.of()))));
    assertEquals(
        "Readers take a replica on the fastest type: a copy on SSD serves 100 % of its file's"
            + " reads (estimated for readers on all DataNodes). The read order is assumed from"
            + " this host's Hadoop configuration: observe.nameNodeWebs (with Kafka observe.kafka.nameNodeWebs) names no NameNode.",
        line(orders()));
  }

  @Test
  void ofAPairThatDiffersTheOrderThatReachesLessCounts() throws IOException {
    URI first = web(Map.of(TYPE, "true"));
    URI second = web(Map.of());
    ReadOrders differing = orders(first, second);
    assertEquals(ReadOrder.NEAREST, differing.of(scene.cluster()).order());
    assertEquals(
        "The NameNodes differ in their read order: {NEAREST=["
            + second.getAuthority()
            + "], NEAREST_THEN_TYPE=["
            + first.getAuthority()
            + "]}.",
        line(differing).replaceFirst(".*read-order.md ", ""));
  }

  @Test
  void saysWhichSettingsTheEstimateIgnores() throws IOException {
    ReadOrders orders =
        orders(
            web(Map.of(TYPE, "true", "dfs.namenode.read.considerLoad", "true")),
            web(Map.of("dfs.namenode.avoid.read.slow.datanode", "true")));
    assertEquals(ReadOrder.NEAREST, orders.of(scene.cluster()).order());
    assertEquals(
        "The estimate ignores dfs.namenode.avoid.read.slow.datanode, dfs.namenode.read.considerLoad,"
            + " which the NameNodes have set.",
        line(orders).replaceFirst(".*read-order.md ", ""));
    String ownDisks =
        line(
            orders(
                web(
                    Map.of(
                        "dfs.net.topology.impl",
                        ReadOrder.TOPOLOGY,
                        "thermocline.placement.read.own-disks",
                        "8"))));
    assertTrue(
        ownDisks.endsWith(
            " The estimate ignores thermocline.placement.read.own-disks, which the NameNodes have"
                + " set."),
        ownDisks);
  }

  @Test
  void clientsThatSortReplicasThemselvesDontGoByTheNameNodes() throws IOException {
    here.set("thermocline.hints.read.order", "fastest");
    ReadOrders orders = orders(web(Map.of()));
    assertEquals(ReadOrder.NEAREST, orders.of(scene.cluster()).order(), "in stock clients");
    here.set("fs.hdfs.impl", HintingFileSystem.class.getName());
    ReadOrders own = orders(web(Map.of()));
    assertEquals(
        "Readers take a replica on the fastest type: a copy on SSD serves 100 % of its file's"
            + " reads (estimated for readers on all DataNodes). By the clients' own order: this"
            + " host's Hadoop configuration has thermocline.hints.read.order.",
        line(own));
    here.set("thermocline.hints.read.order", "namenode");
    assertEquals(ReadOrder.NEAREST, orders(web(Map.of())).of(scene.cluster()).order());
  }

  @Test
  void asksTheNameNodesOfLogsAndOfTopics() {
    URI ofLog = URI.create("http://nn1:9870");
    URI ofTopic = URI.create("http://nn2:9870");
    URI elsewhere = URI.create("http://other:9870");
    ServiceConfig.Observe observe =
        new ServiceConfig.Observe(
            List.of(
                new ServiceConfig.LogFile(null, Path.of("/a.log"), ofLog),
                new ServiceConfig.LogFile("ns", Path.of("/b.log"), null),
                new ServiceConfig.LogFile("ns2", Path.of("/c.log"), elsewhere)),
            null,
            null,
            null,
            null,
            0.9,
            new ServiceConfig.Kafka(
                List.of(),
                Map.of(),
                List.of(
                    new ServiceConfig.Web("ns", ofTopic), new ServiceConfig.Web("ns2", elsewhere))),
            List.of(),
            null);

    assertEquals(List.of(ofLog, ofTopic), ReadOrders.webs(observe, "ns"));
  }

  @Test
  void asksAgainAfterAWhile() throws IOException {
    ReadOrders orders = orders(web(Map.of(TYPE, "true")));
    assertEquals(ReadOrder.NEAREST_THEN_TYPE, orders.of(scene.cluster()).order());
    nameNodes.get(0).stop(0);
    assertEquals(ReadOrder.NEAREST_THEN_TYPE, orders.of(scene.cluster()).order());
    nanos += 301_000_000_000L;
    assertEquals(ReadOrder.NEAREST, orders.of(scene.cluster()).order(), "of this host");
  }

  private String line(ReadOrders orders) {
    ReadShares shares = orders.of(scene.cluster());
    return orders.line(
        shares, List.of(new HotFile(scene.file("/a", 9, "n1-DISK", "n2-DISK", "n3-DISK"), 1)));
  }

  private ReadOrders orders(URI... webs) {
    return new ReadOrders(List.of(webs), here, new ReaderTally(1), () -> nanos);
  }

  /** The page /conf of a NameNode, which answers with JSON only where it is asked for that. */
  private URI web(Map<String, String> conf) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    StringBuilder page = new StringBuilder("{\"properties\":[{\"key\":\"a\",\"value\":null}");
    conf.forEach(
        (key, value) -> page.append(",{\"key\":\"%s\",\"value\":\"%s\"}".formatted(key, value)));
    server.createContext(
        "/conf",
        exchange -> {
          boolean isJson =
              "application/json".equals(exchange.getRequestHeaders().getFirst("Accept"));
          byte[] answer =
              (isJson ? page + "]}" : "<configuration/>").getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
    nameNodes.add(server);
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }
}
