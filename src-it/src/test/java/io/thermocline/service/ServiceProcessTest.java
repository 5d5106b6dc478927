// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.thermocline.launcher.Launched;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.testbed.process.MountNamespace;
import io.thermocline.testbed.process.OsUser;
import io.thermocline.tiering.act.ActionCalls;
import io.thermocline.tiering.act.HdfsActionCalls;
import io.thermocline.tiering.act.OperationBudget;
import io.thermocline.tiering.act.PolicyMarks;
import io.thermocline.tiering.journal.Journal;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveEntry;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveInfo;
import org.apache.log4j.Appender;
import org.apache.log4j.Logger;
import org.apache.log4j.varia.StringMatchFilter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The service as an administrator runs it: its own process, conf/ as it is, a real cluster. */
@Tag("cluster")
class ServiceProcessTest {

  private static final String MEANT = "{\"dryRun\": false, \"why\": \"a test\"}";
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String MUTEX = "/system/thermocline/mover.id";

  @TempDir static Path temp;

  private static ServedCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    cluster =
        ServedCluster.start(temp, List.of(StorageType.DISK, StorageType.SSD, StorageType.ARCHIVE));
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void shadowModeSaysWhyAndMovesNothing() throws Exception {
    cluster.write("/shadow/hot");
    cluster.write("/shadow/cold");
    Path directory = temp.resolve("shadow");
    List<List<String>> before = cluster.places("/shadow/hot");
    Path config = cluster.setup("/shadow").write(Files.createDirectories(directory));
    try (ServiceProcess service = ServiceProcess.start(directory, config)) {
      service.logs("running in SHADOW mode");
      leadsToItsPages(service.address());
      readUntil(
          service,
          "/shadow/hot",
          () -> service.has("shadow: /shadow/hot: SSD DISK", "reads", "threshold of 2.0"));
      showsWhatIsAndWhatWouldBe(service.address());
      service.terminate();
      Path journal = ServiceSetup.journalOf(directory);
      areTheServicesAlone(journal, journal.resolve("journal.jsonl"), journal.resolve("heat"));
      if (OsUser.ordinary().isPresent()) {
        // Who can't write to the installation.
        Path logs = directory.resolve("state/thermocline/log");
        areTheServicesAlone(logs, logs.resolve("service.log"), logs.resolve("audit.log"));
      }

      assertFalse(service.has("shadow: /shadow/cold"), service::toString);
    }
    assertEquals(before, cluster.places("/shadow/hot"));
    assertEquals(0, policy("/shadow/hot"), "no storage policy is set");
    assertEquals(
        Set.of("started", "plan"),
        Set.copyOf(ServiceSetup.journaled(directory)),
        "plans were made, and none was carried out");

    Explained.by(config, "/shadow/hot", "/shadow/cold");
    String said = Explained.by(1, config, "/shadow/hot", "/shadow/none", "/shadow/cold");
    assertTrue(said.contains("/shadow/hot: fastest copy on DISK"), said);
    assertTrue(said.contains("next: SSD DISK"), said);
    assertTrue(said.contains("s of reading in 24 h"), said);
    assertTrue(said.contains("/shadow/cold: fastest copy on DISK"), said);
    assertTrue(said.contains("next: stays"), said);
    assertTrue(said.contains("/shadow/none: no closed file"), said);
  }

  @Test
  void applyModeMovesWhatIsHotAndRemembersItsFiles() throws Exception {
    cluster.write("/apply/hot");
    cluster.write("/apply/cold");
    cluster.write("/apply/theirs");
    cluster.superuser().setStoragePolicy(new org.apache.hadoop.fs.Path("/apply/theirs"), "HOT");
    Path directory = temp.resolve("apply");
    Path config = cluster.setup("/apply").apply().write(Files.createDirectories(directory));
    try (ServiceProcess service = ServiceProcess.start(directory, config)) {
      service.logs("running in APPLY mode").logs("plan 1: 2 files managed, 1 left alone");
      cluster.read("/apply/theirs", 5);
      readUntil(service, "/apply/hot", () -> cluster.has("/apply/hot", 1, StorageType.SSD));
      Eventually.holds(
          "three moves VERIFIED in " + directory,
          () -> ServiceSetup.journal(directory, "VERIFIED", "/apply/hot").size() == 3);
      aSecondServiceIsRefused();
      service.terminate();
    }
    assertTrue(cluster.has("/apply/cold", 0, StorageType.SSD), "nobody read it");
    assertTrue(cluster.has("/apply/theirs", 0, StorageType.SSD), "its policy is a person's");
    assertEquals(List.of(), ServiceSetup.journal(directory, "/apply/theirs"));
    assertFalse(
        cluster.superuser().exists(new org.apache.hadoop.fs.Path(MUTEX)),
        "the mutex is given back");

    List<List<String>> tiered = cluster.places("/apply/hot");
    try (ServiceProcess service = ServiceProcess.start(directory, config)) {
      service.logs("2 files managed, 1 left alone: 0 decisions, 0 moves");
      cluster.read("/apply/hot", 5);
      // The plan that moves the second file was made after those reads.
      readUntil(service, "/apply/cold", () -> cluster.has("/apply/cold", 1, StorageType.SSD));
      service.plansOn(2);
      List<String> asked = service.explains("/apply/cold");
      service.terminate();
      saysTheSame(asked, Explained.by(config, "/apply/cold").lines().toList());
    }
    assertEquals(tiered, cluster.places("/apply/hot"));
    assertEquals(
        3,
        ServiceSetup.journal(directory, "VERIFIED", "/apply/hot").size(),
        "none since the restart");
    assertEquals(3, ServiceSetup.journal(directory, "VERIFIED", "/apply/cold").size());
  }

