// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.thermocline.hints.Hint;
import io.thermocline.hints.Operation;
import io.thermocline.hints.Source;
import io.thermocline.hints.Temperature;
import io.thermocline.hints.cli.StoragePolicies;
import io.thermocline.hints.client.HintAnswer;
import io.thermocline.hints.client.HintClient;
import io.thermocline.hints.client.HintClientSettings;
import io.thermocline.hints.client.ServiceClient;
import io.thermocline.hints.client.ServiceException;
import io.thermocline.hints.fs.HintingFileSystem;
import io.thermocline.hints.fs.HintingFs;
import io.thermocline.hints.wire.HintError;
import io.thermocline.hints.wire.HintJson;
import io.thermocline.hints.wire.HintWire;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.ClusterLayout;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.testbed.process.Reaper;
import io.thermocline.testbed.process.UnresolvedHadoopException;
import io.thermocline.tiering.api.ErrorCode;
import io.thermocline.tiering.api.Role;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The client's classes against a service that is a process of its own and knows who asks by
 * tokens.
 */
@Tag("cluster")
class HintingClientTest {
  private static final String FILE = "/jobs/out/part-0";

  @TempDir static Path temp;

  private static ServedCluster cluster;
  private static ServiceProcess service;
  private static String address;
  private static Callers callers;

  @BeforeAll
  static void start() throws Exception {
    cluster =
        ServedCluster.start(
            temp,
            List.of(StorageType.DISK, StorageType.SSD),
            4,
            ServedCluster.actsForCallers(ServiceProcess.USER));
    org.apache.hadoop.fs.Path jobs = new org.apache.hadoop.fs.Path("/jobs");
    cluster.superuser().mkdirs(jobs);
    cluster.superuser().setOwner(jobs, "alice", null);
    callers =
        new Callers(
            temp, Map.of("alice", Role.VIEWER, "mallory", Role.VIEWER, "olga", Role.OPERATOR));
    Path directory = Files.createDirectories(temp.resolve("service"));
    Path config = callers.known(cluster.setup("/jobs").apply()).write(directory);
    service = ServiceProcess.start(directory, config).logs("plan 1: ");
    address = service.address();
  }

  @AfterAll
  static void stop() throws Exception {
    try {
      if (service != null) {
        service.terminate();
      }
    } finally {
      if (service != null) {
        service.close();
      }
      if (cluster != null) {
        cluster.close();
      }
    }
  }

  /** What a client's host has in its configuration. */
  private static Map<String, String> site(String user) throws IOException {
    String blockSize = Long.toString(ClusterLayout.DEMO_BLOCK_SIZE);
    return Map.of(
        "fs.defaultFS",
        cluster.superuser().getUri().toString(),
        // Its DataNodes are small, and formats reserve as much as a block is said to have.
        "dfs.blocksize",
        blockSize,
        "parquet.block.size",
        blockSize,
        "hbase.regionserver.hlog.blocksize",
        blockSize,
        "fs.hdfs.impl",
        HintingFileSystem.class.getName(),
        "fs.AbstractFileSystem.hdfs.impl",
        HintingFs.class.getName(),
        "thermocline.hints.service",
        address,
        "thermocline.hints.token.file",
        callers.file(user).toString());
  }

  @Test
  void whatAnApplicationSaysReachesTheService() throws Exception {
    fileSystem();
    background();
    answers();
    assertNotNull(
        cluster
            .superuser()
            .getXAttrs(new org.apache.hadoop.fs.Path(FILE))
            .get(HintWire.attributeOf(Operation.REDIRECT)));
  }

