// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.ClusterLayout;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.tiering.app.TieringService;
import io.thermocline.tiering.commands.SimulateMain;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.config.ServiceConfigFile;
import io.thermocline.tiering.observe.image.ImageFetch;
import io.thermocline.tiering.process.ServiceRuntime;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.PrivilegedExceptionAction;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The service in shadow mode, and the simulator with its log, image and configuration, plan the same files. */
@Tag("cluster")
class SimulatedDecisionsTest {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int FILES = 6;

  private static final int PLANS = 12;
  private static final Duration EVERY = Duration.ofMillis(500);
  private static final Instant BEGIN = Instant.parse("2026-11-20T08:00:00Z");
  private static final DateTimeFormatter LOG_TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,SSS").withZone(ZoneId.systemDefault());

  private static final long SEED = Long.getLong("test.seed", 20261128);

  private static final List<String> CHANGING =
      List.of("a", "b", "c", "d", "e", "f", "g", "h", "scratch/f", "team/a", "team/b", "team/c");

  @TempDir private Path temp;

  @Test
  void theSimulatorNamesTheFilesThatTheServiceNames() throws Exception {
    try (ServedCluster cluster =
        ServedCluster.start(temp, List.of(StorageType.DISK, StorageType.SSD))) {
      for (int file = 0; file < FILES; file++) {
        cluster.write("/data/f" + file);
        cluster.write("/elsewhere/f" + file);
      }
      for (int file = 0; file < FILES; file++) {
        cluster.read("/data/f" + file, 2 * file);
        cluster.read("/elsewhere/f" + file, 2 * file);
      }
      cluster.superuser().rename(path("/data/f5"), path("/data/renamed"));
      cluster.superuser().delete(path("/data/f4"), false);
      Path image = image(cluster);
      Path log = Files.copy(cluster.auditLog(), temp.resolve("hdfs-audit.log"));

      Path free = setup(cluster).write(Files.createDirectories(temp.resolve("free")));
      Path capped =
          setup(cluster)
              .replace("caps: []", "caps: [{path: /data, type: ssd, max: 1300 KB}]")
              .write(Files.createDirectories(temp.resolve("capped")));

      Map<String, String> all = planned(free);
      assertEquals(Set.of("/data/f1", "/data/f2", "/data/f3", "/data/renamed"), all.keySet());
      assertEquals(all, simulated(free, log, image));
      Map<String, String> hottest = planned(capped);
      assertEquals(Set.of("/data/f3", "/data/renamed"), hottest.keySet());
      assertEquals(hottest, simulated(capped, log, image));
    }
  }

  /**
   * The service's own loop plans, on a clock that stands still until what is read in between is in its log: its plans begin
   * when the simulator's do, to the millisecond. Others rename and delete files meanwhile.
   */
  @Test
  void plansInARowAreTheSame() throws Exception {
    try (ServedCluster cluster =
        ServedCluster.start(temp, List.of(StorageType.DISK, StorageType.SSD))) {
      // A rule, a cap, room for six files on SSD and nine moves a plan.
      List<String> narrow =
          row(
              cluster,
              "/narrow",
              setup ->
                  setup
                      .replace("thresholds: learned", "thresholds: fixed")
                      .replace("  moves: 1000", "  moves: 9")
                      .replace(
                          "  SSD: {lowerWatermark: 80 %, upperWatermark: 90 %, threshold: 2, demoteBelow: 0}",
                          "  SSD: {lowerWatermark: 6 %, upperWatermark: 7 %, threshold: 2, demoteBelow: 1}"));
      assertTrue(narrow.stream().anyMatch(file -> file.contains("PROMOTED")), narrow::toString);
      assertTrue(narrow.stream().anyMatch(file -> file.contains("DISPLACED")), narrow::toString);
      assertTrue(narrow.stream().noneMatch(file -> file.contains("/scratch/")), narrow::toString);
      List<String> learned =
          row(cluster, "/learned", setup -> setup.replace("admission: off", "admission: on"));
      assertFalse(learned.isEmpty());
    }
  }