  /** By the service and without it; heat cools in between. */
  private static void saysTheSame(List<String> asked, List<String> reckoned) {
    assertEquals(asked.get(0), reckoned.get(0), "types, and bytes of each");
    Pattern standing =
        Pattern.compile("([0-9.]+) block reads, .* % of all; number ([0-9]+ of [0-9]+) files");
    Matcher one = standing.matcher(asked.get(1));
    Matcher other = standing.matcher(reckoned.get(1));
    assertTrue(one.matches() && other.matches(), () -> asked + "\n" + reckoned);
    assertEquals(one.group(2), other.group(2));
    double reads = Double.parseDouble(one.group(1));
    assertEquals(reads, Double.parseDouble(other.group(1)), 0.01 * reads + 0.1);
  }

  /** Names of paths stand in journal, heat and logs. */
  private static void areTheServicesAlone(Path... files) throws IOException {
    for (Path file : files) {
      assertEquals(
          Files.isDirectory(file) ? "rwx------" : "rw-------",
          PosixFilePermissions.toString(Files.getPosixFilePermissions(file)),
          file.toString());
    }
  }

  /** They are in a jar of what is installed. */
  private static void showsWhatIsAndWhatWouldBe(String address) throws Exception {
    Eventually.holds(
        "a plan that takes the file for moved",
        () -> asked(address, "/files?path=/shadow/hot").path("file").has("wouldBeFastest"));
    JsonNode hot = asked(address, "/files?path=/shadow/hot");
    assertEquals("DISK", hot.path("file").path("fastest").asText());
    assertEquals("SSD", hot.path("file").path("wouldBeFastest").asText());
    assertEquals(Set.of("DISK"), names(hot.path("copies")));
    String words = hot.path("explanation").toString();
    assertTrue(words.contains("its fastest copy would be on SSD"), words);
    JsonNode hottest = asked(address, "/heat").path("items").get(0);
    assertEquals("DISK", hottest.path("fastest").asText());
    for (JsonNode sample : asked(address, "/history").path("items")) {
      assertEquals(Set.of("DISK"), names(sample.path("readShares")), "no read came from SSD");
    }
  }

  private static Set<String> names(JsonNode of) {
    Set<String> names = new TreeSet<>();
    of.fieldNames().forEachRemaining(names::add);
    return names;
  }

  private static JsonNode asked(String address, String path) throws Exception {
    return new ObjectMapper()
        .readTree(
            HttpClient.newHttpClient()
                .send(
                    HttpRequest.newBuilder(URI.create(address + "/api/v1" + path)).build(),
                    HttpResponse.BodyHandlers.ofString())
                .body());
  }

  private static void leadsToItsPages(String address) throws Exception {
    HttpClient client = HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build();
    for (String path : List.of("/", "/ui", "/ui/", "/ui/index.html")) {
      HttpResponse<String> page =
          client.send(
              HttpRequest.newBuilder(URI.create(address + path)).build(),
              HttpResponse.BodyHandlers.ofString());
      assertEquals(200, page.statusCode(), path);
      assertTrue(page.body().contains("<title>Thermocline</title>"), page::body);
    }
  }

