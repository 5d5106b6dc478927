// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The server with a resource of every kind, over HTTP. */
@Timeout(120)
class ApiServerTest {

  private static final AtomicInteger DONE = new AtomicInteger();
  private static final CountDownLatch LET_GO = new CountDownLatch(1);
  private static final Set<String> ANSWERED = ConcurrentHashMap.newKeySet();
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static volatile Activity.Standing standing = Activity.HERE.now();
  private static volatile Role role = Role.ADMINISTRATOR;
  private static ApiServer server;
  private static ApiClient client;

  /** An item of a list. */
  public record Thing(int number, long sizeBytes, String name) {}

  private static final Param WEIGHT = Param.integer("weight", 5, 1, 9, "a weight");

  private static Resource things() {
    return () ->
        List.of(
            Route.get("/things", "Some things.")
                .answersPage(
                    Thing.class,
                    request ->
                        Page.of(
                            request,
                            IntStream.range(0, 250).boxed().toList(),
                            i -> new Thing(i, 1L << i % 40, "thing " + i))),
            Route.get("/weighed", "One thing.")
                .takes(WEIGHT)
                .takes(Param.hdfsPath("path", "the path of a file"))
                .answers(
                    Thing.class,
                    request -> new Thing(request.integer(WEIGHT), 0, request.caller().name())),
            Route.get("/broken", "Fails.")
                .answers(
                    Thing.class,
                    request -> {
                      throw new IllegalStateException("broken on purpose");
                    }),
            Route.get("/unreachable", "Asks HDFS in vain.")
                .fails(ErrorCode.HDFS_UNAVAILABLE)
                .answers(
                    Thing.class,
                    request -> {
                      throw new IOException("no NameNode");
                    }),
            Route.get("/waiting", "Waits.")
                .answers(
                    Thing.class,
                    request -> {
                      LET_GO.await();
                      return new Thing(0, 0, "");
                    }),
            Route.post("/things", "Makes a thing.", Command.class)
                .answers(
                    Accepted.class,
                    request ->
                        request.body(Command.class).isMeant()
                            ? Accepted.by(DONE.incrementAndGet(), "made")
                            : Accepted.wouldBe("make")));
  }

