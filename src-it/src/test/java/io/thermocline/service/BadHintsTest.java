// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.thermocline.hints.Hint;
import io.thermocline.hints.Operation;
import io.thermocline.hints.Temperature;
import io.thermocline.hints.client.Connections;
import io.thermocline.hints.client.HintAnswer;
import io.thermocline.hints.client.ServiceClient;
import io.thermocline.hints.client.ServiceException;
import io.thermocline.hints.wire.HintError;
import io.thermocline.hints.wire.HintJson;
import io.thermocline.hints.wire.HintWire;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.tiering.api.ApiServer;
import io.thermocline.tiering.api.Role;
import io.thermocline.tiering.api.auth.Tokens;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is wrong with a hint is said with a code that stays, and nothing of it is done. A test for each kind. */
@Tag("cluster")
class BadHintsTest {

  private static final int TIMEOUT_MILLIS = 30_000;
  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final String TOO_MANY =
      "alice has 2 operations in force, which is hints.operationsPerOwner";
  private static final int MOST = 2 * HintJson.MAX_BATCH;

  /** Of a flood that is all refused. */
  private static final int BATCHES = 10;

  private static final String FILE = "/bad/file";
  private static final String GOOD =
      "{\"op\":\"PIN\",\"scope\":\"FILE\",\"target\":\"" + FILE + "\",\"leaseMillis\":3600000}";

  @TempDir static Path temp;

  private static ServedCluster cluster;
  private static ServiceProcess service;
  private static String address;

  @BeforeAll
  static void start() throws Exception {
    cluster =
        ServedCluster.start(
            temp,
            List.of(StorageType.DISK, StorageType.SSD),
            4,
            ServedCluster.actsForCallers(ServiceProcess.USER));
    for (String path : List.of(FILE, "/bad/second", "/bad/third")) {
      cluster.write(path);
      cluster.superuser().setOwner(new org.apache.hadoop.fs.Path(path), "alice", null);
    }
    cluster.superuser().mkdirs(new org.apache.hadoop.fs.Path("/bad/led"));
    cluster.superuser().setOwner(new org.apache.hadoop.fs.Path("/bad/led"), "alice", null);
    List<String> lines = new ArrayList<>();
    for (String user : List.of("alice", "mallory", "flood")) {
      String token = Tokens.draw(new SecureRandom());
      Files.writeString(temp.resolve(user), token);
      lines.add(Tokens.line(user, Role.VIEWER, token));
    }
    Path config =
        cluster
            .setup("/bad")
            .replace("enabled: off", "enabled: on")
            .replace("maxPerOwner: 10000", "maxPerOwner: " + MOST)
            .replace("operationsPerOwner: 1000", "operationsPerOwner: 2")
            .replace(
                "prefetch: {maxBytes: 10 GB, perOwner: 1 GB}",
                "prefetch: {maxBytes: 0 B, perOwner: 0 B}")
            .replace(
                "# tokens: /etc/thermocline/tokens",
                "tokens: " + Files.write(temp.resolve("tokens"), lines))
            .write(service());
    service = ServiceProcess.start(config.getParent(), config).logs("REST at ");
    Matcher found = Pattern.compile("REST at (http://[^/]+)/").matcher(service.out());
    assertTrue(found.find());
    address = found.group(1);
  }

  @AfterAll
  static void stop() throws IOException {
    if (service != null) {
      service.close();
    }
    if (cluster != null) {
      try {
        NameNodeCalls.in(cluster.auditLog())
            .areAllOf(NameNodeCalls.ALWAYS, NameNodeCalls.MARK, NameNodeCalls.HINTS);
        inNamesOfCallers().areAllOf(NameNodeCalls.HINTS_BY_REST);
      } finally {
        cluster.close();
      }
    }
  }

  private static NameNodeCalls inNamesOfCallers() {
    return NameNodeCalls.forOthersBy(ServiceProcess.USER, cluster.auditLog());
  }

  /** None of what was refused stands anywhere. */
  @AfterEach
  void nothingIsHalfDone() throws Exception {
    for (String path : List.of(FILE, "/bad/second", "/bad/third")) {
      assertEquals(
          Map.of(), cluster.superuser().getXAttrs(new org.apache.hadoop.fs.Path(path)), path);
    }
    assertEquals(0, hintsOf("alice"));
  }

  @Test
  void anUnknownHint() throws Exception {
    refused("BAD_FIELD", "[" + GOOD.replace("PIN", "TELEPORT") + "]");
    refused("BAD_FIELD", "[" + GOOD.replace("}", ",\"pattern\":\"SIDEWAYS\"}") + "]");
    refused("BAD_FIELD", "[7]");
    refused("MALFORMED_JSON", "[{");
  }