  /** By the process that runs: from shadow mode to moves, to more paths, to what can't be, and back. */
  @Test
  void aReloadChangesWhatRuns() throws Exception {
    cluster.write("/reload/hot");
    cluster.write("/more/hot");
    Path directory = Files.createDirectories(temp.resolve("reload"));
    Path config = cluster.setup("/reload").write(directory);
    String shadow = Files.readString(config);
    try (ServiceProcess service = ServiceProcess.start(directory, config)) {
      service.logs("running in SHADOW mode");
      readUntil(service, "/reload/hot", () -> service.has("shadow: /reload/hot: SSD DISK"));
      String address = service.address();
      long reads = service.get("/state").at("/observed/reads").asLong();

      // What is only shown needs no reads to be made; and those of a path that comes count from
      // there.
      String apply =
          shadow
              .replace("mode: shadow", "mode: apply")
              .replace("paths: [/reload]", "paths: [/reload, /more]")
              .replace("poll: 100ms", "poll: 150ms");
      JsonNode done = reload(service, config, apply);
      assertTrue(
          done.path("what").asText().contains("act.mode: shadow -> apply (from the next plan on)"),
          done::toString);
      Eventually.holds("it moves", () -> cluster.has("/reload/hot", 1, StorageType.SSD));
      JsonNode state = service.get("/state");
      assertEquals("APPLY", state.path("mode").asText());
      assertTrue(state.at("/observed/reads").asLong() >= reads, () -> reads + " reads: " + state);
      JsonNode task = service.get("/tasks/" + done.path("task").asLong());
      assertEquals("DONE a test", task.path("state").asText() + " " + task.path("why").asText());
      assertTrue(cluster.superuser().exists(path(MUTEX)));
      readUntil(service, "/more/hot", () -> cluster.has("/more/hot", 1, StorageType.SSD));

      Files.writeString(
          config, apply.replace("mutex: " + MUTEX, "mutex: /reload/hot/below/a/file"));
      HttpResponse<String> refused = service.post("/config/reload", MEANT);
      assertEquals(409, refused.statusCode(), refused::body);
      assertTrue(refused.body().contains("/reload/hot"), refused::body);
      assertEquals("FAILED", service.get("/tasks").at("/items/0/state").asText());
      service.plansOn(1);
      assertTrue(cluster.superuser().exists(path(MUTEX)), "it goes on as before");

      done = reload(service, config, shadow);
      assertEquals("SHADOW", service.get("/state").path("mode").asText());
      assertFalse(cluster.superuser().exists(path(MUTEX)), "nothing is moved any more");
      service.plansOn(1);
      assertEquals(address, service.address());
      assertEquals(
          1, service.out().lines().filter(line -> line.contains(" REST at http://")).count());
      service.terminate();
    }
  }

  private static JsonNode reload(ServiceProcess service, Path config, String text)
      throws Exception {
    Files.writeString(config, text);
    HttpResponse<String> answer = service.post("/config/reload", MEANT);
    assertEquals(200, answer.statusCode(), answer::body);
    return MAPPER.readTree(answer.body());
  }

  @Test
  void whatWasReadBeforeItWasKilledStillCounts() throws Exception {
    cluster.write("/killed/hot");
    Path directory = Files.createDirectories(temp.resolve("killed"));
    Path config = cluster.setup("/killed").checkpointEvery("200ms").write(directory);
    String wanted = "shadow: /killed/hot: SSD DISK";
    try (ServiceProcess service = ServiceProcess.start(directory, config)) {
      service.logs("yet: learning it").logs("running in SHADOW mode");
      readUntil(service, "/killed/hot", () -> service.has(wanted));
      Eventually.holds(
          "a second checkpoint beside the journal",
          () -> {
            cluster.read("/killed/hot", 1);
            return Files.exists(
                ServiceSetup.journalOf(directory).resolve("heat/heat.checkpoint.previous"));
          });
      // Closed without a word: SIGKILL.
    }
    // Else the move would pass for made, and not be said again.
    Files.delete(ServiceSetup.journalOf(directory).resolve("shadow/journal.jsonl"));
    cluster.read("/killed/hot", 1);
    try (ServiceProcess service = ServiceProcess.start(directory, config)) {
      service.logs("heat of", "reads was found in").logs(wanted);
      service.terminate();
    }
  }

  /** A FIFO where the log was, and brackets within brackets: both are said, and nothing hangs. */
  @Test
  void whatIsNoLogIsSaidAndNotWaitedFor() throws Exception {
    cluster.write("/fifo/hot");
    Path directory = Files.createDirectories(temp.resolve("fifo"));
    Path log = directory.resolve("audit.log");
    Files.createSymbolicLink(log, cluster.auditLog());
    Path config =
        cluster
            .setup("/fifo")
            .replace("auditLogs: [" + cluster.auditLog() + "]", "auditLogs: [" + log + "]")
            .write(directory);
    try (ServiceProcess service = ServiceProcess.start(directory, config)) {
      service.logs("running in SHADOW mode");
      Eventually.holds("reading", () -> service.answer("/health/ready").statusCode() == 200);
      Files.delete(log);
      assertEquals(0, new ProcessBuilder("mkfifo", log.toString()).start().waitFor());
      Eventually.holds(
          "not ready, by name",
          () -> {
            HttpResponse<String> answer = service.answer("/health/ready");
            return answer.statusCode() == 503 && answer.body().contains(log.toString());
          });
      int before = service.out().length();
      assertEquals(
          400, service.post("/rules/check", "[".repeat(30_000) + "]".repeat(30_000)).statusCode());
      String since = service.out().substring(before);
      assertFalse(since.contains("StackOverflowError"), since);
      assertFalse(since.lines().anyMatch(line -> line.strip().startsWith("at ")), since);
      Files.delete(log);
      Files.createSymbolicLink(log, cluster.auditLog());
      Eventually.holds("reading again", () -> service.answer("/health/ready").statusCode() == 200);
      service.terminate();
    }
  }

