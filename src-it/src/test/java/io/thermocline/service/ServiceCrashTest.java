// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.io.nativeio.NativeIO;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A service that dies before or after it records something, and the one that comes after it. By default at those points that
 * differ most; at all of them with {@code -Dcrash.points=all}, at some with {@code -Dcrash.points=COPIED,undo}. One is killed
 * at a random moment while moves are open, so many with {@code -Dcrash.random=60}.
 */
@Tag("cluster")
class ServiceCrashTest {

  private static final Map<String, Way> SOME =
      Map.of("policy", Way.MOVE, "COPYING", Way.MOVE, "COPIED", Way.MOVE);

  /** How the service comes to each of the points. */
  private enum Way {
    MOVE("planned", "policy", "COPYING", "COPIED", "VISIBLE", "VERIFIED", "planEnded"),
    /** After a crash that left a copy that was recorded and never asked for. */
    RECOVER("FAILED", "recovered"),
    /** After the same, the file is gone. */
    VANISH("OBSOLETE"),
    /** After a crash that left a policy and no copy. */
    PUT_BACK("policy"),
    STOP("CANCELLED"),
    UNDO("undo", "takenOver"),
    CACHE("cache", "cacheDirective", "lever"),
    REPLICATE("replication");

    private final List<String> points;

    Way(String... points) {
      this.points = List.of(points);
    }
  }

  @TempDir static Path temp;

  private static NativeIO.POSIX.CacheManipulator manipulator;
  private static ServedCluster cluster;
  private static int runs;

  @BeforeAll
  static void start() throws IOException {
    // Memory is locked by native code, which isn't here.
    manipulator = NativeIO.POSIX.getCacheManipulator();
    NativeIO.POSIX.setCacheManipulator(new NativeIO.POSIX.NoMlockCacheManipulator());
    cluster =
        ServedCluster.start(
            temp,
            // Copies go from node to node: HDFS shows them before their sources are gone.
            i -> List.of(i < 4 ? StorageType.DISK : StorageType.SSD),
            7,
            Map.of(
                DFSConfigKeys.DFS_DATANODE_MAX_LOCKED_MEMORY_KEY,
                Long.toString(8 << 20),
                DFSConfigKeys.DFS_NAMENODE_PATH_BASED_CACHE_REFRESH_INTERVAL_MS,
                "500",
                DFSConfigKeys.DFS_CACHEREPORT_INTERVAL_MSEC_KEY,
                "500"));
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
    NativeIO.POSIX.setCacheManipulator(manipulator);
  }

  @Test
  void theNextServiceFinishesOrReportsWhatWasUnderWay() throws Exception {
    String asked = System.getProperty("crash.points", "");
    Map<Way, List<String>> points = new EnumMap<>(Way.class);
    for (Way way : Way.values()) {
      way.points.stream()
          .filter(
              point ->
                  asked.isEmpty()
                      ? SOME.get(point) == way
                      : asked.equals("all") || Set.of(asked.split(",")).contains(point))
          .flatMap(point -> Stream.of(point + ".unrecorded", point + ".recorded"))
          .filter(point -> !asked.isEmpty() || !point.matches("(COPYING|policy).unrecorded"))
          .filter(point -> !asked.isEmpty() || !point.equals("COPIED.recorded"))
          .forEach(point -> points.computeIfAbsent(way, first -> new ArrayList<>()).add(point));
    }
    List<AssertionError> failures = new ArrayList<>();
    for (Map.Entry<Way, List<String>> entry : points.entrySet()) {
      for (String point : entry.getValue()) {
        long begun = System.nanoTime();
        String end = "fine";
        try {
          crashAndReturn(entry.getKey(), point);
        } catch (AssertionError e) {
          failures.add(e);
          end = "not fine";
        }
        System.out.printf(
            "{\"crash\":\"%s\",\"way\":\"%s\",\"end\":\"%s\",\"seconds\":%.0f}%n",
            point, entry.getKey(), end, (System.nanoTime() - begun) / 1e9);
      }
    }
    if (!failures.isEmpty()) {
      failures.subList(1, failures.size()).forEach(failures.get(0)::addSuppressed);
      throw failures.get(0);
    }
  }

