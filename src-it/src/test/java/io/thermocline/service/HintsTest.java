// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.thermocline.hints.AccessPattern;
import io.thermocline.hints.Hint;
import io.thermocline.hints.Operation;
import io.thermocline.hints.Requirement;
import io.thermocline.hints.Source;
import io.thermocline.hints.Temperature;
import io.thermocline.hints.wire.HintWire;
import io.thermocline.launcher.Launched;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.testbed.process.Installation;
import io.thermocline.testbed.process.OsUser;
import io.thermocline.testbed.process.Reaper;
import io.thermocline.tiering.act.PolicyMarks;
import io.thermocline.tiering.api.Role;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import javax.management.ObjectName;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What stands on files as extended attributes, and what the service makes of it. */
@Tag("cluster")
class HintsTest {

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final String PREFETCH =
      "{\"op\":\"PREFETCH\",\"scope\":\"FILE\",\"target\":\"/rest/mine\",";
  private static final String LEASED = "\"leaseMillis\":3600000}";

  /** Long enough that the service sees the hint before. */
  private static final Duration LEASE = Duration.ofSeconds(20);

  @TempDir static Path temp;

  private static ServedCluster cluster;
  private static DistributedFileSystem alice;
  private static DistributedFileSystem mallory;

  @BeforeAll
  static void start() throws IOException {
    // Doctor reads one bean of the process; that of an earlier cluster goes with its policy.
    Eventually.holds(
        "no placement policy of an earlier cluster is left",
        () -> {
          System.gc();
          return ManagementFactory.getPlatformMBeanServer()
              .queryNames(
                  new ObjectName("Hadoop:service=NameNode,name=ThermoclinePlacement*"), null)
              .isEmpty();
        });
    cluster =
        ServedCluster.start(temp, List.of(StorageType.DISK, StorageType.SSD), 4, properties());
    alice = cluster.as("alice");
    mallory = cluster.as("mallory");
  }

  private static Map<String, String> properties() {
    Map<String, String> properties =
        new HashMap<>(ServedCluster.actsForCallers(ServiceProcess.USER));
    properties.put("thermocline.placement.directory-hints", kept().toString());
    return properties;
  }

  /** The file that the placement policy reads. */
  private static Path kept() {
    return temp.resolve("keeper/directory-hints");
  }

  @AfterAll
  static void stop() throws IOException {
    if (cluster != null) {
      try {
        NameNodeCalls.in(cluster.auditLog())
            .areAllOf(
                NameNodeCalls.ALWAYS,
                NameNodeCalls.MARK,
                NameNodeCalls.MOVES,
                NameNodeCalls.NEEDLESS,
                NameNodeCalls.HINTS,
                NameNodeCalls.HINTS_THAT_END);
        NameNodeCalls.forOthersBy(ServiceProcess.USER, cluster.auditLog())
            .areAllOf(NameNodeCalls.HINTS_BY_REST);
      } finally {
        cluster.close();
      }
    }
  }