  @Test
  void aMissingLease() throws Exception {
    refused("MISSING_FIELD", "[" + GOOD.replace(",\"leaseMillis\":3600000", "") + "]");
    refused("BAD_FIELD", "[" + GOOD.replace("3600000", "0") + "]");
    refused("BAD_FIELD", "[" + GOOD.replace("3600000", "36000000000000") + "]");
  }

  @Test
  void aPathThatDoesNotExist() throws Exception {
    refused("NO_SUCH_FILE", "[" + GOOD.replace(FILE, "/bad/none") + "]");
    refused("BAD_FIELD", "[" + GOOD.replace(FILE, "/elsewhere") + "]");
    refused("BAD_FIELD", "[" + GOOD.replace("FILE\"", "DIRECTORY\"") + "]");
  }

  @Test
  void notPermitted() throws Exception {
    HintAnswer answer = to("mallory").give(List.of(hint("mallory", FILE)), 0, false).get(0);
    assertEquals(HintError.FORBIDDEN, answer.error(), answer::toString);
    answer = to("mallory").give(List.of(hint("alice", FILE)), 0, false).get(0);
    assertEquals(HintError.FORBIDDEN, answer.error(), answer::toString);
    ServiceClient nobody =
        ServiceClient.of(address, Connections.plain("alice", TIMEOUT_MILLIS).bearing("made-up"));
    ServiceException unknown =
        assertThrows(
            ServiceException.class, () -> nobody.give(List.of(hint("alice", FILE)), 0, false));
    assertEquals(HintError.UNAUTHENTICATED, unknown.error());
  }

  @Test
  void tooMany() throws Exception {
    refused("BAD_FIELD", "[]");
    refused(
        "BAD_FIELD",
        "[" + String.join(",", Collections.nCopies(HintJson.MAX_BATCH + 1, GOOD)) + "]");
  }

  /**
   * One gives as many as the service takes, and five times as many again; others go on
   * meanwhile.
   */
  @Test
  void thousandsOfOneOwnerAreRefusedWithACodeAndHurtNobodyElse() throws Exception {
    ServiceClient flood = to("flood");
    for (int batch = 0; batch * HintJson.MAX_BATCH < MOST; batch++) {
      for (HintAnswer taken : flood.give(streams(batch), 0, false)) {
        assertTrue(taken.isTaken(), taken::toString);
      }
    }
    assertEquals(MOST, hintsOf("flood"));
    int lines = ServiceSetup.journal(service(), "").size();
    assertTrue(lines < 2 * MOST, "about a line for each: " + lines);

    AtomicInteger refused = new AtomicInteger();
    CompletableFuture<Void> flooding =
        CompletableFuture.runAsync(
            () -> {
              try {
                for (int batch = 0; batch < BATCHES; batch++) {
                  for (HintAnswer answer : flood.give(streams(MOST + batch), 0, false)) {
                    assertEquals(HintError.TOO_MANY_HINTS, answer.error(), answer::toString);
                    refused.incrementAndGet();
                  }
                }
              } catch (IOException e) {
                throw new CompletionException(e);
              }
            });
    ServiceClient alice = to("alice");
    int served = 0;
    do {
      HintAnswer taken = alice.give(List.of(hint("alice", FILE)), 0, false).get(0);
      assertTrue(taken.isTaken(), taken::toString);
      assertFalse(
          cluster.superuser().getXAttrs(new org.apache.hadoop.fs.Path(FILE)).isEmpty(), "taken");
      alice.delete("/hints/" + ServiceClient.escaped(taken.id()));
      served++;
    } while (!flooding.isDone());
    flooding.get();

    assertEquals(BATCHES * HintJson.MAX_BATCH, refused.get());
    assertEquals(MOST, hintsOf("flood"), "no more than that");
    List<String> after = ServiceSetup.journal(service(), "");
    assertTrue(
        after.size() - lines < 20 * (served + 10),
        "what is refused leaves nothing: " + lines + " lines before, " + after.size() + " after");
    assertEquals(0, hintsOf("mallory"));
    // Who takes some back may give others.
    String id = flood.give(streams(0).subList(0, 1), 0, false).get(0).id();
    flood.delete("/hints/" + ServiceClient.escaped(id));
    assertTrue(flood.give(streams(MOST).subList(0, 1), 0, false).get(0).isTaken());
    inNamesOfCallers().include(NameNodeCalls.HINTS_BY_REST);
  }

