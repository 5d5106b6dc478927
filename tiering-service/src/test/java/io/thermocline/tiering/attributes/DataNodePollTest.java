// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.attributes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.thermocline.hints.choice.Pages;
import io.thermocline.hints.choice.Server;
import io.thermocline.placement.choice.Location;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Web servers that answer, oddly or not at all. Real DataNodes are asked in the end-to-end tests. */
class DataNodePollTest {

  private static final String FIGURES =
      "\"FreePhysicalMemorySize\" : %d,\n \"SystemCpuLoad\" : %s,\n \"WriteBlockOpAvgTime\" : %s\n";

  private final List<HttpServer> web = new ArrayList<>();

  /** Waits long for whoever answers, however busy the machine is. */
  private final DataNodePoll poll = new DataNodePoll(Pages.overHttp(60_000));

  @AfterEach
  void stop() {
    web.forEach(server -> server.stop(0));
  }

  @Test
  void whoDoesNotAnswerIsLeftOutAndNamed() throws Exception {
    String answering = serve(200, String.format(FIGURES, 42, "0.5", "1.5"));
    String broken = serve(500, "");
    String odd = serve(200, "\"SystemCpuLoad\" : -1.0");
    DataNodePoll.Answers answers =
        poll.ask(
            List.of(
                server("DN1", answering),
                server("dn2", "127.0.0.1:9"),
                server("dn3", broken),
                server("dn4", "-"),
                server("dn5", odd)));
    assertEquals(Set.of("dn1"), answers.hosts().keySet());
    assertEquals(new HostReading(42, .5, 1.5), answers.hosts().get("dn1"));
    assertSilent(answers, "refused", "500", "no web server", "none of the figures");
  }

  @Test
  void whoTakesConnectionsAndNeverSaysAWordIsNotWaitedFor() throws Exception {
    try (ServerSocket hanging = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Server server = server("dn2", "127.0.0.1:" + hanging.getLocalPort());
      assertSilent(new DataNodePoll(Pages.overHttp(300)).ask(List.of(server)), "timed out");
    }
  }

  /** Of dn2 and those after it. */
  private static void assertSilent(DataNodePoll.Answers answers, String... reasons) {
    List<String> silent =
        answers.silent().entrySet().stream().map(one -> one.getKey() + one.getValue()).toList();
    assertEquals(reasons.length, silent.size(), silent.toString());
    for (int i = 0; i < reasons.length; i++) {
      assertTrue(silent.get(i).startsWith("dn" + (i + 2) + " "), silent.get(i));
      assertTrue(silent.get(i).contains(reasons[i]), silent.get(i));
    }
  }

  /** A DataNode that answered the first time and is gone the second isn't remembered. */
  @Test
  void nothingIsKeptFromTheTimeBefore() throws Exception {
    String address = serve(200, String.format(FIGURES, 1, "0.1", "0.1"));
    assertEquals(1, poll.ask(List.of(server("dn1", address))).hosts().size());
    stop();
    DataNodePoll.Answers gone = poll.ask(List.of(server("dn1", address)));
    assertTrue(gone.hosts().isEmpty());
    assertEquals(1, gone.silent().size());
  }

  @Test
  void ofTwoDataNodesOnOneHostTheWorseFiguresCount() throws Exception {
    // The second has written no block yet, which it says as 0.
    DataNodePoll.Answers answers =
        poll.ask(
            List.of(
                server("dn1", serve(200, String.format(FIGURES, 42, "0.5", "1.5E-3"))),
                server("dn1", serve(200, String.format(FIGURES, 40, "0.4", "0.0")))));
    assertEquals(new HostReading(40, .5, 1.5e-3), answers.hosts().get("dn1"));
    assertTrue(answers.silent().isEmpty());
  }

  @Test
  void nobodyAskedNobodyAnswered() throws Exception {
    DataNodePoll.Answers answers = poll.ask(List.of());
    assertTrue(answers.hosts().isEmpty() && answers.silent().isEmpty());
  }

  private String serve(int status, String page) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    byte[] bytes = page.getBytes(StandardCharsets.UTF_8);
    server.createContext(
        "/jmx",
        exchange -> {
          exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
    web.add(server);
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  private static Server server(String host, String httpAddress) {
    String id = host + "/" + httpAddress;
    return Server.of(id, "127.0.0.1:9866", httpAddress, Location.of(host, "/r"), 1L << 40);
  }
}
