// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.launcher.Launched;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.testbed.process.OsUser;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveEntry;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveInfo;
import org.apache.hadoop.hdfs.protocol.CachePoolInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.RollingUpgradeAction;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.io.nativeio.NativeIO;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * The service with all that it can do to a cluster: storage policies and moves, of erasure-coded files too, the cache
 * and replication factors; and nothing else.
 */
@Tag("cluster")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ActionsTest {

  private static final int NODES = 6;
  private static final String[] FILES = {
    "/actions/cached", "/actions/crowded", "/actions/changed", "/actions/coded/file"
  };
  private static final String[] FILES_CACHED = {
    "/actions/cached", "/actions/altered", "/actions/replaced"
  };
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir static Path temp;

  private static NativeIO.POSIX.CacheManipulator manipulator;
  private static ServedCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    // Memory is locked by native code, which isn't here.
    manipulator = NativeIO.POSIX.getCacheManipulator();
    NativeIO.POSIX.setCacheManipulator(new NativeIO.POSIX.NoMlockCacheManipulator());
    cluster =
        ServedCluster.start(
            temp,
            List.of(StorageType.DISK, StorageType.SSD, StorageType.ARCHIVE),
            NODES,
            Map.of(
                DFSConfigKeys.DFS_STORAGE_POLICY_SATISFIER_MODE_KEY,
                HdfsConstants.StoragePolicySatisfierMode.EXTERNAL.toString(),
                DFSConfigKeys.DFS_DATANODE_MAX_LOCKED_MEMORY_KEY,
                Long.toString(8 << 20),
                DFSConfigKeys.DFS_NAMENODE_PATH_BASED_CACHE_REFRESH_INTERVAL_MS,
                "500",
                DFSConfigKeys.DFS_CACHEREPORT_INTERVAL_MSEC_KEY,
                "500"));
  }

  @AfterAll
  static void stop() throws IOException {
    NativeIO.POSIX.setCacheManipulator(manipulator);
    if (cluster != null) {
      try {
        NameNodeCalls.in(cluster.auditLog())
            .areAllOf(
                NameNodeCalls.ALWAYS,
                NameNodeCalls.MARK,
                NameNodeCalls.MOVES,
                NameNodeCalls.NEEDLESS,
                NameNodeCalls.ACTIONS,
                NameNodeCalls.SATISFIER,
                NameNodeCalls.ROLLING_UPGRADE,
                NameNodeCalls.QUOTAS);
      } finally {
        cluster.close();
      }
    }
  }

  @Test
  @Order(1)
  void pullsEachActionTakesItBackAndAsksForNothingElse() throws Exception {
    cluster.write("/actions/cached");
    cluster.write("/actions/altered");
    cluster.write("/actions/replaced");
    cluster.write("/actions/theirs");
    cluster.write("/actions/crowded");
    cluster.write("/actions/changed");
    cluster.write("/actions/kept");
    cluster.write("/actions/undone");
    writeCoded("/actions/coded/file");
    long theirs = cacheOfOthers("/actions/theirs");
    Path directory = Files.createDirectories(temp.resolve("service"));

    Path caching = setup("cache: {maxBytes: 4 MB, copies: 2}").write(directory);
    try (ServiceProcess service = ServiceProcess.start(directory, caching)) {
      service.logs("running in APPLY mode").logs("plan 1: 9 files managed");
      eventually(
          service,
          "in memory, and on SSD",
          () -> {
            for (String file : FILES_CACHED) {
              cluster.read(file, 2);
            }
            cluster.read("/actions/coded/file", 2);
            return ended("CACHED", FILES_CACHED) && lies("/actions/coded/file", StorageType.SSD);
          });
      service.terminate();
    }
    CacheDirectiveEntry ours = directive("/actions/cached");
    assertEquals("thermocline", ours.getInfo().getPool());
    assertEquals(2, ours.getInfo().getReplication().intValue());
    assertTrue(ours.getStats().getBytesNeeded() > 0);
    assertEquals(ours.getStats().getBytesNeeded(), ours.getStats().getBytesCached());
    changeDirectives();
    String said = Explained.by(caching, "/actions/cached", "/actions/coded/file");
    assertTrue(said.contains("action: cached: saves"), said);
    assertTrue(said.contains("action: cache: HDFS caches no erasure-coded files"), said);

    Path replicating = setup("replicas: {max: 5}").write(directory);
    try (ServiceProcess service = ServiceProcess.start(directory, replicating)) {
      service.logs("running in APPLY mode");
      eventually(service, "taken out of memory", () -> ended("UNCACHED", "/actions/cached"));
      assertEquals(null, directive("/actions/cached"));
      assertTrue(directive("/actions/altered") != null, "somebody gave it another end");
      assertTrue(directive("/actions/replaced") != null, "somebody's, though the same as ours");
      crowd(cluster, "/actions/crowded", "/actions/changed", "/actions/kept", "/actions/undone");
      eventually(
          service,
          "more replicas of all",
          () ->
              ended("MORE_COPIES", "/actions/crowded")
                  && ended("MORE_COPIES", "/actions/changed")
                  && ended("MORE_COPIES", "/actions/kept")
                  && ended("MORE_COPIES", "/actions/undone"));
      cluster
          .superuser()
          .setReplication(new org.apache.hadoop.fs.Path("/actions/undone"), (short) 3);
      eventually(
          service,
          "known as somebody's",
          () -> !ServiceSetup.journal(directory, "takenOver", "/actions/undone").isEmpty());
      String stays = Explained.by(replicating, "/actions/undone");
      assertTrue(stays.contains(" set its replication factor at "), stays);
      service.terminate();
    }
    short kept = (short) factor("/actions/kept");
    assertTrue(kept > 3, "ours");
    cluster.superuser().setReplication(new org.apache.hadoop.fs.Path("/actions/kept"), kept);
    assertTrue(replicas("/actions/crowded") > 3, "verified by located blocks");
    cluster
        .superuser()
        .setReplication(new org.apache.hadoop.fs.Path("/actions/changed"), (short) 2);

    Path off = cluster.setup("/actions").apply().replace(STABILITY, STABLE).write(directory);
    try (ServiceProcess service = ServiceProcess.start(directory, off)) {
      service.logs("running in APPLY mode");
      eventually(service, "as before", () -> ended("FEWER_COPIES", "/actions/crowded"));
      eventually(
          service,
          "left alone",
          () ->
              ServiceSetup.journal(directory, "takenOver", "REPLICATION", "/actions/changed").size()
                  == 1);
      service.terminate();
    }
    assertEquals(3, replicas("/actions/crowded"));
    assertEquals(2, factor("/actions/changed"), "somebody else's now");
    assertEquals(3, factor("/actions/undone"), "not raised again");
    assertEquals(kept, factor("/actions/kept"), "the same as ours, and somebody else's now");
    assertTrue(directive("/actions/altered") != null && directive("/actions/replaced") != null);
    assertEquals(theirs, directive("/actions/theirs").getInfo().getId().longValue());
    for (String file : List.of("/actions/cached", "/actions/crowded", "/actions/coded/file")) {
      cluster.read(file, 1);
    }
    NameNodeCalls.in(cluster.auditLog())
        .include(NameNodeCalls.ALWAYS, NameNodeCalls.MOVES, NameNodeCalls.ACTIONS);
  }

  @Test
  @Order(2)
  void undoTakesOutOfMemoryWhatIsStillItsOwn() throws Exception {
    String kept = "/actions/undo/kept";
    String altered = "/actions/undo/altered";
    cluster.write(kept);
    cluster.write(altered);
    Path directory = Files.createDirectories(temp.resolve("service"));
    Path config =
        caching(cluster.setup("/actions/undo").apply(), "cache: {maxBytes: 4 MB, copies: 1}")
            .write(directory);
    Set<String> plans = new TreeSet<>();
    try (ServiceProcess service = ServiceProcess.start(directory, config)) {
      service.logs("running in APPLY mode");
      Eventually.holds(
          "both in memory, by " + service,
          PATIENCE,
          () -> {
            cluster.read(kept, 2);
            cluster.read(altered, 2);
            return isInMemory(kept) && isInMemory(altered);
          });
      service.terminate();
    }
    for (String line :
        ServiceSetup.journal(directory, "\"planned\"", "\"CACHED\"", "/actions/undo/")) {
      plans.add(line.replaceFirst(".*\"plan\":(\\d+).*", "$1"));
    }
    cluster
        .superuser()
        .modifyCacheDirective(
            new CacheDirectiveInfo.Builder()
                .setId(directive(altered).getInfo().getId())
                .setExpiration(CacheDirectiveInfo.Expiration.newRelative(3_600_000))
                .build());

    List<String> said = new ArrayList<>();
    for (String plan : plans) {
      Launched undo =
          Launched.installedBehind(
              OsUser.ordinaryOwning(directory),
              directory,
              ServiceProcess.USER,
              List.of("undo", "--config", config.toString(), "--yes", plan));
      said.add(undo.status() + ": " + undo.out() + undo.err());
    }
    String all = String.join("\n", said);
    assertNull(directive(kept), all);
    assertNotNull(directive(altered), all);
    assertTrue(
        all.contains(altered + ": left as it is: somebody changed its cache directive since"), all);
    assertTrue(all.contains("3: "), "as an exit code: " + all);
  }

  /** It isn't there, so nothing moves: what counts is what it and the NameNode are asked. */
  @Test
  @Order(3)
  void asksTheSatisfierLooksAtQuotasAndWaitsForAnUpgrade() throws Exception {
    cluster.write("/satisfied/file");
    cluster
        .superuser()
        .setQuotaByStorageType(
            new org.apache.hadoop.fs.Path("/satisfied"),
            org.apache.hadoop.fs.StorageType.SSD,
            1L << 30);
    Path directory = Files.createDirectories(temp.resolve("satisfier"));
    Path config =
        cluster
            .setup("/satisfied")
            .apply()
            .yields("rpcQueue: 10s, foreground: 0, lookEvery: 200ms")
            .replace("backEnd: directed", "backEnd: satisfier")
            .replace("verifyWithin: 5m", "verifyWithin: 1s")
            .write(directory);
    NameNodeCalls calls = NameNodeCalls.in(cluster.auditLog());
    try (ServiceProcess service = ServiceProcess.start(directory, config)) {
      service.logs("running in APPLY mode");
      Eventually.holds(
          "asked for, and given up, by " + service,
          PATIENCE,
          () -> {
            cluster.read("/satisfied/file", 2);
            return !ServiceSetup.journal(directory, "has not moved it within").isEmpty();
          });
      calls.include(NameNodeCalls.SATISFIER, NameNodeCalls.QUOTAS);
      DistributedFileSystem hdfs = cluster.superuser();
      hdfs.setSafeMode(SafeModeAction.ENTER);
      hdfs.rollingUpgrade(RollingUpgradeAction.PREPARE);
      hdfs.setSafeMode(SafeModeAction.LEAVE);
      service.logs("held: ", "upgrade");
      hdfs.rollingUpgrade(RollingUpgradeAction.FINALIZE);
      service.logs("nothing in the cluster hinders moves");
      service.terminate();
    }
    calls.include(NameNodeCalls.ROLLING_UPGRADE);
  }

  static final String STABILITY =
      "stability: {residency: 30m, flaps: 4, window: 1d}\n  takenBackFactor: 4";

  /** What somebody took back stays so, also where a busy machine counts its readers only afterwards. */
  static final String STABLE =
      "stability: {residency: 0s, flaps: 100, window: 1d}\n  takenBackFactor: 1000";

  private ServiceSetup setup(String action) {
    ServiceSetup setup = cluster.setup("/actions").apply().checkpointEvery("1s");
    return action.startsWith("cache") ? caching(setup, action) : replicating(setup, action);
  }

  static ServiceSetup caching(ServiceSetup setup, String action) {
    return setup
        .replace(STABILITY, STABLE)
        .replace("# actions:", "actions:")
        .replace(
            "  # cache: {maxBytes: 10 GB, pool: thermocline, copies: 1, ttl: 1d, threshold: 4, read: 4"
                + " GB}",
            "  " + action);
  }

  /** Disks so slow that readers who come within seconds wait for each other, and SSD for nothing new. */
  static ServiceSetup replicating(ServiceSetup setup, String action) {
    return setup
        .replace(STABILITY, STABLE)
        .replace("# actions:", "actions:")
        .replace("  # replicas: {max: 6}", "  " + action)
        .replace(
            "    DISK: {read: 150 MB, write: 140 MB, latencyMillis: 8}",
            "    DISK: {read: 50 KB, write: 140 MB, latencyMillis: 8}")
        .replace(
            "  SSD: {lowerWatermark: 80 %, upperWatermark: 90 %, threshold: 2, demoteBelow: 0}",
            "  SSD: {lowerWatermark: 80 %, upperWatermark: 90 %, threshold: 10000, demoteBelow:"
                + " 0}");
  }

  /** Another superuser's doing, in the service's own pool. */
  private static void changeDirectives() throws IOException {
    DistributedFileSystem hdfs = cluster.superuser();
    hdfs.modifyCacheDirective(
        new CacheDirectiveInfo.Builder()
            .setId(directive("/actions/altered").getInfo().getId())
            .setExpiration(CacheDirectiveInfo.Expiration.newRelative(3_600_000))
            .build());
    hdfs.removeCacheDirective(directive("/actions/replaced").getInfo().getId());
    hdfs.addCacheDirective(
        new CacheDirectiveInfo.Builder()
            .setPool("thermocline")
            .setPath(new org.apache.hadoop.fs.Path("/actions/replaced"))
            .setReplication((short) 2)
            .build());
  }

  private static boolean isInMemory(String path) throws IOException {
    CacheDirectiveEntry found = directive(path);
    return found != null
        && found.getStats().getBytesNeeded() > 0
        && found.getStats().getBytesNeeded() == found.getStats().getBytesCached();
  }

  private boolean ended(String cause, String... paths) throws IOException {
    boolean all = true;
    for (String path : paths) {
      all &= ended(cause, path);
    }
    return all;
  }

  private boolean ended(String cause, String path) throws IOException {
    List<String> lines =
        ServiceSetup.journal(
            temp.resolve("service"),
            "\"entry\":\"lever\"",
            "\"" + cause + "\"",
            "\"" + path + "\"");
    lines.forEach(line -> assertTrue(line.contains("\"failure\":\"\""), line));
    return !lines.isEmpty();
  }

  /** Fails with what the service said and its journal. */
  private static void eventually(ServiceProcess service, String what, Callable<Boolean> condition)
      throws IOException, InterruptedException {
    try {
      Eventually.holds(what, PATIENCE, condition);
    } catch (AssertionError e) {
      List<String> journal = ServiceSetup.journal(temp.resolve("service"));
      String said = Explained.by(temp.resolve("service/thermocline.yaml"), FILES);
      throw new AssertionError(service + String.join("\n", journal) + "\n" + said, e);
    }
  }

  /** Two crowds of six readers, apart by more than a read takes on the slow disk. */
  static void crowd(ServedCluster cluster, String... paths) throws Exception {
    for (int crowd = 0; crowd < 2; crowd++) {
      for (String path : paths) {
        cluster.read(path, 6);
      }
      if (crowd == 0) {
        Thread.sleep(CROWDS_APART_MILLIS);
      }
    }
  }

  /** More than a file takes at 50 KB a second. */
  private static final long CROWDS_APART_MILLIS = 1000L * ServedCluster.FILE_BYTES / 50_000;

  private static void writeCoded(String file) throws IOException {
    DistributedFileSystem hdfs = cluster.superuser();
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(file);
    hdfs.mkdirs(path.getParent());
    hdfs.enableErasureCodingPolicy("RS-3-2-1024k");
    hdfs.setErasureCodingPolicy(path.getParent(), "RS-3-2-1024k");
    try (OutputStream out = hdfs.createFile(path).blockSize(1 << 20).build()) {
      out.write(ServedCluster.content(file));
    }
  }

  private static long cacheOfOthers(String path) throws IOException {
    cluster.superuser().addCachePool(new CachePoolInfo("theirs").setGroupName("theirs"));
    return cluster
        .superuser()
        .addCacheDirective(
            new CacheDirectiveInfo.Builder()
                .setPool("theirs")
                .setPath(new org.apache.hadoop.fs.Path(path))
                .build());
  }

  private static CacheDirectiveEntry directive(String path) throws IOException {
    RemoteIterator<CacheDirectiveEntry> found =
        cluster
            .superuser()
            .listCacheDirectives(
                new CacheDirectiveInfo.Builder()
                    .setPath(new org.apache.hadoop.fs.Path(path))
                    .build());
    return found.hasNext() ? found.next() : null;
  }

  private static List<LocatedBlock> blocks(String path) throws IOException {
    return cluster
        .superuser()
        .getClient()
        .getLocatedFileInfo(path, false)
        .getLocatedBlocks()
        .getLocatedBlocks();
  }

  private static boolean lies(String path, StorageType type) throws IOException {
    for (LocatedBlock block : blocks(path)) {
      for (org.apache.hadoop.fs.StorageType found : block.getStorageTypes()) {
        if (!found.name().equals(type.name())) {
          return false;
        }
      }
    }
    return true;
  }

  /** Of the block that has the fewest. */
  private static int replicas(String path) throws IOException {
    return blocks(path).stream().mapToInt(block -> block.getLocations().length).min().orElseThrow();
  }

  private static int factor(String path) throws IOException {
    return cluster.superuser().getFileStatus(new org.apache.hadoop.fs.Path(path)).getReplication();
  }
}
