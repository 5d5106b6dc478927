// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.thermocline.tiering.Drip;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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

  /** Each of its bytes comes in time. It is left out as one that doesn't answer at all, and no thread waits for it for ever. */
  @Test
  @Timeout(60)
  void leavesOutOneThatTrickles() throws Exception {
    try (Drip drip = new Drip("Content-Length: 100000\r\n\r\n")) {
      DataNodeStates states =
          new DataNodeStates(
              List.of(node("good", good), node("drip", drip.uri().toString())), false);

      for (int look = 0; look < 7; look++) {
        assertEquals(Set.of("good"), answers(states).keySet());
        assertEquals(1, drip.asked(), "asked at the first look alone, and this is " + look);
      }
      assertTrue(drip.awaitLeft(5, TimeUnit.SECONDS), "nobody waits for it any more");
    }
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
    return node(uuid, "http://127.0.0.1:" + server.getAddress().getPort());
  }

  private static DataNodeStates.Node node(String uuid, String web) {
    return new DataNodeStates.Node(uuid, uuid + ":9866", "/r1", false, 0, web, 0, List.of());
  }
}