  /** A log that is rolled with other rights is what an administrator meets. */
  @Test
  void aLogWithoutPermissionIsSaidAndReadOnceThereIsOne() throws Exception {
    cluster.write("/denied/hot");
    Path directory = Files.createDirectories(temp.resolve("denied"));
    Path log = Files.copy(cluster.auditLog(), directory.resolve("hdfs-audit.log"));
    Path config =
        cluster
            .setup("/denied")
            .replace("auditLogs: [" + cluster.auditLog() + "]", "auditLogs: [" + log + "]")
            .write(directory);
    try (ServiceProcess service = ServiceProcess.start(directory, config)) {
      service.logs("running in SHADOW mode");
      Eventually.holds("reading", () -> service.answer("/health/ready").statusCode() == 200);
      Files.move(log, directory.resolve("hdfs-audit.log.1"));
      Path next = Files.writeString(directory.resolve("next"), "the first line\n");
      Files.setPosixFilePermissions(next, Set.of());
      Files.move(next, log);
      Eventually.holds(
          "not ready, by name",
          () -> {
            HttpResponse<String> answer = service.answer("/health/ready");
            return answer.statusCode() == 503
                && answer.body().contains(log + ": permission denied");
          });
      Files.setPosixFilePermissions(log, PosixFilePermissions.fromString("rw-r--r--"));
      Eventually.holds("reading again", () -> service.answer("/health/ready").statusCode() == 200);
      service.terminate();
    }
  }

  /** Whoever balances load hears of a plan that hangs, and that it goes on. */
  @Test
  void aPlanThatHangsIsNotReady() throws Exception {
    cluster.write("/hangs/hot");
    Path directory = Files.createDirectories(temp.resolve("hangs"));
    Path config = cluster.setup("/hangs").apply().write(directory);
    try (ServiceProcess service = ServiceProcess.held(directory, config, "COPYING.recorded")) {
      service.logs("running in APPLY mode").logs("plan 1:");
      readUntil(service, List.of("/hangs/hot"), () -> HeldService.isHeld(directory));
      assertEquals(200, service.answer("/health/ready").statusCode(), "it hasn't hung for long");
      Eventually.holds(
          "not ready after a minute",
          Duration.ofMinutes(2),
          () -> {
            HttpResponse<String> answer = service.answer("/health/ready");
            return answer.statusCode() == 503
                && answer.body().contains(" has made no progress for ");
          });
      HeldService.release(directory);
      Eventually.holds("it goes on", () -> service.answer("/health/ready").statusCode() == 200);
      // Killed, it would keep the next one from moving for a minute.
      service.terminate();
    }
  }

  @Test
  void tooLittleInTheLogIsNoReasonForAPlan() throws Exception {
    cluster.write("/blind/hot");
    Path directory = Files.createDirectories(temp.resolve("blind"));
    Path config = cluster.setup("/blind").web(cluster.web()).write(directory);
    Appender log =
        Logger.getLogger("org.apache.hadoop.hdfs.server.namenode.FSNamesystem.audit")
            .getAppender("RFAAUDIT");
    StringMatchFilter lost = new StringMatchFilter();
    lost.setStringToMatch("src=/blind/lost");
    lost.setAcceptOnMatch(false);
    try (ServiceProcess service = ServiceProcess.start(directory, config)) {
      service.logs("running in SHADOW mode");
      readUntil(service, "/blind/hot", () -> service.has("shadow: /blind/hot:"));
      assertFalse(service.has("planning nothing"), "all that was counted is logged");
      log.addFilter(lost);
      // Counters are compared each five seconds, and where the page comes in time.
      readUntil(
          service,
          "/blind/hot",
          () -> {
            for (int i = 0; i < 100; i++) {
              cluster.superuser().exists(new org.apache.hadoop.fs.Path("/blind/lost"));
            }
            // A kind of which nothing is logged may have been silenced.
            cluster.superuser().exists(new org.apache.hadoop.fs.Path("/blind/hot"));
            return service.has("planning nothing: the audit logs are ", "minCompleteness is 90");
          });
      service.terminate();
    } finally {
      log.clearFilters();
    }
  }