  @Test
  void theNextServiceFinishesWheneverThisOneIsKilled() throws Exception {
    SplittableRandom random = new SplittableRandom(Long.getLong("test.seed", 20261122));
    int deaths = Integer.getInteger("crash.random", 1);
    int open = 0;
    for (int death = 0; death < deaths; death++) {
      String managed = "/killed" + death;
      List<String> files = List.of(managed + "/hot", managed + "/warm", managed + "/other");
      for (String file : files) {
        cluster.write(file);
      }
      Path directory = Files.createDirectories(temp.resolve(managed.substring(1)));
      Path config = setup(Way.MOVE, managed).write(directory);
      freeMutex();
      try (ServiceProcess service = ServiceProcess.start(directory, config)) {
        service.logs("running in APPLY mode");
        Eventually.holds(
            "the first copy",
            () -> {
              for (String file : files) {
                cluster.read(file, 1);
              }
              return !ServiceSetup.journal(directory, "\"COPYING\"").isEmpty();
            });
        TimeUnit.MILLISECONDS.sleep(random.nextInt(500));
        // Closed without a word: SIGKILL.
      }
      int left;
      try (Journal journal = Journal.read(ServiceSetup.journalOf(directory))) {
        left = journal.open().size();
      }
      open += left > 0 ? 1 : 0;
      freeMutex();
      finish(Way.MOVE, "killed", directory, config, files.get(0));
      check("killed " + death, directory);
      // Else SSD is full after twenty.
      cluster.superuser().delete(new org.apache.hadoop.fs.Path(managed), true);
      System.out.printf("{\"killed\":%d,\"open_moves\":%d,\"end\":\"fine\"}%n", death, left);
    }
    assertTrue(deaths < 10 || open > deaths / 2, open + " of " + deaths + " met a move");
  }

