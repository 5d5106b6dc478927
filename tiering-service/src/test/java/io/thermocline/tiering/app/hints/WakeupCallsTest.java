// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.hints;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.thermocline.tiering.api.Json;
import io.thermocline.tiering.app.RegistryHintService;
import io.thermocline.tiering.config.ConfigException;
import io.thermocline.tiering.config.HintOperations;
import io.thermocline.tiering.config.ServiceConfigFile;
import io.thermocline.tiering.config.YamlSection;
import io.thermocline.tiering.journal.Journal;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Owners with a real HTTP server. */
class WakeupCallsTest {

  private static final long HOUR = 3_600_000;

  @TempDir Path directory;

  private final List<String> bodies = new CopyOnWriteArrayList<>();
  private final List<String> tokens = new CopyOnWriteArrayList<>();
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile String answer = "";
  private volatile int status = 200;
  private final AtomicInteger unanswered = new AtomicInteger();
  private HttpServer owner;
  private Journal journal;
  private RegistryHintService hintService;

  @BeforeEach
  void open() throws IOException {
    journal = Journal.open(directory.resolve("journal"));
    hintService = new RegistryHintService(journal);
    owner = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    owner.setExecutor(Executors.newCachedThreadPool());
    owner.createContext("/hints", this::serve);
    owner.createContext("/elsewhere", this::serve);
    owner.createContext(
        "/silent",
        exchange -> {
          unanswered.incrementAndGet();
          try {
            ended.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          exchange.close();
        });
    owner.start();
  }

  @AfterEach
  void close() throws IOException {
    ended.countDown();
    owner.stop(0);
    journal.close();
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      bodies.add(
          exchange.getRequestURI()
              + " "
              + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
      tokens.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
      byte[] said = answer.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Location", address("/elsewhere").toString());
      exchange.sendResponseHeaders(status, said.length == 0 ? -1 : said.length);
      exchange.getResponseBody().write(said);
    }
  }

  private URI address(String path) {
    return URI.create("http://localhost:" + owner.getAddress().getPort() + path);
  }

  @Test
  void anOwnerIsAskedOnceAndRenews() throws Exception {
    String id = hintService.give("/a", "etl");
    hintService.give("/b", "nobody");
    WakeupCalls calls = calls(Map.of("etl", address("/hints")), "5s");
    calls.ask();
    assertEquals(List.of(), bodies, "nothing is due");

    hintService.now = 23 * HOUR;
    answer = "[{\"id\": \"" + id + "\", \"leaseMillis\": 7200000}, {\"id\": \"none\"}, 7]";
    calls.ask();
    assertEquals(1, bodies.size());
    JsonNode asked = Json.MAPPER.readTree(bodies.get(0).replaceFirst("/hints ", ""));
    assertEquals(1, asked.size(), "only its own");
    assertEquals("LEASE_ENDS", asked.get(0).get("reason").asText());
    assertEquals(24 * HOUR, asked.get(0).get("answerBy").asLong());
    assertEquals("/a", asked.get(0).get("hint").get("path").asText());
    assertEquals("Bearer s3cret", tokens.get(0));
    assertEquals(
        25 * HOUR, hintService.registry().hint(id).orElseThrow().hint().hint().leaseExpiryMillis());
    calls.ask();
    assertEquals(1, bodies.size(), "the new lease is not about to end");
    hintService.now = 25 * HOUR - 1;
    calls.ask();
    assertEquals(2, bodies.size(), "and then it is");
  }

  @Test
  void anAddressThatDoesNotAnswerHoldsARoundUpOnce() throws Exception {
    for (int i = 0; i < 20; i++) {
      hintService.give("/a" + i, "owner" + (char) ('a' + i));
    }
    hintService.give("/z", "zoe");
    hintService.now = 23 * HOUR;
    URI silent = address("/silent");
    WakeupCalls calls = calls(Map.of("*", silent, "zoe", address("/hints")), "1s");
    calls.ask();
    assertEquals(1, unanswered.get(), "for one owner");
    assertEquals(1, bodies.size(), "others are asked all the same");
    calls.ask();
    assertEquals(2, unanswered.get(), "for the next one");
  }

  @Test
  void anOwnerTakesBackAndSilenceEndsTheRest() throws Exception {
    String over = hintService.give("/a", "etl");
    String silent = hintService.give("/b", "etl");
    hintService.now = 23 * HOUR;
    answer = "[{\"id\": \"" + over + "\", \"leaseMillis\": 0}]";
    WakeupCalls calls = calls(Map.of("*", address("/hints")), "5s");
    calls.ask();
    calls.ask();
    assertEquals(1, bodies.size(), "each question once");
    assertTrue(hintService.registry().hint(over).isEmpty());
    assertTrue(hintService.registry().hint(silent).isPresent());
    hintService.registry().tick(24 * HOUR);
    assertTrue(hintService.registry().hint(silent).isEmpty());
  }

  @Test
  void whatGoesWrongIsTriedAgainAndLeadsNowhereElse() throws Exception {
    hintService.give("/a", "etl");
    hintService.now = 23 * HOUR;
    WakeupCalls calls = calls(Map.of("etl", address("/hints")), "5s");
    for (int wrong : new int[] {500, 302}) {
      status = wrong;
      calls.ask();
    }
    status = 200;
    answer = "no JSON";
    calls.ask();
    assertEquals(3, bodies.size());
    assertTrue(bodies.stream().allMatch(body -> body.startsWith("/hints ")), bodies::toString);
    calls.ask();
    assertEquals(3, bodies.size(), "it was asked, and said nothing that can be understood");
  }

  /** Only blanks would be missing from it, so that what is left could be understood. */
  @Test
  void ofAnAnswerThatIsTooLongNothingCounts() throws Exception {
    String id = hintService.give("/a", "etl");
    hintService.now = 23 * HOUR;
    answer = "[" + " ".repeat(2 << 20) + "{\"id\": \"" + id + "\", \"leaseMillis\": 0}]";
    WakeupCalls calls = calls(Map.of("etl", address("/hints")), "5s");
    calls.ask();
    assertEquals(1, bodies.size());
    assertTrue(hintService.registry().hint(id).isPresent());
    answer = "[{\"id\": \"" + id + "\", \"leaseMillis\": 0}]";
    calls.ask();
    assertTrue(hintService.registry().hint(id).isEmpty(), "it is asked again");
  }

  @Test
  void anOwnerThatDoesNotAnswerHoldsNobodyUp() throws Exception {
    hintService.give("/a", "etl");
    hintService.give("/b", "other");
    hintService.now = 23 * HOUR;
    calls(Map.of("etl", address("/silent"), "other", address("/hints")), "100ms").ask();
    assertEquals(1, bodies.size());
  }

  @Test
  void theConfigurationNamesOwnersAndAddresses() throws Exception {
    HintOperations.Wakeups read =
        operations("webhooks: {etl: \"https://etl.example.org/hints\"}, timeout: 2s").wakeups();
    assertEquals(URI.create("https://etl.example.org/hints"), read.address("etl"));
    assertEquals(null, read.address("other"));
    assertEquals(Duration.ofSeconds(2), read.timeout());
    for (String bad :
        List.of("file:///etc/passwd", "etl.example.org", "http://u:p@host/", "http:")) {
      ConfigException refused =
          assertThrows(ConfigException.class, () -> operations("webhooks: {etl: \"" + bad + "\"}"));
      assertTrue(refused.getMessage().contains("hints.wakeup.webhooks.etl"), refused::getMessage);
    }
  }

  private HintOperations operations(String wakeup) throws IOException, ConfigException {
    Path file = directory.resolve("thermocline.yaml");
    Files.writeString(
        file,
        "hdfs: {configuration: "
            + directory
            + "}\nobserve: {auditLogs: [/a]}\nmanage: {paths: [/]}\njournal: {directory: /j}\n"
            + "hints: {wakeup: {"
            + wakeup
            + "}}\n");
    return ServiceConfigFile.read(file).hints().operations();
  }

  private WakeupCalls calls(Map<String, URI> webhooks, String timeout) throws IOException {
    Path token = Files.writeString(directory.resolve("token"), "s3cret\n");
    return new WakeupCalls(
        new HintOperations.Wakeups(
            webhooks, token, Duration.ofMinutes(1), YamlSection.toDuration(timeout)),
        hintService);
  }
}