  @Test
  void beginsNothingWhileTheDiskUnderItsJournalIsFull() throws Exception {
    assumeTrue(MountNamespace.isPossible(), "only root may mount a file system of its own");
    List<String> files = IntStream.range(0, 12).mapToObj(i -> "/full/f" + i).toList();
    for (String file : files) {
      cluster.write(file);
    }
    Path directory = Files.createDirectories(temp.resolve("full"));
    Path config = cluster.setup("/full").apply().write(directory);
    try (MountNamespace mounts = MountNamespace.open()) {
      mounts.mount(ServiceSetup.journalOf(directory), 4 << 20);
      OsUser.ordinaryOwning(mounts.seen(ServiceSetup.journalOf(directory)));
      Path filler = ServiceSetup.journalOf(directory).resolve("not-ours");
      try (ServiceProcess service =
          ServiceProcess.startBehind(mounts.prefix(), directory, config)) {
        service.logs("running in APPLY mode").logs("plan 1: 12 files managed");
        mounts.fill(filler);
        // What is left of the journal's last page takes some entries yet, but not those of all.
        readUntil(
            service, files, () -> service.has("the journal can't be written: nothing is begun"));
        List<String> begun = new ArrayList<>();
        for (String file : files) {
          if (policy(file) != 0) {
            begun.add(file);
            assertFalse(
                ServiceSetup.journal(mounts.seen(directory), '"' + file + '"').isEmpty(),
                file + " isn't recorded: " + service);
          }
        }
        assertTrue(begun.size() < files.size(), begun::toString);

        Files.delete(mounts.seen(filler));
        readUntil(
            service,
            files,
            () -> {
              for (String file : files) {
                if (!cluster.has(file, 1, StorageType.SSD)) {
                  return false;
                }
              }
              return true;
            });
        service.terminate();
      }
    }
  }