  /** What stands in {@code Way} against what the service records. */
  @Test
  void everyPointOfTheServiceIsAmongThem() throws IOException {
    Path app =
        Path.of(System.getProperty("project.root", ".."))
            .resolve("tiering-service/src/main/java/io/thermocline/tiering/app");
    // Those of moves by the name of the state; a move that waits isn't recorded.
    Set<String> there =
        new TreeSet<>(
            Set.of("COPYING", "COPIED", "VISIBLE", "VERIFIED", "FAILED", "OBSOLETE", "CANCELLED"));
    Pattern named = Pattern.compile("recorder\\s*\\.(before|after)\\(\\s*\"(\\w+)\"");
    try (Stream<Path> files = Files.walk(app)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Matcher matcher = named.matcher(Files.readString(file));
        while (matcher.find()) {
          // ServiceGroupsTest has those of groups.
          if (!matcher.group(2).startsWith("group")) {
            there.add(matcher.group(2));
          }
        }
      }
    }
    Set<String> tested = new TreeSet<>();
    Stream.of(Way.values()).forEach(way -> tested.addAll(way.points));
    assertEquals(there, tested);
  }

  private static void crashAndReturn(Way way, String point) throws Exception {
    String managed = "/crash" + runs++;
    String file = managed + "/hot";
    cluster.write(file);
    Path directory = Files.createDirectories(temp.resolve(managed.substring(1)));
    Path config = setup(way, managed).write(directory);
    CrashingService.Work reads = reads(way, file);
    switch (way) {
      case RECOVER, VANISH ->
          dies(directory, config, "COPYING.recorded", CrashingService.Asked.NOTHING, reads);
      case PUT_BACK ->
          dies(directory, config, "COPYING.unrecorded", CrashingService.Asked.NOTHING, reads);
      default -> {}
    }
    if (way == Way.VANISH) {
      cluster.superuser().delete(new org.apache.hadoop.fs.Path(file), false);
      cluster.write(managed + "/other");
      file = managed + "/other";
      reads = reads(way, file);
    }
    CrashingService.Asked asked =
        switch (way) {
          case STOP -> CrashingService.Asked.STOP;
          case UNDO -> CrashingService.Asked.UNDO;
          default -> CrashingService.Asked.NOTHING;
        };
    dies(directory, config, point, asked, reads);
    finish(way, point, directory, config, file);
    check(point, directory);
  }

  private static ServiceSetup setup(Way way, String managed) {
    ServiceSetup setup =
        cluster.setup(managed).apply().replace("verifyWithin: 5m", "verifyWithin: 15s");
    return switch (way) {
      case CACHE -> ActionsTest.caching(setup, "cache: {maxBytes: 40 MB, copies: 2}");
      case REPLICATE -> ActionsTest.replicating(setup, "replicas: {max: 5}");
      default -> setup;
    };
  }

  private static CrashingService.Work reads(Way way, String file) {
    return () -> {
      if (way == Way.REPLICATE) {
        ActionsTest.crowd(cluster, file);
      } else {
        cluster.read(file, 3);
      }
    };
  }

  private static void dies(
      Path directory,
      Path config,
      String point,
      CrashingService.Asked asked,
      CrashingService.Work reads)
      throws Exception {
    // Also of one that a point before left behind, which would fail this one too.
    freeMutex();
    CrashingService.dies(directory, config, point, asked, reads);
    freeMutex();
  }

  /** HDFS by itself lets go of the mutex of one that was killed after a minute. */
  private static void freeMutex() throws IOException {
    DistributedFileSystem hdfs = cluster.superuser();
    org.apache.hadoop.fs.Path mutex = new org.apache.hadoop.fs.Path("/system/thermocline/mover.id");
    Eventually.holds("the mutex is free", () -> !hdfs.exists(mutex) || hdfs.recoverLease(mutex));
  }

  private static void finish(Way way, String point, Path directory, Path config, String file)
      throws Exception {
    try (ServiceProcess service = ServiceProcess.start(directory, config)) {
      service.logs("running in APPLY mode");
      Eventually.holds(
          way + " " + point + ": all is at its end, " + service,
          Duration.ofMinutes(3),
          () -> {
            assertTrue(service.toString().isEmpty() || !service.has("planning failed"));
            reads(way, file).run();
            return isDone(way, file) && isSettled(directory);
          });
      service.terminate();
    }
  }

  private static boolean isDone(Way way, String file) throws IOException {
    return switch (way) {
      // What was taken back stays down for a while; where nothing was recorded of it, all stays up.
      case UNDO -> cluster.has(file, 0, StorageType.SSD) || cluster.has(file, 1, StorageType.SSD);
      case CACHE, REPLICATE -> true;
      default -> cluster.has(file, 1, StorageType.SSD);
    };
  }

  private static boolean isSettled(Path directory) throws IOException {
    try (Journal journal = Journal.read(ServiceSetup.journalOf(directory))) {
      return journal.open().isEmpty() && journal.unfinished().isEmpty();
    }
  }

  /** Each move has one end, and no copy was made twice to where it still is. */
  private static void check(String point, Path directory) throws IOException {
    Map<String, String> ends = new HashMap<>();
    Map<String, Integer> copies = new HashMap<>();
    List<JournalEntry> entries = new ArrayList<>();
    try (Journal journal = Journal.read(ServiceSetup.journalOf(directory))) {
      journal.history(entries::add);
    }
    for (JournalEntry entry : entries) {
      if (entry instanceof JournalEntry.Moved moved && moved.isFinal()) {
        assertEquals(null, ends.put(moved.move(), moved.state()), () -> point + ": " + moved);
        if (moved.state().equals("VERIFIED")) {
          copies.merge(moved.block() + " to " + moved.to(), 1, Integer::sum);
        }
      }
    }
    copies.forEach((copy, times) -> assertEquals(1, times, point + ": " + copy));
  }
}