  /** What both of them decide alike for the files of a directory: a line for each file of each plan. */
  private List<String> row(
      ServedCluster cluster, String below, UnaryOperator<ServiceSetup> settings) throws Exception {
    for (String file : CHANGING) {
      cluster.write(below + "/" + file);
    }
    Path directory = Files.createDirectories(temp.resolve("row" + below));
    Path log = directory.resolve("audit.log");
    Path rules =
        Files.writeString(
            directory.resolve("rules.yaml"),
            """
            version: 1
            rules:
              - {name: never on SSD, paths: [BELOW/scratch], atMost: DISK}
            caps:
              - {path: BELOW/team, type: ssd, max: 1300 KB}
            """
                .replace("BELOW", below));
    Path config =
        settings
            .apply(
                cluster
                    .setup(below)
                    .fromTheBeginning()
                    .planEvery(EVERY.toMillis() + "ms")
                    .replace("auditLogs: [" + cluster.auditLog() + "]", "auditLogs: [" + log + "]")
                    .replace("halfLife: 6h", "halfLife: 2s")
                    .replace("# rules: /etc/thermocline/rules.yaml", "rules: " + rules)
                    .replace(
                        "stability: {residency: 30m, flaps: 4, window: 1d}",
                        "stability: {residency: 800ms, flaps: 4, window: 1d}"))
            .write(directory);
    planInARow(cluster, below, config, log);
    Path image = image(cluster);
    List<String> real = new ArrayList<>();
    for (JsonNode file : journaled(journal(config))) {
      Duration at = Duration.between(BEGIN, Instant.parse(file.get("at").asText()));
      real.add(line(at.toMillis() / 1e3, file));
    }
    List<String> virtual = new ArrayList<>();
    double last = EVERY.multipliedBy(PLANS - 1).toMillis() / 1e3;
    for (JsonNode file : simulation(config, log, image).at("/runs/0/planned")) {
      // What comes then is the simulator's last plan, at the log's end.
      if (file.get("at_s").asDouble() <= last) {
        virtual.add(line(file.get("at_s").asDouble(), file));
      }
    }
    assertEquals(
        String.join("\n", real),
        String.join("\n", virtual),
        () -> below + ", seed " + SEED + ", by " + log);
    return real;
  }

  private static String line(double seconds, JsonNode file) {
    return "%.3f s: %s %s"
        .formatted(seconds, file.get("path").asText(), String.join(" ", decided(file)));
  }

  /** Runs the service for so many plans, between which clients read at random. */
  private static void planInARow(ServedCluster cluster, String below, Path config, Path log)
      throws Exception {
    SplittableRandom random = new SplittableRandom(SEED);
    AtomicLong nanos = new AtomicLong();
    AtomicReference<Instant> now = new AtomicReference<>(BEGIN);
    ServiceRuntime runtime =
        new ServiceRuntime(new SetClock(now), nanos::get, pause -> Thread.sleep(pause.toMillis()));
    List<String> files = new ArrayList<>(CHANGING);
    append(log, open(BEGIN, below + "/" + files.get(0)));
    long reads = 1;
    try (TieringService service = start(config, runtime)) {
      Eventually.holds("the first line is read", PATIENCE, () -> service.status().reads() == 1);
      // Where the loop looked before the logs were read, it looks again in a while, of this time
      // too.
      nanos.addAndGet(EVERY.toNanos() - 1);
      planned(service, 1);
      for (int plan = 1; plan < PLANS; plan++) {
        Instant before = now.get();
        now.set(BEGIN.plus(EVERY.multipliedBy(plan)));
        reads += between(cluster, below, log, before, files, plan, random);
        long expected = reads;
        Eventually.holds("the log is read", PATIENCE, () -> service.status().reads() == expected);
        assertEquals(plan, service.status().plans(), "the loop waits for its time");
        nanos.addAndGet(EVERY.toNanos());
        planned(service, plan + 1);
      }
    }
    // So that the simulator comes to the last plan.
    append(log, open(BEGIN.plus(EVERY.multipliedBy(PLANS)), below + "/" + files.get(0)));
  }

  /** Waits until so many plans are made and recorded. */
  private static void planned(TieringService service, int plans) {
    Eventually.holds(
        "plan " + plans,
        PATIENCE,
        () -> {
          // Done between two plans; in shadow mode there is nothing to undo.
          assertThrows(IllegalStateException.class, () -> service.previewUndo(1, 1));
          return service.status().plans() == plans;
        });
    assertThrows(IllegalStateException.class, () -> service.previewUndo(1, 1));
  }

  private static TieringService start(Path config, ServiceRuntime runtime) throws Exception {
    ServiceConfig settings = ServiceConfigFile.read(config);
    return UserGroupInformation.createRemoteUser(ServiceProcess.USER)
        .doAs(
            (PrivilegedExceptionAction<TieringService>)
                () -> TieringService.start(settings, runtime));
  }

  /** How many reads there are in the time to the next plan. */
  private static long between(
      ServedCluster cluster,
      String below,
      Path log,
      Instant from,
      List<String> files,
      int plan,
      SplittableRandom random)
      throws IOException {
    StringBuilder lines = new StringBuilder();
    if (plan == PLANS / 3) {
      cluster.superuser().rename(path(below + "/b"), path(below + "/renamed"));
      lines.append(line(from.plusMillis(1), "rename", below + "/b", below + "/renamed"));
      files.set(files.indexOf("b"), "renamed");
    }
    if (plan == PLANS / 2) {
      cluster.superuser().delete(path(below + "/scratch/f"), false);
      lines.append(line(from.plusMillis(1), "delete", below + "/scratch/f", "null"));
      files.remove("scratch/f");
    }
    int reads = random.nextInt(1, 60);
    // A few files are hot at a time.
    int hot = random.nextInt(files.size());
    long[] times = random.longs(reads, 2, EVERY.toMillis()).sorted().toArray();
    // Of the time of the plan is one, so that nothing seems to come late.
    times[reads - 1] = EVERY.toMillis();
    for (long time : times) {
      int file = random.nextInt(3) == 0 ? random.nextInt(files.size()) : hot + random.nextInt(3);
      lines.append(open(from.plusMillis(time), below + "/" + files.get(file % files.size())));
    }
    append(log, lines);
    return reads;
  }