  @Test
  void whoseMutexIsGoneBeginsNothing() throws Exception {
    cluster.write("/lost/hot");
    Path directory = Files.createDirectories(temp.resolve("lost"));
    Path config = cluster.setup("/lost").apply().write(directory);
    try (ServiceProcess service = ServiceProcess.start(directory, config)) {
      service.logs("running in APPLY mode").logs("plan 1: 1 files managed");
      cluster.superuser().delete(new org.apache.hadoop.fs.Path(MUTEX), false);
      service.logs(MUTEX + " isn't ours any more");
      readUntil(service, "/lost/hot", () -> service.has("1 decisions, 3 moves"));
      String state =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(URI.create(service.address() + "/api/v1/state")).build(),
                  HttpResponse.BodyHandlers.ofString())
              .body();
      assertTrue(state.contains(MUTEX + " isn't this service's any more"), state);
      service.terminate();
    }
    assertTrue(cluster.has("/lost/hot", 0, StorageType.SSD), "planned, and not moved");
    assertEquals(List.of(), ServiceSetup.journal(directory, "COPYING"));
    try (ServiceProcess service = ServiceProcess.start(directory, config)) {
      service.logs("running in APPLY mode");
      readUntil(service, "/lost/hot", () -> cluster.has("/lost/hot", 1, StorageType.SSD));
      service.terminate();
    }
  }

  /** A journal that is gone, empty or an older copy is refused: the service would take its own policies for others'. */
  @Test
  void aJournalThatLacksWhatHdfsShowsIsRefused() throws Exception {
    for (String file :
        List.of(
            "hot", "second", "cold", "theirs", "forged", "raised", "same", "lowered", "cached")) {
      cluster.write("/forgot/" + file);
    }
    cluster.superuser().setStoragePolicy(path("/forgot/theirs"), "ONE_SSD");
    cluster.superuser().setStoragePolicy(path("/forgot/forged"), "WARM");
    Path directory = Files.createDirectories(temp.resolve("forgot"));
    Path config =
        cluster
            .setup("/forgot")
            .apply()
            .replace(ActionsTest.STABILITY, ActionsTest.STABLE)
            .write(directory);
    Path journal = ServiceSetup.journalOf(directory).resolve("journal.jsonl");
    try (ServiceProcess service = ServiceProcess.start(directory, config)) {
      service.logs("running in APPLY mode");
      service.terminate();
    }
    byte[] older = Files.readAllBytes(journal);
    try (ServiceProcess service = ServiceProcess.start(directory, config)) {
      service.logs("running in APPLY mode");
      // Closed without a word: SIGKILL.
    }
    byte[] good = Files.readAllBytes(journal);

    Files.write(journal, older);
    refuses(directory, config, "ends with start 1, plan 0 and change 0");
    Path others = Files.createDirectories(temp.resolve("others"));
    try (Journal another = Journal.open(others)) {
      for (int start = 0; start < 9; start++) {
        another.append(another.started("2026-01-01T00:00:00Z", "APPLY"));
      }
    }
    Files.copy(others.resolve("journal.jsonl"), journal, StandardCopyOption.REPLACE_EXISTING);
    refuses(directory, config, "began at 2026-01-01T00:00:00Z");
    Files.write(journal, new byte[0]);
    refuses(directory, config, "ends with start 0, plan 0 and change 0");
    Files.delete(journal);
    refuses(directory, config, "ends with start 0, plan 0 and change 0");
    byte[] flipped = good.clone();
    flipped[good.length / 4] ^= 1;
    Files.write(journal, flipped);
    try (ServiceProcess service = ServiceProcess.start(directory, config)) {
      String line = service.fails(1, 1).get(0);
      assertTrue(line.contains(journal + ":1: its checksum is wrong"), line);
    }

    Files.write(journal, older);
    try (ServiceProcess service = ServiceProcess.start(directory, config, "--accept-journal")) {
      service.logs("--accept-journal: the journal in").logs("running in APPLY mode");
      service.terminate();
    }
    try (ServiceProcess service = ServiceProcess.start(directory, config)) {
      service.logs("running in APPLY mode");
      Eventually.holds(
          "moved",
          () -> {
            cluster.read("/forgot/hot", 2);
            cluster.read("/forgot/second", 2);
            return cluster.has("/forgot/second", 1, StorageType.SSD)
                && !ServiceSetup.journal(directory, "\"planEnded\"").isEmpty()
                && cluster.has("/forgot/hot", 1, StorageType.SSD);
          });
      service.terminate();
    }
    // Of the same start and the same plan.
    List<String> whole = Files.readAllLines(journal);
    int policy = whole.size() - 1;
    while (!whole.get(policy).contains("\"entry\":\"policy\"")) {
      policy--;
    }
    Files.write(journal, whole.subList(0, policy));
    try (ServiceProcess service = ServiceProcess.start(directory, config)) {
      String line = service.fails(1, 1).get(0);
      assertTrue(
          line.matches(".* start 4, plan (\\d+) and change \\d+, but .* start 4, plan \\1 and .*"),
          line);
    }
    final long theirs = raiseAndCache();
    Path shadow =
        Files.writeString(
            directory.resolve("shadow.yaml"),
            Files.readString(config).replace("mode: apply", "mode: shadow"));
    try (ServiceProcess service = ServiceProcess.start(directory, shadow)) {
      service.logs("but HDFS shows that it reached start 4, plan ").logs("running in SHADOW mode");
      // It reads of that, and doesn't ask whose it was.
      service.plansOn(2);
      service.terminate();
    }
    assertEquals(1, ServiceSetup.journal(directory, "\"started\"", "\"epoch\":4").size());
    recovers(directory, config, journal, theirs);
  }

  /** As the service does it, and somebody else in its pool, whose cache directive this returns. */
  private static long raiseAndCache() throws IOException {
    DistributedFileSystem hdfs = cluster.superuser();
    ActionCalls actions =
        new HdfsActionCalls(
            hdfs.getClient(),
            ServiceProcess.USER,
            new HdfsActionCalls.Pool("thermocline", 4 << 20, Duration.ofHours(1)),
            OperationBudget.unlimited(),
            Clock.systemUTC());
    for (String file : List.of("raised", "same", "lowered")) {
      actions.setReplication("/forgot/" + file, 4, 3);
    }
    actions.cache("/forgot/cached", 1, made -> {});
    return hdfs.addCacheDirective(
        new CacheDirectiveInfo.Builder()
            .setPath(path("/forgot/cached"))
            .setPool("thermocline")
            .build());
  }

  /** By marks, unless somebody else changed something since. */
  private static void recovers(Path directory, Path config, Path journal, long theirs)
      throws Exception {
    Files.delete(journal);
    DistributedFileSystem hdfs = cluster.superuser();
    hdfs.setReplication(path("/forgot/same"), (short) 4);
    hdfs.setReplication(path("/forgot/lowered"), (short) 2);
    hdfs.setXAttr(
        path("/forgot/forged"),
        PolicyMarks.ATTRIBUTE,
        "ONE_SSD 1".getBytes(StandardCharsets.UTF_8));
    hdfs.setStoragePolicy(path("/forgot/second"), "ONE_SSD");
    try (ServiceProcess service = ServiceProcess.start(directory, config, "--accept-journal")) {
      service
          .logs("2 storage policies are the service's own")
          .logs("2 replication factors and 1 cached files are the service's own")
          .logs("running in APPLY mode");
      Eventually.holds(
          "what was set meanwhile is known",
          () -> ServiceSetup.journal(directory, "\"takenOver\"", "/forgot/second").size() == 1);
      Eventually.holds(
          "and not marked any more",
          () ->
              !hdfs.getXAttrs(path("/forgot/second")).containsKey(PolicyMarks.ATTRIBUTE)
                  && hdfs.getXAttrs(path("/forgot/same")).isEmpty());
      Eventually.holds(
          "nothing asks for the replica and the copy in memory any more",
          () ->
              hdfs.getFileStatus(path("/forgot/raised")).getReplication() == 3
                  && hdfs.getXAttrs(path("/forgot/raised")).isEmpty()
                  && hdfs.getXAttrs(path("/forgot/cached")).isEmpty());
      service.terminate();
    }
    assertEquals(1, ServiceSetup.journal(directory, "\"policy\"", "/forgot/hot").size());
    assertEquals(List.of(), ServiceSetup.journal(directory, "\"policy\"", "/forgot/theirs"));
    assertEquals(List.of(), ServiceSetup.journal(directory, "\"policy\"", "/forgot/forged"));
    assertEquals(4, hdfs.getFileStatus(path("/forgot/same")).getReplication(), "somebody's");
    assertEquals(2, hdfs.getFileStatus(path("/forgot/lowered")).getReplication(), "somebody's");
    RemoteIterator<CacheDirectiveEntry> left = hdfs.listCacheDirectives(null);
    assertEquals(theirs, left.next().getInfo().getId(), "somebody's, in the same pool");
    assertFalse(left.hasNext(), "ours is gone");
  }

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }

  private static void refuses(Path directory, Path config, String what) throws Exception {
    try (ServiceProcess service = ServiceProcess.start(directory, config)) {
      String line = service.fails(1, 1).get(0);
      assertTrue(line.contains(what), line);
      assertTrue(line.contains("but HDFS shows that "), line);
      assertTrue(line.contains("--accept-journal"), line);
    }
  }

  /** With the service stopped; what holds a service back holds the command back, too. */
  @Test
  void aPlanIsTakenBackWithoutAService() throws Exception {
    cluster.write("/undone/hot");
    Path directory = Files.createDirectories(temp.resolve("undone"));
    Path config = cluster.setup("/undone").apply().write(directory);
    List<List<String>> before = cluster.places("/undone/hot");
    String plan;
    try (ServiceProcess service = ServiceProcess.start(directory, config)) {
      service.logs("running in APPLY mode").logs("plan 1: 1 files managed");
      readUntil(service, "/undone/hot", () -> cluster.has("/undone/hot", 1, StorageType.SSD));
      Eventually.holds(
          "the plan is at its end",
          () -> !ServiceSetup.journal(directory, "\"entry\":\"planEnded\"").isEmpty());
      String planned =
          ServiceSetup.journal(directory, "\"entry\":\"planned\"", "/undone/hot").get(0);
      plan = planned.replaceAll(".*\"plan\":(\\d+).*", "$1");
      String would = undo(directory, 0, plan, "--config", config.toString());
      assertTrue(would.contains("/undone/hot: can be"), would);
      String refused = undo(directory, 1, plan, "--config", config.toString(), "--yes");
      assertTrue(refused.contains("another Thermocline runs with this journal"), refused);
      assertTrue(
          cluster.superuser().exists(new org.apache.hadoop.fs.Path(MUTEX)), "the service's still");
      // It is killed now: HDFS keeps the mutex for a minute.
    }
    org.apache.hadoop.fs.Path balancer = new org.apache.hadoop.fs.Path("/system/balancer.id");
    try (FSDataOutputStream held = cluster.superuser().create(balancer)) {
      held.hflush();
      String refused = undo(directory, 1, plan, "--config", config.toString(), "--yes");
      assertTrue(
          refused.contains("can't undo: Hadoop's Balancer runs (it holds /system/balancer.id)"),
          refused);
    }
    cluster.superuser().delete(balancer, false);
    assertTrue(cluster.has("/undone/hot", 1, StorageType.SSD));

    String said = undo(directory, 0, plan, "--config", config.toString(), "--yes");

    assertTrue(said.contains("/undone/hot: taken back"), said);
    assertFalse(said.contains("isn't ours any more"), said);
    String unknown = undo(directory, 1, "99999", "--config", config.toString());
    assertTrue(unknown.contains("there is no plan 99999: the last one is "), unknown);
    Eventually.holds("it is where it was", () -> cluster.places("/undone/hot").equals(before));
    said = undo(directory, 0, plan, "--config", config.toString());
    assertTrue(said.contains("nothing is left of it to take back"), said);
  }

  /** Readers behind a gateway, callers with their token in a file, and a journal in HDFS that outlives a kill. */
  @Test
  void servesReadersBehindOneAddressAndLeavesNothingAfterAKill() throws Exception {
    cluster.write("/site/hot");
    Path directory = Files.createDirectories(temp.resolve("site"));
    JsonNode drawn = MAPPER.readTree(ran(directory, 0, "token", "ann", "administrator", "--json"));
    Path tokens =
        Files.writeString(directory.resolve("tokens"), drawn.path("line").asText() + "\n");
    Files.setPosixFilePermissions(tokens, PosixFilePermissions.fromString("rw-------"));
    Path token =
        Files.writeString(directory.resolve("ann.token"), drawn.path("token").asText() + "\n");
    String journal = cluster.superuser().getUri() + "/thermocline-site/journal";
    Path config =
        cluster
            .setup("/site")
            .apply()
            .journalIn(journal)
            .replace("openWindow: 10s", "openWindow: 10m")
            .replace("# tokens: /etc/thermocline/tokens", "tokens: " + tokens)
            .write(directory);
    List<List<String>> before = cluster.places("/site/hot");
    String plan;
    try (ServiceProcess service = ServiceProcess.start(directory, config)) {
      service.logs("running in APPLY mode");
      String[] status = {"status", "--json", "--service", service.address()};
      String refused = ran(directory, 5, status);
      assertTrue(refused.contains("token"), refused);
      Path empty = Files.createFile(directory.resolve("empty.token"));
      refused = ran(directory, 2, with(status, "--token-file", empty.toString()));
      assertTrue(refused.contains("--token-file: the first line of " + empty), refused);

      // One address, and a user each, who opens the file twice: the second time of each is one with
      // the first.
      for (int user = 0; user < 4; user++) {
        try (DistributedFileSystem client = cluster.as("user" + user)) {
          for (int time = 0; time < 2; time++) {
            client.open(path("/site/hot")).close();
          }
        }
      }
      Eventually.holds("it moves", () -> cluster.has("/site/hot", 1, StorageType.SSD));
      JsonNode observed =
          MAPPER
              .readTree(ran(directory, 0, with(status, "--token-file", token.toString())))
              .path("observed");
      assertEquals(8, observed.path("openLines").asLong(), observed::toString);
      assertEquals(8, observed.path("reads").asLong(), observed::toString);
      assertEquals(4, observed.path("sharedOpens").asLong(), observed::toString);
      JsonNode plans =
          MAPPER.readTree(
              ran(
                  directory,
                  0,
                  "plan",
                  "list",
                  "--json",
                  "--service",
                  service.address(),
                  "--token-file",
                  token.toString()));
      plan = plans.at("/items/0/number").asText();
      // Killed now.
    }
    org.apache.hadoop.fs.Path mutex = path(MUTEX);
    DistributedFileSystem hdfs = cluster.superuser();
    // As HDFS does by itself after a minute.
    Eventually.holds("the mutex is free", () -> !hdfs.exists(mutex) || hdfs.recoverLease(mutex));
    String said = undo(directory, 0, plan, "--config", config.toString(), "--yes");
    assertTrue(said.contains("/site/hot: taken back"), said);
    Eventually.holds("it is where it was", () -> cluster.places("/site/hot").equals(before));
    said = ran(directory, 0, "uninstall", "--config", config.toString(), "--yes");
    assertFalse(hdfs.exists(path(journal)), said);
    assertFalse(hdfs.exists(mutex), said);
    assertEquals(0, policy("/site/hot"), said);
    assertTrue(hdfs.getXAttrs(path("/site/hot")).isEmpty(), said);
  }

  private static String[] with(String[] words, String... more) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  /** What a command of what is installed says, by the service's user. */
  private static String ran(Path directory, int status, String... words)
      throws IOException, InterruptedException {
    Launched ran = Launched.installed(directory, ServiceProcess.USER, List.of(words));
    assertEquals(status, ran.status(), ran::toString);
    return ran.out() + ran.err();
  }

  private static String undo(Path directory, int status, String... arguments)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of("undo"));
    words.addAll(List.of(arguments));
    // Whose user may write its audit.log there.
    Launched undo = Launched.installed(directory, ServiceProcess.USER, words);
    assertEquals(status, undo.status(), undo::toString);
    return undo.out() + undo.err();
  }

  private static void aSecondServiceIsRefused() throws IOException, InterruptedException {
    Path directory = temp.resolve("second");
    Path config = cluster.setup("/apply").apply().write(Files.createDirectories(directory));
    try (ServiceProcess second = ServiceProcess.start(directory, config)) {
      String line = second.fails(1, 1).get(0);
      assertTrue(line.contains("another Thermocline moves data"), line);
      assertTrue(line.contains(MUTEX), line);
    }
  }

  @Test
  void aStopLetsThePlanUnderWayEnd() throws Exception {
    for (int i = 0; i < 8; i++) {
      cluster.write("/stop/f" + i);
    }
    Path directory = temp.resolve("stop");
    // The NameNode is asked first after three seconds: long after the signal.
    Path config =
        cluster.setup("/stop").apply().verifyEvery("3s").write(Files.createDirectories(directory));
    try (ServiceProcess service = ServiceProcess.start(directory, config)) {
      service.logs("running in APPLY mode");
      Eventually.holds(
          "a move is being copied",
          () -> {
            for (int i = 0; i < 8; i++) {
              cluster.read("/stop/f" + i, 3);
            }
            return !ServiceSetup.journal(directory, "\"COPYING\"").isEmpty();
          });
      service.terminate();
    }
    assertEquals(
        ServiceSetup.journal(directory, "\"COPYING\"").size(),
        ServiceSetup.journal(directory, "\"VERIFIED\"").size());
    assertEquals(List.of(), ServiceSetup.journal(directory, "\"FAILED\""));
    assertEquals(List.of(), ServiceSetup.journal(directory, "\"CANCELLED\""));
  }

  /** Reads the file three times a round, until the service has noticed. */
  private static void readUntil(ServiceProcess service, String file, Callable<Boolean> noticed) {
    readUntil(service, List.of(file), noticed);
  }

  private static void readUntil(
      ServiceProcess service, List<String> files, Callable<Boolean> noticed) {
    try {
      Eventually.holds(
          "the service notices reads of " + files,
          () -> {
            for (String file : files) {
              cluster.read(file, 3);
            }
            return noticed.call();
          });
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + "; " + service, e);
    }
  }

  private static int policy(String file) throws IOException {
    return cluster.superuser().getClient().getFileInfo(file).getStoragePolicy();
  }
}