  @Test
  void aHintMovesWhatNobodyReads() throws Exception {
    for (String file :
        List.of("/hints/hot", "/hints/forged", "/hints/plain", "/hints/placed", "/hints/over")) {
      cluster.write(file);
      cluster.superuser().setOwner(new org.apache.hadoop.fs.Path(file), "alice", null);
      cluster
          .superuser()
          .setPermission(new org.apache.hadoop.fs.Path(file), new FsPermission((short) 0666));
    }
    Path directory = Files.createDirectories(temp.resolve("service"));
    Path config =
        cluster
            .setup("/hints")
            .apply()
            .checkpointEvery("1s")
            .replace("enabled: off", "enabled: on")
            .write(directory);
    Hint hot = hot("/hints/hot", "alice");
    try (ServiceProcess service = ServiceProcess.start(directory, config)) {
      service.logs("plan 1: 5 files managed");
      takesNoneByRestFromWhomItDoesNotKnow(service);
      give(alice, hot);
      // It says nothing of how hot that is.
      give(
          alice,
          Hint.onFile(Operation.ADVISE, "/hints/over")
              .pattern(AccessPattern.SEQUENTIAL)
              .owner("alice")
              .leaseExpiryMillis(Instant.now().plus(LEASE).toEpochMilli())
              .build());
      // As the client's file system does it where it creates a file.
      String placed = "/hints/placed";
      give(
          alice,
          Hint.onFile(Operation.REDIRECT, placed)
              .temperature(Temperature.HOT)
              .owner("alice")
              .source(Source.FILE_SYSTEM)
              .leaseExpiryMillis(Instant.now().plus(Duration.ofHours(2)).toEpochMilli())
              .build());
      cluster
          .superuser()
          .setStoragePolicy(
              new org.apache.hadoop.fs.Path(placed), HdfsConstants.COLD_STORAGE_POLICY_NAME);
      // It says alice, and the NameNode's log says who it was.
      give(mallory, hot("/hints/forged", "alice"));
      cluster
          .superuser()
          .rename(
              new org.apache.hadoop.fs.Path("/hints/hot"),
              new org.apache.hadoop.fs.Path("/hints/renamed"));
      Eventually.holds(
          "on SSD, of " + service,
          PATIENCE,
          () -> cluster.has("/hints/renamed", 1, StorageType.SSD));
      Eventually.holds(
          "the policy of the client's file system is nobody's wish, of " + service,
          PATIENCE,
          () -> cluster.has("/hints/placed", 1, StorageType.SSD));
      service.logs("1 hints were refused so far, the last one on /hints/forged");
      Eventually.holds(
          "ended with its lease, of " + service,
          PATIENCE,
          () -> attributes("/hints/over").isEmpty());
      service.terminate();
    }
    NameNodeCalls.in(cluster.auditLog())
        .include(
            NameNodeCalls.ALWAYS,
            NameNodeCalls.MOVES,
            NameNodeCalls.HINTS,
            NameNodeCalls.HINTS_THAT_END);
    assertTrue(cluster.has("/hints/forged", 0, StorageType.SSD));
    assertTrue(cluster.has("/hints/plain", 0, StorageType.SSD));
    List<String> planned = ServiceSetup.journal(directory, "\"planned\"");
    assertEquals(
        List.of("/hints/placed", "/hints/renamed"),
        planned.stream().map(HintsTest::path).distinct().sorted().toList(),
        planned::toString);
    assertTrue(planned.get(0).contains("hinted hot by alice until"), planned::toString);
    String said = Explained.by(config, "/hints/renamed");
    assertTrue(said.contains("hinted hot by alice until "), said);
    assertTrue(said.contains(", believed 0.80: as 19.2 reads a day"), said);
  }

  /** Anybody could say to be alice. */
  private static void takesNoneByRestFromWhomItDoesNotKnow(ServiceProcess service)
      throws Exception {
    JsonNode refused =
        ask(
            "POST",
            service.address() + "/api/v1/hints",
            "[" + PREFETCH.replace("/rest/mine", "/hints/plain") + LEASED + "]",
            "");
    assertEquals("NO_SUCH_RESOURCE", refused.get("code").asText());
    assertTrue(refused.get("whatToDo").asText().contains("hints.enabled: on"), refused::toString);
    assertTrue(attributes("/hints/plain").isEmpty());
  }