  /**
   * Output is hinted by the name that it has once it is committed, whichever way the job
   * commits.
   */
  @Test
  void mapReduce() throws Exception {
    Map<String, String> site = new HashMap<>(site("alice"));
    site.put("thermocline.hints.rules", "out");
    site.put("thermocline.hints.rule.out.path", "/jobs/mapreduce/**");
    site.put("thermocline.hints.rule.out.pattern", "write-intensive");
    site.put("thermocline.hints.rule.out.stream", "${mapreduce.job.name}");
    run("mapreduce", "MapReduceJob", site);
    for (String out : List.of("out-1/part-r-00000", "out-2/part-r-00000", "context/part")) {
      String path = "/jobs/mapreduce/" + out;
      assertEquals("ONE_SSD", policy(path), path);
    }
    for (String out : List.of("out-1/part-r-00000", "out-2/part-r-00000")) {
      String path = "/jobs/mapreduce/" + out;
      Eventually.holds("hinted: " + path, () -> hinted(path).contains("REDIRECT"));
    }
    assertEquals("cold\t1\nhot\t1\nwarm\t3\n", content("/jobs/mapreduce/out-1/part-r-00000"));
  }

  @Test
  void spark() throws Exception {
    onDemand("spark");
    Map<String, String> site = new HashMap<>(site("alice"));
    site.put("thermocline.hints.rules", "table,checkpoint,stream");
    site.put("thermocline.hints.rule.table.path", "/jobs/spark/table/**");
    site.put("thermocline.hints.rule.table.requirement", "low-latency");
    site.put("thermocline.hints.rule.table.scope", "directory");
    site.put("thermocline.hints.rule.checkpoint.path", "/jobs/spark/checkpoint/**");
    site.put("thermocline.hints.rule.checkpoint.requirement", "low-latency");
    site.put("thermocline.hints.rule.stream.path", "/jobs/spark/stream/*");
    site.put("thermocline.hints.rule.stream.requirement", "low-latency");
    run("spark", "SparkJob", site);
    // Partitions are directories, which a job commits whole.
    Eventually.holds("table", () -> hinted("/jobs/spark/table").contains("REDIRECT"));
    // Written through FileContext.
    assertEquals("ONE_SSD", policy("/jobs/spark/checkpoint/offsets/0"));
    Eventually.holds(
        "checkpoint", () -> hinted("/jobs/spark/checkpoint/offsets/0").contains("REDIRECT"));
    Eventually.holds("stream", () -> hintsBelow("/jobs/spark/stream/") > 0);
  }

  @Test
  void hbase() throws Exception {
    onDemand("hbase");
    Map<String, String> site = new HashMap<>(site("alice"));
    site.put("thermocline.hints.rules", "wal,files");
    site.put("thermocline.hints.rule.wal.path", "/jobs/hbase/WALs/**");
    site.put("thermocline.hints.rule.wal.pattern", "write-intensive");
    site.put("thermocline.hints.rule.wal.scope", "directory");
    site.put("thermocline.hints.rule.files.path", "/jobs/hbase/data/default/**/f/*");
    site.put("thermocline.hints.rule.files.requirement", "low-latency");
    run("hbase", "HBaseJob", site);
    Eventually.holds("files", () -> hintsBelow("/jobs/hbase/data/default/") > 0);
    Eventually.holds("log", () -> hintsBelow("/jobs/hbase/WALs") > 0);
  }

  @Test
  void hive() throws Exception {
    onDemand("hive");
    Map<String, String> site = new HashMap<>(site("alice"));
    site.put("orc.block.size", site.get("dfs.blocksize"));
    site.put("thermocline.hints.rules", "table");
    site.put("thermocline.hints.rule.table.path", "/jobs/hive/warehouse/words/**");
    site.put("thermocline.hints.rule.table.requirement", "low-latency");
    site.put("thermocline.hints.rule.table.scope", "directory");
    run("hive", "HiveJob", site);
    Eventually.holds("table", () -> hintsBelow("/jobs/hive/warehouse/words") > 0);
  }

