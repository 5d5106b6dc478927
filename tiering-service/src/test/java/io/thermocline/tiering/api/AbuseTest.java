// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.api.auth.Identified;
import io.thermocline.tiering.api.auth.Limited;
import io.thermocline.tiering.api.auth.RateLimit;
import io.thermocline.tiering.api.auth.Roles;
import io.thermocline.tiering.api.auth.Sessions;
import io.thermocline.tiering.api.auth.TokenFile;
import io.thermocline.tiering.api.auth.Tokens;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients that mean harm, over real sockets; an honest viewer is answered meanwhile. */
@Timeout(120)
class AbuseTest {

  private static final String VIEWER = Tokens.draw(new SecureRandom());
  private static final String OPERATOR = Tokens.draw(new SecureRandom());

  /** Two a second, so 20 at once. */
  private static final int RATE = 2;

  private static final int AT_ONCE = 10 * RATE;

  /** That one address may have open. */
  private static final int CONNECTIONS = 250;

  private final HttpClient http = HttpClient.newHttpClient();
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
  private volatile Activity.Standing standing = Activity.HERE.now();
  private final AtomicInteger entered = new AtomicInteger();
  private final CountDownLatch goOn = new CountDownLatch(1);
  private ApiServer server;

  @TempDir private Path temp;

  /** What is answered. */
  public record Said(String text) {}

  @BeforeEach
  void start() throws Exception {
    Path tokens =
        Files.write(
            temp.resolve("tokens"),
            List.of(
                Tokens.line("vera", Role.VIEWER, VIEWER),
                Tokens.line("olga", Role.OPERATOR, OPERATOR)));
    Sessions sessions = new Sessions(Clock.systemUTC(), new SecureRandom(), Duration.ofHours(1));
    Identified identified =
        new Identified(
            Optional.of(new TokenFile(tokens)),
            Optional.empty(),
            new Roles(Map.of(), user -> List.of()),
            sessions,
            (user, other, from) -> {
              throw new AuthorizationException("nobody may act for others here");
            });
    server =
        ApiServer.start(
            new ApiServer.Listen("127.0.0.1", 0, null, CONNECTIONS),
            new ApiServer.Parts(
                List.of(this::routes),
                List.of(
                    Dashboard.mounts().get(1),
                    new Mount(
                        "/secret",
                        Optional.of(Role.OPERATOR),
                        exchange -> exchange.getResponseSender().send("the secret"))),
                new Limited(
                    identified, new RateLimit(RATE, nanos::get), new RateLimit(RATE, nanos::get)),
                () -> standing),
            Thread::new,
            new ApiServer.Patience(500, 500, 60_000));
  }