  @Test
  void hintsComeByRestInTheNameOfWhoAsks() throws Exception {
    cluster.write("/rest/mine");
    cluster.superuser().setOwner(new org.apache.hadoop.fs.Path("/rest/mine"), "alice", null);
    Path directory = Files.createDirectories(temp.resolve("rest"));
    Callers callers =
        new Callers(
            directory, Map.of("alice", Role.VIEWER, "mallory", Role.VIEWER, "bob", Role.VIEWER));
    Path config = callers.known(cluster.setup("/rest").apply().planEvery("1h")).write(directory);
    String alice = callers.token("alice");
    String mallory = callers.token("mallory");
    String bob = callers.token("bob");
    try (ServiceProcess service = ServiceProcess.start(directory, config)) {
      String ours = service.address() + "/api/v1";
      String hints = ours + "/hints";
      String body = PREFETCH;
      String lease = LEASED;
      String several =
          "["
              + String.join(
                  ",",
                  body + lease,
                  body.replace("PREFETCH", "TELEPORT") + lease,
                  body.replace("/rest/mine", "/rest/none") + lease,
                  body.replace("/rest/mine", "/elsewhere") + lease,
                  body.replace("FILE", "DIRECTORY") + lease,
                  body + "\"owner\":\"alice\"}",
                  body + "\"leaseMillis\":36000000000000}",
                  "7")
              + "]";
      String codes =
          "null BAD_FIELD NO_SUCH_FILE BAD_FIELD BAD_FIELD MISSING_FIELD BAD_FIELD BAD_FIELD";
      assertEquals(codes, codes(ask("POST", hints + "?dryRun=true", several, alice)));
      assertEquals(0, hints(hints, alice));
      // HDFS says who may write it.
      assertEquals("FORBIDDEN", codes(ask("POST", hints, "[" + body + lease + "]", mallory)));
      assertEquals(0, hints(hints, mallory));
      assertTrue(attributes("/rest/mine").isEmpty());

      JsonNode taken = ask("POST", hints, several, alice);
      assertEquals(codes, codes(taken));
      String id = taken.get(0).get("id").asText();
      assertEquals(1, hints(hints + "?path=/rest&owner=alice", alice));
      assertEquals(
          "/rest/mine",
          HintWire.decode(
                  new String(
                      attributes("/rest/mine").get(HintWire.attributeOf(Operation.PREFETCH)),
                      StandardCharsets.UTF_8))
              .target());
      // Nobody waits for the next plan, in an hour.
      Eventually.holds("prefetched", PATIENCE, () -> cluster.has("/rest/mine", 1, StorageType.SSD));

      long until = ask("GET", hints + "/" + id, null, bob).get("expires").asLong();
      JsonNode renewed =
          ask("POST", hints + "/" + id + "/renew", "{\"leaseMillis\":7200000}", alice);
      assertTrue(renewed.get("expires").asLong() > until, renewed::toString);
      assertEquals(
          0.8, ask("GET", ours + "/hint-owners/alice", null, bob).get("reliability").asDouble());
      assertEquals(
          ask("GET", ours + "/hint-owners/alice", null, bob),
          ask("GET", ours + "/hint-owners", null, bob).at("/items/0"));
      assertEquals(0, ask("GET", hints + "/due", null, alice).get("total").asInt());
      JsonNode file = ask("GET", ours + "/files?path=/rest/mine", null, bob);
      assertEquals(id, file.at("/hints/0/id").asText(), file::toString);
      assertTrue(file.at("/access/patterns").isArray(), file::toString);
      JsonNode directories = ask("GET", ours + "/directories?path=/", null, bob);
      assertEquals(1, directories.at("/items/0/hints").asInt(), directories::toString);
      String metrics = text("GET", service.address() + "/metrics", null, bob);
      assertTrue(metrics.contains("\nthermocline_hints 1.0\n"), metrics);
      assertTrue(!metrics.contains("\nthermocline_hints_refused_total 0.0\n"), metrics);
      assertTrue(metrics.contains("route=\"GET /files\",status=\"200\"} 1.0"), metrics);
      ask("DELETE", hints + "/" + id, null, alice);
      assertEquals("NO_SUCH_HINT", ask("GET", hints + "/" + id, null, alice).get("code").asText());
      assertTrue(attributes("/rest/mine").isEmpty());
      service.terminate();
    }
  }

  @Test
  void hintedDirectoryPlacesFilesOfClientsThatKnowNoHints() throws Exception {
    for (String directory : List.of("/led/by", "/led/chosen")) {
      org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(directory);
      cluster.superuser().mkdirs(path);
      cluster.superuser().setOwner(path, "alice", null);
    }
    cluster.superuser().setStoragePolicy(new org.apache.hadoop.fs.Path("/led/chosen"), "HOT");
    Path directory = Files.createDirectories(temp.resolve("led"));
    Path config =
        cluster
            .setup("/led")
            .web(cluster.web())
            .apply()
            .replace("enabled: off", "enabled: on")
            .write(directory);
    Path file = kept();
    try (ServiceProcess service = ServiceProcess.start(directory, config)) {
      String ours = service.address();
      doctorSays("warning", config)
          .assertFound(
              "plugin.directory-hints",
              "warning",
              "the file of thermocline.placement.directory-hints can't be used or is stale",
              "thermocline directory-hints --out FILE --every 10s on the NameNode's host, running");
      Process keeper = keepDirectoryHints(ours, file);
      try {
        service.plansOn(1);
        give(alice, redirect("/led/by"));
        give(alice, redirect("/led/chosen"));
        Eventually.holds(
            "the hint at the NameNode's",
            PATIENCE,
            () -> Files.exists(file) && Files.readString(file).contains(" ONE_SSD /led/by\n"));
        doctorSays("ok", config);
        // A person's policy beats it, though it is what files have anyway.
        String listed = ask("GET", ours + "/api/v1/directory-hints", null, "").toString();
        assertTrue(listed.contains("the storage policy HOT is set on it or above"), listed);
        int[] number = {0};
        Eventually.holds(
            "a new file's first copy on SSD",
            PATIENCE,
            () -> {
              cluster.write("/led/by/sub/part-" + ++number[0]);
              return cluster.has("/led/by/sub/part-" + number[0], 1, StorageType.SSD);
            });
        String led = "/led/by/sub/part-" + number[0];
        Eventually.holds(
            "why, of " + led,
            PATIENCE,
            () ->
                ask("GET", ours + "/api/v1/files?path=" + led, null, "")
                    .toString()
                    .contains("new files below /led/by are placed by ONE_SSD until "));
        cluster.write("/led/chosen/part-0");
        assertTrue(cluster.has("/led/chosen/part-0", 0, StorageType.SSD));
        cluster.write("/elsewhere/part-0");
        assertTrue(cluster.has("/elsewhere/part-0", 0, StorageType.SSD));
        // Expected to be read, it stays there.
        assertTrue(cluster.has(led, 1, StorageType.SSD));

        alice.removeXAttr(
            new org.apache.hadoop.fs.Path("/led/by"), HintWire.attributeOf(Operation.REDIRECT));
        Eventually.holds("taken back", PATIENCE, () -> !Files.readString(file).contains("/led/by"));
        Eventually.holds(
            "a new file where others are",
            PATIENCE,
            () -> {
              cluster.write("/led/by/later-" + ++number[0]);
              return cluster.has("/led/by/later-" + number[0], 0, StorageType.SSD);
            });
      } finally {
        Reaper.kill(keeper);
      }
      service.terminate();
    }
  }