  /** The client of python/, as far as the machine has Python. */
  @Test
  void python() throws Exception {
    cluster.write("/jobs/python");
    cluster.superuser().setOwner(new org.apache.hadoop.fs.Path("/jobs/python"), "alice", null);
    String script =
        "import sys, datetime, thermocline_hints as h\n"
            + "c = h.Client(sys.argv[1], token_file=sys.argv[2])\n"
            + "[a] = c.give(h.Hint('pin', '/jobs/python', datetime.timedelta(hours=2)))\n"
            + "c.renew(a.id, datetime.timedelta(hours=3))\n"
            + "print([x['op'] for x in c.hints(path='/jobs/python')], list(c.due()))\n"
            + "c.take_back(a.id)\n"
            + "try:\n  c.renew(a.id, datetime.timedelta(hours=3))\n"
            + "except h.ServiceError as e:\n  print(e.code)\n";
    ProcessBuilder builder =
        new ProcessBuilder(
            "python3", "-B", "-c", script, address, callers.file("alice").toString());
    builder
        .environment()
        .put("PYTHONPATH", ServiceSetup.CONF.resolveSibling("python/src").toString());
    Process process;
    try {
      process = Reaper.watch(builder.redirectErrorStream(true).start());
    } catch (IOException e) {
      assumeTrue(false, "there is no python3: " + e.getMessage());
      return;
    }
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals("['PIN'] []\nNO_SUCH_HINT\n", said);
  }

  /** Some hundred megabytes of jars, and a minute each. */
  private static void onDemand(String name) {
    assumeTrue(
        System.getProperty("jobs", "").contains(name),
        "-Djobs=" + name + " fetches what it runs with, and runs it");
  }

  private static void run(String name, String source, Map<String, String> site) throws Exception {
    PublishedJob job;
    try {
      job = PublishedJob.resolve(name, VersionInfo.getVersion());
    } catch (UnresolvedHadoopException e) {
      assumeTrue(false, e.getMessage());
      return;
    }
    job.run(source, Files.createDirectories(temp.resolve("job-" + name)), site, "/jobs/" + name);
  }

  private static String policy(String path) throws IOException {
    return cluster.superuser().getStoragePolicy(new org.apache.hadoop.fs.Path(path)).getName();
  }