  @BeforeAll
  static void start() throws Exception {
    Localhost local = new Localhost();
    server =
        ApiServer.start(
            new ApiServer.Listen("127.0.0.1", 0, null),
            new ApiServer.Parts(
                List.of(things(), new HealthResource(() -> Optional.of("no plan yet"))),
                List.of(
                    new Mount(
                        "/pages",
                        Optional.of(Role.OPERATOR),
                        e -> e.getResponseSender().send("page"))),
                exchange -> new Caller(local.caller(exchange).name(), role),
                () -> standing,
                new KeptInMemory(),
                (route, status, nanos) -> ANSWERED.add(route + " " + status)),
            Thread::new);
    client = new ApiClient(server.address());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @AfterEach
  void reset() {
    standing = Activity.HERE.now();
    role = Role.ADMINISTRATOR;
  }

  @Test
  void listsInParts() throws Exception {
    JsonNode first = client.get("/things").body();
    assertEquals(250, first.get("total").asInt());
    assertEquals(100, first.get("items").size());
    JsonNode last = client.get("/things?offset=240&limit=100").body();
    assertEquals(10, last.get("items").size());
    assertEquals(249, last.at("/items/9/number").asInt());
    assertEquals(0, client.get("/things?offset=2000").body().get("items").size());
  }

  @Test
  void writesTablesForPeople() throws Exception {
    String text = client.text("/things?limit=3&offset=19");
    assertEquals(
        """
        number    size  name
            19  512 KB  thing 19
            20    1 MB  thing 20
            21    2 MB  thing 21
        20 to 22 of 250
        """,
        text);
    String error = client.text("/things?limit=x");
    assertTrue(error.startsWith("BAD_PARAMETER: limit is 'x'; expected a whole"), error);
  }

  @Test
  void namesWhatIsWrongWithParameters() throws Exception {
    assertProblem(400, "BAD_PARAMETER", "limit", client.get("/things?limit=0"));
    assertProblem(400, "BAD_PARAMETER", "limit", client.get("/things?limit=ten"));
    ApiClient.Answer unknown = client.get("/things?limits=10");
    assertProblem(400, "UNKNOWN_PARAMETER", "limits", unknown);
    assertEquals("expected limit, offset", unknown.body().get("whatToDo").asText());
    assertProblem(400, "UNKNOWN_PARAMETER", "limit", client.get("/things?limit=1&limit=2"));
    assertProblem(
        400, "UNKNOWN_PARAMETER", "limit", client.get("/things?limit=1" + "&limit=1".repeat(500)));
    assertProblem(400, "MISSING_PARAMETER", "path", client.get("/weighed"));
    assertProblem(400, "BAD_PARAMETER", "path", client.get("/weighed?path=relative"));
    assertEquals(5, client.get("/weighed?path=/a%20b").body().get("number").asInt());
  }

  @Test
  void knowsNoOtherPathOrMethod() throws Exception {
    assertProblem(404, "NO_SUCH_RESOURCE", "/api/v1/thing", client.get("/thing"));
    ApiClient.Answer wrong = client.post("/weighed", "{}");
    assertProblem(405, "METHOD_NOT_ALLOWED", "/api/v1/weighed", wrong);
    assertEquals("GET", wrong.raw().headers().firstValue("Allow").orElseThrow());
    assertEquals(
        "GET, POST",
        client
            .raw("DELETE", "/api/v1/things", null, Map.of())
            .headers()
            .firstValue("Allow")
            .orElseThrow());
    assertProblem(404, "NO_SUCH_RESOURCE", "/api/v1/things?", client.get("/things%3F"));
    assertEquals(
        406, client.raw("GET", "/api/v1/things", null, Map.of("Accept", "image/png")).statusCode());
  }

  @Test
  void changesNothingUnlessItIsMeant() throws Exception {
    int before = DONE.get();
    ApiClient.Answer dry = client.post("/things", "{}");
    assertEquals(200, dry.status());
    assertTrue(dry.body().get("dryRun").asBoolean());
    client.post("/things", "{\"dryRun\": true, \"why\": \"x\"}");
    assertProblem(400, "MISSING_FIELD", "why", client.post("/things", "{\"dryRun\": false}"));
    assertProblem(
        400, "MISSING_FIELD", "why", client.post("/things", "{\"dryRun\":false,\"why\":\" \"}"));
    assertEquals(before, DONE.get());
    ApiClient.Answer meant = client.post("/things", "{\"dryRun\":false,\"why\":\"test\"}");
    assertEquals(202, meant.status());
    assertEquals(before + 1, DONE.get());
    assertEquals(
        "/api/v1/tasks/" + DONE.get(), meant.raw().headers().firstValue("Location").orElseThrow());
  }

  @Test
  void doesOnceWhatIsAskedTwiceUnderOneId() throws Exception {
    int before = DONE.get();
    String body = "{\"dryRun\":false,\"why\":\"twice\"}";
    JsonNode first = client.post("/things", body, Map.of("X-Request-Id", "a1")).body();
    JsonNode again = client.post("/things", body, Map.of("X-Request-Id", "a1")).body();
    assertEquals(first, again);
    assertEquals(before + 1, DONE.get());
    assertProblem(
        409,
        "REQUEST_ID_REUSED",
        "X-Request-Id",
        client.post("/things", body.replace("twice", "else"), Map.of("X-Request-Id", "a1")));
    client.post("/things", "{\"dryRun\":false,\"why\":\"w\",\"requestId\":\"b1\"}");
    client.post("/things", "{\"dryRun\":false,\"why\":\"w\",\"requestId\":\"b1\"}");
    assertEquals(before + 2, DONE.get());
  }

  @Test
  void namesWhatIsWrongWithBodies() throws Exception {
    assertProblem(400, "MALFORMED_JSON", "line 1, column 2", client.post("/things", "{"));
    assertProblem(400, "MALFORMED_JSON", "line 1, column 1", client.post("/things", "[]"));
    assertProblem(400, "MALFORMED_JSON", "body", client.post("/things", "null"));
    assertEquals("MALFORMED_JSON", client.post("/things", "").code());
    assertEquals("MALFORMED_JSON", client.post("/things", "{} {}").code());
    assertEquals("MALFORMED_JSON", client.post("/things", "{\"why\":\"a\",\"why\":\"b\"}").code());
    assertProblem(400, "UNKNOWN_FIELD", "dryrun", client.post("/things", "{\"dryrun\":false}"));
    assertProblem(400, "BAD_FIELD", "dryRun", client.post("/things", "{\"dryRun\":\"perhaps\"}"));
    assertProblem(400, "BAD_FIELD", "why", client.post("/things", "{\"why\":false}"));
    assertProblem(400, "BAD_FIELD", "dryRun", client.post("/things", "{\"dryRun\":0}"));
    assertEquals(200, client.post("/things", "{\"dryRun\":null}").status());
    assertProblem(
        415,
        "UNSUPPORTED_MEDIA_TYPE",
        "Content-Type",
        client.post("/things", "{}", Map.of("Content-Type", "text/plain")));
  }

  @Test
  void readsJsonWithinLimits() {
    String deep = "[".repeat(100) + "]".repeat(100);
    assertThrows(StreamConstraintsException.class, () -> Json.MAPPER.readTree(deep));
    String longText = "\"" + "x".repeat(1 << 20) + "\"";
    assertThrows(StreamConstraintsException.class, () -> Json.MAPPER.readTree(longText));
  }

  @Test
  void answersSoManyAtOnceAndNoMore() throws Exception {
    List<CompletableFuture<Integer>> asked =
        IntStream.range(0, 70).mapToObj(i -> waiting()).toList();
    try {
      // Those that wait can't be among them.
      IntStream.range(0, 6).forEach(i -> assertEquals(503, firstOf(asked, i)));
    } finally {
      LET_GO.countDown();
    }
    long answered = asked.stream().map(CompletableFuture::join).filter(s -> s == 200).count();
    assertEquals(64, answered);
  }

  private static CompletableFuture<Integer> waiting() {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.address() + "/api/v1/waiting")).build();
    return HTTP.sendAsync(request, HttpResponse.BodyHandlers.ofString())
        .thenApply(HttpResponse::statusCode);
  }

  /** The status of the n-th that ended. */
  private static int firstOf(List<CompletableFuture<Integer>> asked, int n) {
    List<CompletableFuture<Integer>> ended;
    do {
      ended = asked.stream().filter(CompletableFuture::isDone).toList();
      Thread.onSpinWait();
    } while (ended.size() <= n);
    return ended.get(n).join();
  }

  @Test
  void refusesBodiesThatAreTooLarge() throws Exception {
    String large = "{\"why\":\"" + "x".repeat(ApiServer.MOST_BODY) + "\"}";
    assertProblem(413, "BODY_TOO_LARGE", "body", client.post("/things", large));
    // In chunks, so that its length isn't known from the beginning.
    try (Socket socket = new Socket("127.0.0.1", server.address().getPort())) {
      socket
          .getOutputStream()
          .write(
              ("POST /api/v1/things HTTP/1.1\r\nHost: localhost\r\n"
                      + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      byte[] chunk =
          ("100000\r\n" + "x".repeat(1 << 20) + "\r\n").getBytes(StandardCharsets.US_ASCII);
      InputStream in = socket.getInputStream();
      IOException broken = null;
      for (int i = 0; i < 8 && broken == null; i++) {
        try {
          socket.getOutputStream().write(chunk);
        } catch (IOException e) {
          broken = e;
        }
      }
      if (broken == null) {
        String answer = new String(in.readNBytes(12), StandardCharsets.US_ASCII);
        assertEquals("HTTP/1.1 413", answer);
      }
    }
    assertEquals(200, client.get("/things").status());
  }

  @Test
  void sendsChangesToTheActiveInstance() throws Exception {
    standing = new Activity.Standing(false, Optional.empty());
    assertProblem(503, "STANDBY", "/api/v1/things", client.post("/things", "{}"));
    assertEquals(200, client.get("/things").status());
    standing = new Activity.Standing(false, Optional.of(URI.create("http://other:8480")));
    ApiClient.Answer there = client.post("/things", "{}");
    assertProblem(307, "STANDBY", "/api/v1/things", there);
    assertEquals(
        "http://other:8480/api/v1/things",
        there.raw().headers().firstValue("Location").orElseThrow());
  }

  @Test
  void keepsToRoles() throws Exception {
    role = Role.VIEWER;
    assertEquals(200, client.get("/things").status());
    assertProblem(403, "FORBIDDEN", "/api/v1/things", client.post("/things", "{}"));
    assertEquals(403, page().statusCode());
    role = Role.OPERATOR;
    assertEquals(200, client.post("/things", "{}").status());
    assertEquals("page", page().body());
  }

  private static HttpResponse<String> page() throws Exception {
    return client.raw("GET", "/pages", null, Map.of());
  }

  @Test
  void answersPagesOfThisHostAlone() throws Exception {
    Map<String, String> evil = Map.of("Origin", "http://evil.example");
    assertEquals(403, client.raw("GET", "/api/v1/things", null, evil).statusCode());
    Map<String, String> here = Map.of("Origin", "http://localhost:1234");
    assertEquals(200, client.raw("GET", "/api/v1/things", null, here).statusCode());
    try (Socket socket = new Socket("127.0.0.1", server.address().getPort())) {
      socket
          .getOutputStream()
          .write(
              "GET /api/v1/things HTTP/1.1\r\nHost: rebound.example\r\nConnection: close\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertTrue(answer.startsWith("HTTP/1.1 403"), answer);
    }
  }

  @Test
  void saysWhatFailed() throws Exception {
    assertProblem(500, "INTERNAL", "/broken", client.get("/broken"));
    assertProblem(502, "HDFS_UNAVAILABLE", "/unreachable", client.get("/unreachable"));
    assertProblem(503, "NOT_READY", "the service", client.get("/health/ready"));
    assertEquals(200, client.get("/health/live").status());
  }

  @Test
  void cannotListenTwiceInOnePlace() {
    IOException taken =
        assertThrows(
            IOException.class,
            () ->
                ApiServer.start(
                    new ApiServer.Listen("127.0.0.1", server.address().getPort(), null),
                    new ApiServer.Parts(List.of(), List.of(), new Localhost(), Activity.HERE),
                    Thread::new));
    assertTrue(taken.getMessage().contains("api.listen"), taken.getMessage());
  }

  private static void assertProblem(
      int status, String code, String where, ApiClient.Answer answer) {
    assertEquals(code, answer.code(), answer.body()::toString);
    assertEquals(status, answer.status());
    assertEquals(where, answer.body().path("where").asText());
    assertFalse(answer.body().path("whatToDo").asText().isBlank());
    assertFalse(answer.body().path("message").asText().isBlank());
  }
}