  /** Of the file of hints on directories, as the NameNode's metrics have it sooner or later. */
  private static Doctor doctorSays(String severity, Path config) {
    AtomicReference<Doctor> last = new AtomicReference<>();
    try {
      Eventually.holds(
          "doctor says " + severity,
          PATIENCE,
          () -> {
            // The policies of clusters before in this JVM are shown until they are collected.
            System.gc();
            // As who runs the NameNode: what the service's user asks of it is counted.
            last.set(Doctor.run(System.getProperty("user.name"), config));
            return severity.equals(last.get().checks().get("plugin.directory-hints"));
          });
      return last.get();
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + ": " + last, e);
    }
  }

  /** As an administrator has it run on the NameNode's host. */
  private static Process keepDirectoryHints(String service, Path file) throws IOException {
    Path directory = Files.createDirectories(file.getParent());
    return Reaper.watch(
        Installation.command(
                OsUser.ordinaryOwning(directory),
                Launched.ROOT,
                directory,
                ServiceProcess.USER,
                List.of(
                    "directory-hints",
                    "--service",
                    service,
                    "--out",
                    file.toString(),
                    "--every",
                    "1s"))
            .redirectErrorStream(true)
            .redirectOutput(temp.resolve("keeper.log").toFile())
            .start());
  }

  private static Hint redirect(String directory) {
    return Hint.onDirectory(Operation.REDIRECT, directory)
        .requirement(Requirement.LOW_LATENCY)
        .owner("alice")
        .leaseExpiryMillis(Instant.now().plus(Duration.ofHours(2)).toEpochMilli())
        .build();
  }

  private static JsonNode ask(String method, String address, String body, String token)
      throws Exception {
    return new ObjectMapper().readTree(text(method, address, body, token));
  }

  private static String text(String method, String address, String body, String token)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(address))
            .header("Content-Type", "application/json")
            .method(
                method,
                body == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    return HttpClient.newHttpClient()
        .send(request.build(), HttpResponse.BodyHandlers.ofString())
        .body();
  }

  private static String codes(JsonNode answers) {
    List<String> codes = new ArrayList<>();
    assertTrue(answers.isArray(), answers::toString);
    answers.forEach(answer -> codes.add(answer.at("/error/code").asText(null)));
    return codes.stream().map(String::valueOf).collect(Collectors.joining(" "));
  }

  private static int hints(String address, String user) throws Exception {
    return ask("GET", address, null, user).get("total").asInt();
  }

  /** But for the mark of a storage policy of the service. */
  private static Map<String, byte[]> attributes(String path) throws IOException {
    Map<String, byte[]> attributes =
        new HashMap<>(cluster.superuser().getXAttrs(new org.apache.hadoop.fs.Path(path)));
    attributes.remove(PolicyMarks.ATTRIBUTE);
    return attributes;
  }

  private static String path(String line) {
    return line.replaceFirst(".*\"path\":\"([^\"]*)\".*", "$1");
  }

  private static Hint hot(String path, String owner) {
    return Hint.onFile(Operation.ADVISE, path)
        .temperature(Temperature.HOT)
        .requirement(Requirement.LOW_LATENCY)
        .owner(owner)
        .leaseExpiryMillis(Instant.now().plus(Duration.ofHours(12)).toEpochMilli())
        .build();
  }

  private static void give(DistributedFileSystem user, Hint hint) throws IOException {
    user.setXAttr(
        new org.apache.hadoop.fs.Path(hint.target()),
        HintWire.attributeOf(hint.operation()),
        HintWire.encode(hint).getBytes(StandardCharsets.UTF_8));
  }
}