  private static String content(String path) throws IOException {
    try (InputStream in = cluster.superuser().open(new org.apache.hadoop.fs.Path(path))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** The operations of alice's hints on a path. */
  private static List<String> hinted(String path) throws IOException {
    return hints(path).stream()
        .filter(hint -> path.equals(hint.get("path")))
        .map(hint -> hint.get("op").toString())
        .toList();
  }

  private static long hintsBelow(String path) throws IOException {
    return hints(path).stream()
        .filter(hint -> hint.get("path").toString().startsWith(path))
        .count();
  }

  private static List<Map<?, ?>> hints(String path) throws IOException {
    Map<?, ?> page =
        (Map<?, ?>)
            to("alice").get("/hints?limit=500&owner=alice&path=" + ServiceClient.escaped(path));
    List<Map<?, ?>> items = new ArrayList<>();
    ((List<?>) page.get("items")).forEach(item -> items.add((Map<?, ?>) item));
    return items;
  }

  // --- hdfs storagepolicies ---

  @Test
  void storagePolicies() throws Exception {
    cluster.write("/jobs/typed");
    cluster.superuser().setOwner(new org.apache.hadoop.fs.Path("/jobs/typed"), "alice", null);
    cluster.read("/jobs/typed", 3);
    Eventually.holds(
        "it is known",
        // Three reads of three blocks, which cool from then on.
        () -> type("olga", "-heat -path /jobs/typed").matches("(?s)0 heat: (9\\.0|8\\.[0-9]) .*"));
    String heat = type("olga", "-heat -path /jobs/typed");
    assertTrue(heat.contains("\nfastest copy: "), heat);
    assertTrue(type("olga", "-explain -path /jobs/typed").startsWith("0 - "));
    String suggested = type("olga", "-suggest -path /jobs/typed");
    assertTrue(suggested.startsWith("0 "), suggested);

    String taken = type("alice", "-hint -path /jobs/typed -lease 2h -op pin");
    assertTrue(taken.matches("(?s)0 The hint is taken as [0-9]+\\.pin\\.\n"), taken);
    String id = taken.replaceAll("(?s).* as (.*)\\.\n", "$1");
    String listed = type("mallory", "-listHints -path /jobs/typed");
    assertTrue(listed.startsWith("0 " + id + "\tPIN\tFILE /jobs/typed\tby alice\t"), listed);
    String renewed = type("alice", "-renewHint -id " + id + " -lease 3h");
    assertTrue(renewed.startsWith("0 Hint " + id + " holds until "), renewed);
    String others = type("mallory", "-hint -path /jobs/typed -lease 2h -op pin");
    assertTrue(others.startsWith("2 storagepolicies -hint: FORBIDDEN: "), others);
    assertTrue(type("mallory", "-unhint -id " + id).contains("FORBIDDEN"));
    assertEquals("0 Hint " + id + " is taken back.\n", type("alice", "-unhint -path /jobs/typed"));
    assertEquals("0 0 hints\n", type("alice", "-listHints -path /jobs/typed"));
    assertTrue(type("alice", "-unhint -path /jobs/typed").contains("NO_SUCH_HINT"));
    assertTrue(type("alice", "-hint -path /jobs/typed -lease 9999d").contains("BAD_FIELD"));

    assertTrue(type("olga", "-tiering pause -why racks").startsWith("0 pause: "));
    String paused = type("olga", "-tiering status");
    assertTrue(paused.contains("state: PAUSED\n"), paused);
    assertTrue(paused.contains("racks"), paused);
    assertTrue(type("alice", "-tiering resume").contains("FORBIDDEN"));
    assertTrue(type("olga", "-tiering resume").startsWith("0 resume: "));
    assertTrue(type("olga", "-tiering status").contains("state: RUNNING\n"));
  }

  /** What is asked for takes its time, and can be followed until HDFS shows it. */
  @Test
  void anOperationIsATask() throws Exception {
    cluster.write("/jobs/wanted");
    cluster.superuser().setOwner(new org.apache.hadoop.fs.Path("/jobs/wanted"), "alice", null);
    String line = "-hint -path /jobs/wanted -lease 2h -op prefetch";
    assertEquals("0 The hint would be taken.\n", type("alice", line + " -dryRun"));
    assertEquals(List.of(), hinted("/jobs/wanted"));
    String taken = type("alice", line);
    Matcher task = Pattern.compile("; task ([0-9]+) says what comes of it").matcher(taken);
    assertTrue(task.find(), taken);
    Eventually.holds(
        "task " + task.group(1) + " is done",
        () -> "DONE".equals(((Map<?, ?>) to("olga").get("/tasks/" + task.group(1))).get("state")));
    assertTrue(cluster.has("/jobs/wanted", 1, StorageType.SSD));
  }

  /** Nothing is moved before that. */
  @Test
  void anOperationBeginsWhenItIsAskedTo() throws Exception {
    String path = "/jobs/later";
    cluster.write(path);
    cluster.superuser().setOwner(new org.apache.hadoop.fs.Path(path), "alice", null);
    String line = "-hint -path " + path + " -lease 2h -op prefetch ";
    Instant now = Instant.ofEpochSecond(System.currentTimeMillis() / 1000);
    String by = type("alice", line + "-by " + now.plusSeconds(600));
    assertTrue(by.contains(" begins at " + now.plusSeconds(300)), by);
    String late = type("alice", line + "-at " + now.minusSeconds(60));
    assertTrue(late.contains(", which is in the past"), late);

    Instant start = now.plusSeconds(15);
    String taken = type("alice", line + "-at " + start);
    assertTrue(taken.contains(" begins at " + start), taken);
    int looks = 0;
    while (true) {
      boolean isOnDisk = cluster.has(path, 3, StorageType.DISK);
      if (!Instant.ofEpochMilli(System.currentTimeMillis()).isBefore(start)) {
        break;
      }
      assertTrue(isOnDisk, "before " + start);
      looks++;
      Thread.sleep(200);
    }
    assertTrue(looks > 0, "looked in time");
    Eventually.holds("on SSD", () -> cluster.has(path, 1, StorageType.SSD));
  }

  /** The exit status, and what was said. */
  private static String type(String user, String line) throws Exception {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
    Configuration conf = new Configuration();
    site(user).forEach(conf::set);
    int status =
        UserGroupInformation.createRemoteUser(user)
            .doAs(
                (PrivilegedExceptionAction<Integer>)
                    () -> new StoragePolicies(conf, out, out).run(line.split(" ")));
    return status + " " + said.toString(StandardCharsets.UTF_8);
  }

  /** An application that knows nothing of hints. */
  private static void fileSystem() throws Exception {
    Configuration conf = new Configuration(cluster.superuser().getConf());
    site("alice").forEach(conf::set);
    conf.setBoolean("thermocline.hints.strict", true);
    conf.set("thermocline.hints.rules", "out");
    conf.set("thermocline.hints.rule.out.path", "/jobs/out/**");
    conf.set("thermocline.hints.rule.out.requirement", "low-latency");
    conf.set("thermocline.hints.rule.out.stream", "nightly");
    try (FileSystem fs =
        UserGroupInformation.createRemoteUser("alice")
            .doAs(
                (PrivilegedExceptionAction<FileSystem>)
                    () -> FileSystem.newInstance(cluster.superuser().getUri(), conf))) {
      try (OutputStream out = fs.create(new org.apache.hadoop.fs.Path(FILE))) {
        out.write("x".getBytes(StandardCharsets.UTF_8));
      }
      assertEquals(
          "ONE_SSD",
          cluster.superuser().getStoragePolicy(new org.apache.hadoop.fs.Path(FILE)).getName());
    }
    Map<?, ?> shown = hints(FILE).get(0);
    Hint hint = HintJson.fromAnswer(shown);
    assertEquals(Operation.REDIRECT, hint.operation());
    assertEquals(FILE, hint.target());
    assertEquals("nightly", hint.stream());
    assertEquals("alice", hint.owner());
    assertEquals("FILE_SYSTEM", Source.valueOf(shown.get("source").toString()).name());
  }

  /** One that says something in a line. */
  private static void background() throws IOException {
    HintClientSettings settings = HintClientSettings.DEFAULT;
    try (HintClient hints =
        new HintClient(
            callers.client("http://localhost:1," + address, "alice"),
            "alice",
            settings,
            System::currentTimeMillis)) {
      hints.give(
          Hint.onFile(Operation.PREFETCH, FILE).temperature(Temperature.HOT), Duration.ofHours(1));
      hints.give(Hint.onFile(Operation.PREFETCH, "/jobs/none"), Duration.ofHours(1));
      Eventually.holds(
          "both are answered", () -> hints.counts().taken() == 1 && hints.counts().refused() == 1);
      assertTrue(hints.counts().lastProblem().startsWith("NO_SUCH_FILE: "), hints::toString);
    }
  }

  /** One that waits. */
  private static void answers() throws Exception {
    ServiceClient alice = to("alice");
    Hint pin = Hint.onFile(Operation.PIN, FILE).owner("alice").leaseExpiryMillis(3_600_000).build();
    HintAnswer dry = alice.give(List.of(pin), 0, true).get(0);
    assertTrue(dry.isTaken(), dry::toString);
    HintAnswer taken = alice.give(List.of(pin), 0, false).get(0);
    assertTrue(taken.isTaken(), taken::toString);
    String resource = "/hints/" + ServiceClient.escaped(taken.id());
    alice.post(resource + "/renew", Map.of("leaseMillis", 7_200_000));
    ServiceException mallory =
        assertThrows(ServiceException.class, () -> to("mallory").delete(resource));
    assertEquals(HintError.FORBIDDEN, mallory.error());
    alice.delete(resource);
    ServiceException gone = assertThrows(ServiceException.class, () -> alice.get(resource));
    assertEquals(HintError.NO_SUCH_HINT, gone.error());
    ServiceException later =
        assertThrows(ServiceException.class, () -> alice.get("/hints-of-tomorrow"));
    assertEquals(HintError.NO_SUCH_RESOURCE, later.error());
    HintAnswer refused =
        to("mallory")
            .give(
                List.of(
                    Hint.onFile(Operation.PIN, FILE)
                        .owner("mallory")
                        .leaseExpiryMillis(3_600_000)
                        .build()),
                0,
                false)
            .get(0);
    assertFalse(refused.isTaken());
    assertEquals(HintError.FORBIDDEN, refused.error());
  }

  @Test
  void bothSidesKnowTheSameErrors() {
    for (HintError error : HintError.values()) {
      if (error.status() != 0) {
        assertEquals(error.status(), ErrorCode.valueOf(error.name()).status(), error.name());
      }
    }
  }

  private static ServiceClient to(String user) throws IOException {
    return callers.client(address, user);
  }
}
