// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.thermocline.tiering.Drip;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
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

class DataNodeCountersTest {

  private static final String PAGE =
      "{\"beans\": [{\"name\": \"Hadoop:service=DataNode,name=DataNodeActivity-h-9866\","
          + " \"BytesRead\": 700, \"BlocksRead\": 9, \"ReadBlockOpNumOps\": 7,"
          + " \"CopyBlockOpNumOps\": 2}]}";

  private final DataNodeCounters counters = new DataNodeCounters(new Configuration(false));
  private final AtomicInteger asked = new AtomicInteger();
  private HttpServer server;

  @BeforeEach
  void serve() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/jmx",
        exchange -> {
          asked.incrementAndGet();
          byte[] page = PAGE.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, page.length);
          exchange.getResponseBody().write(page);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void asksEachDataNodeOnce() throws Exception {
    assertEquals(
        Map.of("a", new ServedCounters(700, 7, 2, Map.of())),
        counters.ask(
            List.of(
                node("a", "9866"),
                node("of another port", "1"),
                new DataNodeCounters.Asked("bad", "http://a host", "9866"))));
    assertEquals(2, asked.get());
  }

  @Test
  @Timeout(60)
  void leavesOutOneThatTrickles() throws Exception {
    try (Drip drip = new Drip("Content-Length: 100000\r\n\r\n")) {
      assertEquals(
          Set.of("a"),
          counters
              .ask(
                  List.of(
                      node("a", "9866"),
                      new DataNodeCounters.Asked("drip", drip.uri().toString(), "9866")))
              .keySet());
      assertTrue(drip.awaitLeft(10, TimeUnit.SECONDS), "nobody waits for it any more");
    }
  }

  @Test
  void asksSomeOfVeryManyAndTheSameOnesAgain() throws Exception {
    List<DataNodeCounters.Asked> all = new ArrayList<>();
    for (int i = 0; i < 3 * DataNodeCounters.MOST; i++) {
      all.add(node("n" + i, "9866"));
    }
    Set<String> first = counters.ask(all).keySet();
    assertEquals(DataNodeCounters.MOST, first.size());
    assertEquals(DataNodeCounters.MOST, asked.get());
    Collections.reverse(all);
    assertEquals(first, counters.ask(all).keySet());
  }

  private DataNodeCounters.Asked node(String uuid, String port) {
    return new DataNodeCounters.Asked(
        uuid, "http://127.0.0.1:" + server.getAddress().getPort(), port);
  }
}
