// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DataNodeReadsTest {

  private static final String PAGE =
      "{\"beans\": [{\"name\": \"Hadoop:service=DataNode,name=DataNodeActivity-h-9866\","
          + " \"ReadBlockOpNumOps\": 7, \"ReadBlockOpAvgTime\": 2.5,"
          + " \"WriteBlockOpNumOps\": 3}]}";

  private final AtomicInteger asked = new AtomicInteger();
  private final DataNodeReads reads = new DataNodeReads(new Configuration(false));
  private HttpServer good;
  private HttpServer bad;
  private volatile int status = 503;

  @BeforeEach
  void serve() throws IOException {
    good = server(new AtomicInteger());
    good.start();
    bad = server(asked);
    bad.start();
  }

  @AfterEach
  void stop() {
    good.stop(0);
    bad.stop(0);
  }

  @Test
  void asksOneThatDidNotAnswerAgainAfterSomeLooks() throws Exception {
    DataNodeStates states =
        new DataNodeStates(List.of(node("good", good), node("bad", bad)), false);
    for (int look = 0; look < 7; look++) {
      assertEquals(Map.of("good", new ReadTimes.Reads(7, 2.5, 3)), answers(states));
      assertEquals(1, asked.get(), "asked at the first look alone, and this is " + look);
    }
    status = 200;
    assertEquals(Set.of("good", "bad"), answers(states).keySet());
    assertEquals(Set.of("good", "bad"), answers(states).keySet());
    assertEquals(3, asked.get());
  }

  private Map<String, ReadTimes.Reads> answers(DataNodeStates states) throws Exception {
    return reads.of(states);
  }

  private HttpServer server(AtomicInteger count) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/jmx",
        exchange -> {
          count.incrementAndGet();
          byte[] page = PAGE.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(server == bad ? status : 200, page.length);
          exchange.getResponseBody().write(page);
          exchange.close();
        });
    return server;
  }

  private static DataNodeStates.Node node(String uuid, HttpServer server) {
    return new DataNodeStates.Node(
        uuid,
        uuid + ":9866",
        "/r1",
        false,
        0,
        "http://127.0.0.1:" + server.getAddress().getPort(),
        0,
        List.of());
  }
}