  /** One by REST, one from an attribute, and one too many each way: of a file, a directory. */
  @Test
  void operationsOfOneOwnerAreCountedHoweverTheyAreGiven() throws Exception {
    ServiceClient alice = to("alice");
    Hint first =
        Hint.onFile(Operation.MIGRATE, FILE)
            .temperature(Temperature.WARM)
            .owner("alice")
            .leaseExpiryMillis(HOUR)
            .build();
    HintAnswer given = alice.give(List.of(first), 0, false).get(0);
    assertTrue(given.isTaken(), given::toString);
    DistributedFileSystem hdfs = cluster.as("alice");
    set(hdfs, Hint.onFile(Operation.MIGRATE, "/bad/second"));
    Eventually.holds("two of " + service, () -> alice("operations").asInt() == 2);
    set(hdfs, Hint.onFile(Operation.MIGRATE, "/bad/third"));
    set(hdfs, Hint.onDirectory(Operation.REDIRECT, "/bad/led"));
    for (String path : List.of("/bad/third", "/bad/led")) {
      Eventually.holds(
          path + " is one too many, of " + service, () -> why(path).contains(TOO_MANY));
    }
    HintAnswer more =
        alice
            .give(
                List.of(
                    Hint.onFile(Operation.MIGRATE, "/bad/third")
                        .temperature(Temperature.WARM)
                        .owner("alice")
                        .leaseExpiryMillis(HOUR)
                        .build()),
                0,
                false)
            .get(0);
    assertEquals(HintError.TOO_MANY_HINTS, more.error(), more::toString);
    assertEquals(2, alice("operations").asInt());

    alice.delete("/hints/" + ServiceClient.escaped(given.id()));
    // Nobody sets them again: what stands there is looked at again, and there is room for one.
    Eventually.holds(
        "one is taken at last, of " + service,
        () -> alice("operations").asInt() == 2 && alice("refused").size() == 1);
    hdfs.removeXAttr(
        new org.apache.hadoop.fs.Path("/bad/led"), HintWire.attributeOf(Operation.REDIRECT));
    Eventually.holds(
        "and the one that is left, of " + service,
        () -> alice("operations").asInt() == 2 && alice("refused").isEmpty());
    for (String path : List.of("/bad/second", "/bad/third")) {
      hdfs.removeXAttr(
          new org.apache.hadoop.fs.Path(path), HintWire.attributeOf(Operation.MIGRATE));
    }
    Eventually.holds("ended with the attribute, of " + service, () -> hintsOf("alice") == 0);
  }

  private static void set(DistributedFileSystem hdfs, Hint.Builder hint) throws IOException {
    Hint whole = hint.owner("alice").leaseExpiryMillis(Instant.now().toEpochMilli() + HOUR).build();
    hdfs.setXAttr(
        new org.apache.hadoop.fs.Path(whole.target()),
        HintWire.attributeOf(whole.operation()),
        HintWire.encode(whole).getBytes(StandardCharsets.UTF_8));
  }

  private static JsonNode alice(String field) throws Exception {
    return new ObjectMapper().readTree(get("/hint-owners/alice")).get(field);
  }

  /** Why alice's hint on a path isn't taken; empty where it is. */
  private static String why(String path) throws Exception {
    for (JsonNode refused : alice("refused")) {
      if (refused.get("path").asText().equals(path)) {
        return refused.get("why").asText();
      }
    }
    return "";
  }

  private static List<Hint> streams(int batch) {
    return IntStream.range(0, HintJson.MAX_BATCH)
        .mapToObj(
            i ->
                Hint.onStream(Operation.ADVISE, "stream-" + batch + "-" + i)
                    .owner("flood")
                    .leaseExpiryMillis(Duration.ofHours(1).toMillis())
                    .build())
        .toList();
  }

  private static int hintsOf(String owner) throws Exception {
    String answer = get("/hints?limit=1&owner=" + owner);
    Matcher total = Pattern.compile("\"total\" ?: ?(\\d+)").matcher(answer);
    assertTrue(total.find(), answer);
    return Integer.parseInt(total.group(1));
  }