  private static String open(Instant at, String file) {
    return line(at, "open", file, "null");
  }

  /** As the NameNode logs it. */
  private static String line(Instant at, String command, String from, String to) {
    return "%s INFO FSNamesystem.audit: allowed=true\tugi=alice (auth:SIMPLE)\tip=/127.0.0.1\tcmd=%s\tsrc=%s\tdst=%s\tperm=null\tproto=rpc%n"
        .formatted(LOG_TIME.format(at), command, from, to);
  }

  private static void append(Path log, CharSequence lines) throws IOException {
    Files.writeString(log, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /** The first plan is the only one. */
  private static ServiceSetup setup(ServedCluster cluster) {
    return cluster.setup("/data").fromTheBeginning().planEvery("1h");
  }

  private Path image(ServedCluster cluster) throws IOException {
    DistributedFileSystem superuser = cluster.superuser();
    superuser.setSafeMode(SafeModeAction.ENTER);
    superuser.saveNamespace();
    superuser.setSafeMode(SafeModeAction.LEAVE);
    return new ImageFetch(cluster.web(), new Configuration(), System::nanoTime)
        .fetch(Files.createDirectories(temp.resolve("image")), (bytes, of, left) -> {});
  }

  /** By path, the cause, the target and the bytes of the copies. */
  private static Map<String, String> planned(Path config) throws Exception {
    Path journal = journal(config);
    try (ServiceProcess service = ServiceProcess.start(config.getParent(), config)) {
      Eventually.holds(
          "a plan in shadow mode",
          PATIENCE,
          () -> Files.exists(journal) && Files.readString(journal).contains("\"planned\""));
      // All of a plan is in the journal before its message is shown.
      assertTrue(service.get("/state").path("message").asText().contains(" moves"));
    }
    Map<String, String> files = new TreeMap<>();
    journaled(journal).forEach(file -> add(files, file));
    return files;
  }

  private static Path journal(Path config) {
    return ServiceSetup.journalOf(config.getParent()).resolve("shadow").resolve("journal.jsonl");
  }

  private static List<JsonNode> journaled(Path journal) throws IOException {
    List<JsonNode> files = new ArrayList<>();
    for (String line : Files.readAllLines(journal)) {
      if (line.contains("\"entry\":\"planned\"")) {
        files.add(new ObjectMapper().readTree(line.substring(line.indexOf('{'))));
      }
    }
    return files;
  }

  private static void add(Map<String, String> files, JsonNode file) {
    files.put(file.get("path").asText(), String.join(" ", decided(file)));
  }

  private static List<String> decided(JsonNode file) {
    return List.of(
        file.get("cause").asText(), file.get("target").asText(), file.get("bytes").toString());
  }

  private Map<String, String> simulated(Path config, Path log, Path image) throws IOException {
    Map<String, String> files = new TreeMap<>();
    simulation(config, log, image).at("/runs/0/planned").forEach(file -> add(files, file));
    return files;
  }

  private JsonNode simulation(Path config, Path log, Path image) throws IOException {
    Path cluster =
        Files.writeString(
            temp.resolve("cluster.yaml"),
            """
            racks: 2
            nodesPerRack: 2
            blockSize: %d B
            tiers:
              DISK:
                capacity: 64 MB
                copies: 3
                readMegabytesPerSecond: 100
                writeMegabytesPerSecond: 100
              SSD:
                capacity: 16 MB
                readMegabytesPerSecond: 1000
                writeMegabytesPerSecond: 1000
            """
                .formatted(ClusterLayout.DEMO_BLOCK_SIZE));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream before = System.out;
    int status;
    try {
      System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
      status =
          SimulateMain.line()
              .execute(
                  "--config",
                  config.toString(),
                  "--cluster",
                  cluster.toString(),
                  "--audit-log",
                  log.toString(),
                  "--fsimage",
                  image.toString(),
                  // Of the one that was deleted.
                  "--file-size",
                  "1",
                  "--policies",
                  "ours",
                  "--sizes",
                  "1",
                  "--json");
    } finally {
      System.setOut(before);
    }
    String text = out.toString(StandardCharsets.UTF_8);
    assertEquals(0, status, text);
    return new ObjectMapper().readTree(text);
  }

  /** Shows what it was set to. */
  private static final class SetClock extends Clock {
    private final AtomicReference<Instant> now;

    SetClock(AtomicReference<Instant> now) {
      this.now = now;
    }

    @Override
    public Instant instant() {
      return now.get();
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      throw new UnsupportedOperationException("it shows instants");
    }
  }

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }
}