  private List<Route> routes() {
    return List.of(
        Route.get("/said", "Says something.").answers(Said.class, request -> new Said("hello")),
        Route.get("/slow", "Says something late.")
            .open()
            .answers(
                Said.class,
                request -> {
                  entered.incrementAndGet();
                  goOn.await();
                  return new Said("at last");
                }),
        Route.get("/health/live", "Whether it is there.")
            .open()
            .answers(Said.class, request -> new Said("fine")),
        Route.post("/control/pause", "Pauses.", Command.class)
            .answers(Accepted.class, request -> Accepted.wouldBe("pause")),
        Route.post("/things/{name}", "Changes something.", Command.class)
            .takes(Param.name("name", "of a thing"))
            .answers(Accepted.class, request -> Accepted.wouldBe("change")));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void cutsOffWhoeverSendsHeadersSlowly() throws Exception {
    List<Socket> slow = new ArrayList<>();
    try {
      for (int i = 0; i < 200; i++) {
        slow.add(send("GET /api/v1/said HTTP/1.1\r\nHost: localhost\r\nX-Slow: "));
      }
      assertEquals(200, said().statusCode());
      for (Socket each : slow) {
        assertIsClosed(each);
      }
    } finally {
      for (Socket each : slow) {
        each.close();
      }
    }
  }

  @Test
  void closesWhatOneAddressOpensTooManyOfAndAnswersOthers() throws Exception {
    List<Socket> silent = new ArrayList<>();
    try {
      for (int i = 0; i < CONNECTIONS; i++) {
        silent.add(new Socket("127.0.0.1", server.address().getPort()));
      }
      // Two threads accept them, in an order of their own.
      while (isAnswered("127.0.0.1")) {
        silent.add(new Socket("127.0.0.1", server.address().getPort()));
        assertTrue(silent.size() < 2 * CONNECTIONS, "there is a bound");
      }
      assertTrue(isAnswered("127.0.0.2"), "from another address");
      for (Socket each : silent) {
        each.close();
      }
      while (!isAnswered("127.0.0.1")) {
        Thread.onSpinWait();
      }
    } finally {
      for (Socket each : silent) {
        each.close();
      }
    }
  }

  private boolean isAnswered(String from) throws IOException {
    try (Socket socket = new Socket()) {
      socket.bind(new InetSocketAddress(from, 0));
      socket.connect(new InetSocketAddress("127.0.0.1", server.address().getPort()));
      socket
          .getOutputStream()
          .write("GET /ui/ HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      return status(socket).endsWith(" 200");
    } catch (SocketException e) {
      return false;
    }
  }

  @Test
  void cutsOffWhoeverSendsABodySlowlyAndAnswersQuestionsMeanwhile() throws Exception {
    List<Socket> slow = new ArrayList<>();
    try {
      // As many as its rate lets through; each holds a place among those that change something.
      for (int i = 0; i < AT_ONCE; i++) {
        slow.add(
            send(
                "POST /api/v1/things/a HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                    + OPERATOR
                    + "\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"));
      }
      assertEquals(200, said().statusCode());
      for (Socket each : slow) {
        assertIsClosed(each);
      }
      nanos.addAndGet(Duration.ofSeconds(60).toNanos());
      assertEquals(200, post("{}").statusCode());
    } finally {
      for (Socket each : slow) {
        each.close();
      }
    }
  }

  @Test
  void readsNoBodyOfAStranger() throws Exception {
    try (Socket socket =
        send(
            "POST /api/v1/things/a HTTP/1.1\r\nHost: localhost\r\n"
                + "Content-Type: application/json\r\nContent-Length: 4000000\r\n\r\n{")) {
      assertEquals("HTTP/1.1 401", status(socket));
    }
  }

  @Test
  void refusesJsonThatNestsTooDeep() throws Exception {
    for (String deep : List.of("[".repeat(1 << 20), "{\"a\":".repeat(1 << 19))) {
      HttpResponse<String> refused = post(deep);
      assertEquals(400, refused.statusCode());
      assertTrue(refused.body().length() < 2_000, refused::body);
    }
  }

  @Test
  void refusesAHeaderThatIsTooLarge() throws Exception {
    StringBuilder header = new StringBuilder("GET /api/v1/said HTTP/1.1\r\nHost: localhost\r\n");
    header.append("X-Large: ").append("x".repeat(1 << 18)).append("\r\n\r\n");
    try (Socket socket = new Socket("127.0.0.1", server.address().getPort())) {
      try {
        socket.getOutputStream().write(header.toString().getBytes(StandardCharsets.US_ASCII));
        String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertFalse(answer.contains("hello"), answer);
      } catch (SocketException e) {
        // Closed before all of it was sent.
      }
    }
    assertEquals(200, said().statusCode());
  }

  @Test
  void leadsNoPathOutOfItsPlace() throws Exception {
    List<String> outside =
        List.of(
            "/ui/../secret",
            "/ui/%2e%2e/secret",
            "/ui/..%2fsecret",
            "/ui/%2e%2e%2fDashboard.class",
            "/ui/../Dashboard.class",
            "/ui/..%5cDashboard.class",
            "/ui/....//Dashboard.class",
            "/ui//etc/passwd",
            "/ui/%00",
            "/ui/index.html%00.js",
            "/ui/lib/../../Dashboard.class",
            "/ui/lib/%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e/META-INF/MANIFEST.MF",
            "/api/v1/../../secret",
            "/api/v1/%2e%2e/%2e%2e/secret",
            "/api/v1/things/..%2f..%2fsecret",
            "/./secret",
            "//secret",
            "/secret/../ui/../secret",
            "/%73ecret",
            "http://127.0.0.1/secret");
    for (String path : outside) {
      try (Socket socket =
          send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")) {
        String answer =
            new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        assertTrue(answer.matches("(?s)HTTP/1.1 4\\d\\d .*"), () -> path + ": " + answer);
        assertFalse(answer.contains("the secret"), path);
      }
    }
  }

  @Test
  void putsNothingOfARequestIntoAHeader() throws Exception {
    standing = new Activity.Standing(false, Optional.of(URI.create("http://other:8480")));
    for (String path :
        List.of(
            "/api/v1/things/a%0d%0aSet-Cookie:%20evil=1",
            "/api/v1/things/a?x=%0d%0aSet-Cookie:%20evil=1",
            "/api/v1/things/%E2%80%AE%20b",
            "/api/v1/things/[a]")) {
      try (Socket socket =
          send(
              "POST "
                  + path
                  + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer "
                  + OPERATOR
                  + "\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")) {
        String answer =
            new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        assertTrue(answer.startsWith("HTTP/1.1 307"), () -> path + ": " + answer);
        assertFalse(answer.contains("\nSet-Cookie"), answer);
        assertTrue(answer.contains("\r\nLocation: http://other:8480" + path + "\r\n"), answer);
      }
    }
  }

  /** The absolute form of a request line once failed with a stack in the log where it was no URI. */
  @Test
  void refusesAnAbsoluteFormThatIsNoUriAsTheCallersMistake() throws Exception {
    standing = new Activity.Standing(false, Optional.of(URI.create("http://other:8480")));
    assertTrue(absolute("/api/v1/things/[a]").startsWith("HTTP/1.1 400"));
    String answer = absolute("/api/v1/things/a");
    assertTrue(answer.startsWith("HTTP/1.1 307"), answer);
    assertTrue(answer.contains("\r\nLocation: http://other:8480/api/v1/things/a\r\n"), answer);
  }

  private String absolute(String path) throws IOException {
    try (Socket socket =
        send(
            "POST http://localhost"
                + path
                + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer "
                + OPERATOR
                + "\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")) {
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  @Test
  void answersOneWhoAsksTooOftenWhenToAskAgainAndTheOthersAsEver() throws Exception {
    for (int i = 0; i < AT_ONCE; i++) {
      assertEquals(200, post("{}").statusCode());
    }
    HttpResponse<String> refused = post("{}");
    assertEquals(429, refused.statusCode());
    assertTrue(refused.body().contains("\"TOO_MANY_REQUESTS\""), refused::body);
    assertTrue(refused.body().contains("olga asks too often"), refused::body);
    assertEquals("1", refused.headers().firstValue("Retry-After").orElseThrow());
    assertEquals(200, said().statusCode(), "the viewer's dashboard");

    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    for (int i = 0; i < RATE; i++) {
      assertEquals(200, post("{}").statusCode());
    }
    assertEquals(429, post("{}").statusCode());
  }

  @Test
  void answersStrangersSoOftenAndThoseBesideThemAsEver() throws Exception {
    for (int i = 0; i < AT_ONCE; i++) {
      assertEquals(401, get("/api/v1/said", "guess " + i).statusCode());
    }
    HttpResponse<String> refused = get("/api/v1/said", "one guess more");
    assertEquals(429, refused.statusCode());
    assertTrue(refused.headers().firstValue("Retry-After").isPresent());
    // From the same address.
    assertEquals(200, said().statusCode());
  }

  /** Those that no client of ours sends: each is a stranger's, and counted as such. */
  @Test
  void countsBrokenHeadersOfStrangersToo() throws Exception {
    List<String> broken =
        List.of(
            "Authorization: Negotiate !!!",
            "Authorization: Negotiate " + "A".repeat(20_000),
            "Authorization:",
            "Authorization: Bearer",
            "Authorization: Bearer \u00ff",
            "Authorization: " + "Bearer ".repeat(1000),
            "Cookie: thermocline=; thermocline=\"",
            "Cookie: =;;;=",
            "X-Thermocline-User: root");
    for (int i = 0; i < AT_ONCE; i++) {
      String header = broken.get(i % broken.size());
      assertEquals("HTTP/1.1 401", answeredTo(header), header);
    }
    for (String header : broken) {
      assertEquals("HTTP/1.1 429", answeredTo(header), header);
    }
    assertEquals(200, said().statusCode());
  }

  private String answeredTo(String header) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", server.address().getPort())) {
      String request = "GET /api/v1/said HTTP/1.1\r\nHost: localhost\r\n" + header + "\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      return status(socket);
    }
  }

  /** Of others that wait for their answer, more than there are threads and places. */
  @Test
  void slowRequestsKeepNeitherProbesNorControlWaiting() throws Exception {
    List<Socket> slow = new ArrayList<>();
    try {
      for (int i = 0; i < 80; i++) {
        slow.add(send("GET /api/v1/slow HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"));
      }
      // BUSY: all places are taken.
      while (answered(slow) < 80 - 64) {
        Thread.onSpinWait();
      }
      assertEquals(503, get("/api/v1/said", VIEWER).statusCode());
      assertEquals(200, get("/api/v1/health/live", "nobody's").statusCode());
      assertEquals(200, post("/api/v1/control/pause", "{}").statusCode());
      assertEquals(8, entered.get(), "the others wait");
    } finally {
      goOn.countDown();
      for (Socket each : slow) {
        each.close();
      }
    }
  }

  private static long answered(List<Socket> sockets) throws IOException {
    long answered = 0;
    for (Socket each : sockets) {
      answered += each.getInputStream().available() > 0 ? 1 : 0;
    }
    return answered;
  }

  /** A dashboard asks for some answers every few seconds, and for some more when a page is opened. */
  @Test
  void letsADashboardGoOn() throws Exception {
    for (int second = 0; second < 60; second++) {
      for (int i = 0; i < RATE; i++) {
        assertEquals(200, said().statusCode());
      }
      nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    }
  }

  private HttpResponse<String> said() throws Exception {
    return get("/api/v1/said", VIEWER);
  }

  private HttpResponse<String> get(String path, String token) throws Exception {
    return http.send(
        HttpRequest.newBuilder(URI.create(server.address() + path))
            .header("Authorization", "Bearer " + token)
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private HttpResponse<String> post(String body) throws Exception {
    return post("/api/v1/things/a", body);
  }

  private HttpResponse<String> post(String path, String body) throws Exception {
    return http.send(
        HttpRequest.newBuilder(URI.create(server.address() + path))
            .header("Authorization", "Bearer " + OPERATOR)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private Socket send(String text) throws IOException {
    Socket socket = new Socket("127.0.0.1", server.address().getPort());
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private static String status(Socket socket) throws IOException {
    return new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
  }

  /** Waits until the server has closed it, with an answer before or without. */
  private static void assertIsClosed(Socket socket) throws IOException {
    try {
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertFalse(answer.startsWith("HTTP/1.1 200"), answer);
    } catch (SocketException e) {
      // Reset: closed as well.
    }
  }
}