  private static String get(String path) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(address + "/api/v1" + path))
                .header("Authorization", "Bearer " + Files.readString(temp.resolve("alice")))
                .build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }

  private static Path service() {
    return temp.resolve("service");
  }

  @Test
  void tooLarge() throws Exception {
    refused(
        "BAD_FIELD", "[" + GOOD.replace("}", ",\"stream\":\"" + "x".repeat(20_000) + "\"}") + "]");
    refused(
        "BODY_TOO_LARGE", "[" + GOOD.replace(FILE, "/" + "x".repeat(ApiServer.MOST_BODY)) + "]");
  }

  /** A file holds no more attributes than the NameNode lets it. */
  @Test
  void whatHdfsRefusesIsTheAnswerOfThatHintAlone() throws Exception {
    org.apache.hadoop.fs.Path full = new org.apache.hadoop.fs.Path("/bad/full");
    cluster.write(full.toString());
    cluster.superuser().setOwner(full, "alice", null);
    for (int i = 0; i < DFSConfigKeys.DFS_NAMENODE_MAX_XATTRS_PER_INODE_DEFAULT; i++) {
      cluster.superuser().setXAttr(full, "user.another" + i, new byte[] {1});
    }
    List<HintAnswer> answers =
        to("alice")
            .give(
                List.of(
                    hint("alice", FILE),
                    hint("alice", full.toString()),
                    hint("alice", "/bad/second")),
                0,
                false);
    assertTrue(answers.get(0).isTaken(), answers::toString);
    assertEquals(HintError.BAD_FIELD, answers.get(1).error(), answers::toString);
    assertTrue(answers.get(1).message().contains("additional XAttr"), answers::toString);
    assertTrue(answers.get(2).isTaken(), answers::toString);
    takeBack(answers.get(0), answers.get(2));
  }

  @Test
  void whileHdfsIsInSafeModeWhatNeedsItIsRefusedAndStreamsAreNot() throws Exception {
    Hint stream =
        Hint.onStream(Operation.ADVISE, "safe").owner("alice").leaseExpiryMillis(HOUR).build();
    List<HintAnswer> answers;
    cluster.superuser().setSafeMode(SafeModeAction.ENTER);
    try {
      answers = to("alice").give(List.of(hint("alice", FILE), stream), 0, false);
    } finally {
      cluster.superuser().setSafeMode(SafeModeAction.LEAVE);
    }
    assertEquals(HintError.HDFS_UNAVAILABLE, answers.get(0).error(), answers::toString);
    assertTrue(answers.get(1).isTaken(), answers::toString);
    takeBack(answers.get(1));
  }

  private static void takeBack(HintAnswer... taken) throws IOException {
    for (HintAnswer each : taken) {
      to("alice").delete("/hints/" + ServiceClient.escaped(each.id()));
    }
  }

  @Test
  void anOperationThatIsOff() throws Exception {
    for (String operation : List.of("REPLICATE", "PREFETCH")) {
      refused("OPERATION_OFF", "[" + GOOD.replace("PIN", operation) + "]");
    }
  }

  @Test
  void theServiceIsDown() throws Exception {
    ServiceClient down =
        ServiceClient.of(
            "http://localhost:1,http://localhost:2", Connections.plain("alice", TIMEOUT_MILLIS));
    ServiceException said =
        assertThrows(
            ServiceException.class, () -> down.give(List.of(hint("alice", FILE)), 0, false));
    assertEquals(HintError.SERVICE_DOWN, said.error());
    assertTrue(said.error().isRetriable());
  }

  @Test
  void theServiceIsOlder() throws Exception {
    // It hasn't what a newer client asks for; and what a newer client adds to a hint is passed
    // over.
    ServiceException said =
        assertThrows(ServiceException.class, () -> to("alice").get("/hints-of-tomorrow"));
    assertEquals(HintError.NO_SUCH_RESOURCE, said.error());
    HttpResponse<String> answer = post("[" + GOOD.replace("}", ",\"mood\":\"blue\"}") + "]", true);
    assertEquals(200, answer.statusCode(), answer::body);
    assertFalse(answer.body().contains("\"code\""), answer::body);
  }

  @Test
  void theServiceIsNewer() {
    // A code that this client doesn't know is read by its status.
    assertEquals(HintError.FORBIDDEN, HintError.of("NOT_ON_SUNDAYS", 403));
    assertEquals(HintError.INTERNAL, HintError.of("NOT_ON_SUNDAYS", 507));
  }

  /** As alice: the code of the first hint, or of the request as a whole. */
  private static void refused(String code, String body) throws Exception {
    for (boolean dryRun : new boolean[] {true, false}) {
      HttpResponse<String> answer = post(body, dryRun);
      Matcher found = Pattern.compile("\"code\" ?: ?\"([A-Z_]+)\"").matcher(answer.body());
      assertTrue(found.find(), () -> answer.statusCode() + " " + answer.body());
      assertEquals(code, found.group(1), answer::body);
      assertTrue(answer.body().contains("\"whatToDo\""), answer::body);
    }
  }

  private static HttpResponse<String> post(String body, boolean dryRun) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(address + "/api/v1/hints?dryRun=" + dryRun))
                .header("Authorization", "Bearer " + Files.readString(temp.resolve("alice")))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build(),
            HttpResponse.BodyHandlers.ofString());
  }

  private static Hint hint(String owner, String path) {
    return Hint.onFile(Operation.PIN, path)
        .owner(owner)
        .leaseExpiryMillis(Duration.ofHours(1).toMillis())
        .build();
  }

  private static ServiceClient to(String user) throws IOException {
    return ServiceClient.of(
        address,
        Connections.plain(user, TIMEOUT_MILLIS).bearing(Files.readString(temp.resolve(user))));
  }
}
