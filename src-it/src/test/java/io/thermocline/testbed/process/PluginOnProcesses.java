// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.thermocline.placement.hdfs.ThermoclinePlacementPolicy;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The placement policy in a real NameNode with real DataNodes and tools, all of them processes of their
 * own: two DataNodes on each of three racks. Each test leaves the cluster whole. The same for each
 * Hadoop line; a class for each, so that reports tell them apart.
 */
@Tag("cluster")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PluginOnProcesses {

  private static final String OURS = ThermoclinePlacementPolicy.class.getName();
  private static final String STOCK =
      "org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault";
  private static final String POLICY_KEY = "dfs.block.replicator.classname";
  private static final String SHELL = "org.apache.hadoop.fs.FsShell";
  private static final String FSCK = "org.apache.hadoop.hdfs.tools.DFSck";
  private static final String BALANCER = "org.apache.hadoop.hdfs.server.balancer.Balancer";
  private static final List<StorageType> TYPES =
      List.of(StorageType.DISK, StorageType.SSD, StorageType.ARCHIVE);
  private static final long CAPACITY = 256L << 20;

  private final String version;
  private ProcessCluster cluster;
  private StoredFiles files;
  private String unresolved;
  private boolean limited;
  private long startNanos;

  @TempDir Path temp;

  PluginOnProcesses(String version) {
    this.version = version;
  }

  @BeforeAll
  void start() throws IOException {
    startNanos = System.nanoTime();
    try {
      ProcessCluster.Builder builder =
          ProcessCluster.builder(HadoopLine.resolve(version, TestLines.DIRECTORY))
              .plugin(ProcessCluster.codeOf(ThermoclinePlacementPolicy.class))
              .setting(POLICY_KEY, OURS)
              .keepLogs(TestLines.logs(version))
              .capacity(CAPACITY);
      for (int i = 1; i <= 6; i++) {
        builder.node(new ProcessNode("dn" + i, "rack" + (i + 1) / 2, TYPES));
      }
      limited = builder.limitsCapacity();
      cluster = builder.start();
      files = new StoredFiles(cluster);
      say(version + " is up");
    } catch (UnresolvedHadoopException e) {
      unresolved = e.getMessage();
    }
  }

  @AfterAll
  void stop() throws IOException {
    if (cluster != null) {
      Map<String, Long> memory = new TreeMap<>();
      cluster.residentBytes().forEach((name, bytes) -> memory.put(name, bytes >> 20));
      say(version + " is done; MiB of memory: " + memory);
      cluster.close();
      assertFalse(Files.exists(cluster.directory()), "the cluster's directory is gone");
    }
  }

  @BeforeEach
  void resolved() {
    assumeTrue(unresolved == null, unresolved);
  }

  @Test
  void theJarIsInForceAndPlacesByStoragePolicy() throws IOException {
    NameNodeView.Probe probe = cluster.nameNode().probe();
    assertEquals(version, probe.hadoopVersion());
    assertEquals(OURS, probe.policyClass());
    assertEquals(
        ThermoclinePlacementPolicy.class
            .getProtectionDomain()
            .getCodeSource()
            .getLocation()
            .toString(),
        probe.policySource(),
        "loaded from where it was built");

    long before = drawn();
    Map<String, String> expected =
        Map.of(
            "HOT", "[DISK, DISK, DISK]",
            "WARM", "[ARCHIVE, ARCHIVE, DISK]",
            "COLD", "[ARCHIVE, ARCHIVE, ARCHIVE]",
            "ONE_SSD", "[DISK, DISK, SSD]",
            "ALL_SSD", "[SSD, SSD, SSD]");
    for (Map.Entry<String, String> entry : expected.entrySet()) {
      for (String path : files.writeUnder("/placed/" + entry.getKey(), entry.getKey(), 5, 3)) {
        files.awaitReplicas(path, 3);
        assertEquals(Set.of(entry.getValue()), Set.copyOf(files.types(path)), path);
        files.assertSpread(path);
        files.check(path);
      }
    }
    // Of 50 blocks, whose first replica mostly is the writer's own choice, most of the others.
    long drawn = drawn() - before;
    assertTrue(drawn >= 80, () -> drawn + " were drawn: " + counters());
    assertEquals(0, counted("PLACEMENT_FAILED"));
    assertEquals(0, counted("REFRESH_FAILED"));
  }

  /** The cluster of the other tests doesn't say what was there before, as one of before the key. */
  @Test
  void aNameNodeWhoseOldPolicyCannotBeReplacedDoesNotStart() throws Exception {
    String replaces = "thermocline.placement.replaces";
    assertEquals(1, counted("REPLACED_UNKNOWN"));
    String log = Files.readString(cluster.directory().resolve("logs/namenode.log"));
    assertTrue(log.contains(replaces + " isn't set"), log);
    String old =
        "org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyRackFaultTolerant";
    ProcessCluster.Builder refused =
        HeldCluster.start(version, temp)
            .plugin(ProcessCluster.codeOf(ThermoclinePlacementPolicy.class))
            .setting(POLICY_KEY, OURS)
            .setting(replaces, old);
    String why = assertThrows(IOException.class, refused::start).getMessage();
    assertTrue(why.contains(replaces + " is " + old + ", and it keeps the guarantees"), why);
    assertTrue(why.contains("Set dfs.block.replicator.classname to the class"), why);
  }

  @Test
  void theShellOfTheSameVersionWritesAndReads() throws IOException {
    byte[] content = StoredFiles.content("/shell/file", 5);
    Path local = Files.write(temp.resolve("local"), content);
    cluster.run(SHELL, "-mkdir", "-p", "/shell").succeeded();
    cluster.run(SHELL, "-put", local.toString(), "/shell/file").succeeded();
    files.check("/shell/file");
    Path back = temp.resolve("back");
    cluster.run(SHELL, "-get", "/shell/file", back.toString()).succeeded();
    assertEquals(-1, Files.mismatch(local, back));
  }

  @Test
  void favoredNodesGetTheReplicas() throws IOException {
    favoredFile("/favored", "HOT", List.of("dn2", "dn3", "dn6"));
    files.check("/favored");
  }

  @Test
  void erasureCodedFilesAreSpreadAndReadable() throws IOException {
    for (Map.Entry<String, Long> policy :
        Map.of("RS-3-2-1024k", 5L, "XOR-2-1-1024k", 3L).entrySet()) {
      String path = writeErasureCoded(policy.getKey());
      // A file may close before the last of its blocks has been reported.
      files.awaitReplicas(path, policy.getValue().intValue());
      for (LocatedBlock group : files.blocks(path)) {
        assertEquals(
            policy.getValue(), Arrays.stream(group.getLocations()).distinct().count(), path);
      }
      files.check(path);
    }
  }

  private String writeErasureCoded(String policy) throws IOException {
    org.apache.hadoop.fs.Path directory = new org.apache.hadoop.fs.Path("/coded/" + policy);
    cluster.client().enableErasureCodingPolicy(policy);
    cluster.client().mkdirs(directory);
    cluster.client().setErasureCodingPolicy(directory, policy);
    return files.writeCoded(directory + "/file");
  }

  @Test
  void decommissionedNodeHandsItsReplicasOver() throws IOException {
    List<String> paths = files.writeUnder("/decommission", "ONE_SSD", 8, 3);
    cluster.exclude(List.of("dn4"));
    try {
      Eventually.holds("dn4 decommissioned", () -> cluster.info("dn4").isDecommissioned());
      for (String path : paths) {
        assertInServiceReplicas(path, 3);
        files.check(path);
      }
      for (String path : files.writeUnder("/decommission/after", "ONE_SSD", 8, 3)) {
        for (LocatedBlock block : files.blocks(path)) {
          assertFalse(StoredFiles.names(block.getLocations()).contains("dn4"), path);
        }
      }
    } finally {
      cluster.exclude(List.of());
    }
    Eventually.holds("dn4 in service again", () -> cluster.info("dn4").isInService());
    for (String path : paths) {
      files.awaitReplicas(path, 3);
      files.assertSpread(path);
      assertEquals(Set.of("[DISK, DISK, SSD]"), Set.copyOf(files.types(path)), path);
    }
  }

  /** Decommissioned replicas are still listed: they count for nothing. */
  private void assertInServiceReplicas(String path, int number) throws IOException {
    for (List<DatanodeInfoWithStorage> block : files.replicas(path)) {
      assertEquals(
          number, block.stream().filter(DatanodeInfo::isInService).count(), () -> path + block);
    }
  }

  @Test
  void replicasAreAddedAndTakenAwayWithTheReplicationFactor() throws IOException {
    List<String> paths = files.writeUnder("/factor", "HOT", 5, 2);
    for (String path : paths) {
      cluster.client().setReplication(new org.apache.hadoop.fs.Path(path), (short) 4);
    }
    for (String path : paths) {
      files.awaitReplicas(path, 4);
      files.assertSpread(path);
    }
    for (String path : paths) {
      cluster.client().setReplication(new org.apache.hadoop.fs.Path(path), (short) 2);
    }
    for (String path : paths) {
      files.awaitReplicas(path, 2);
      files.assertSpread(path);
      assertEquals(Set.of("[DISK, DISK]"), Set.copyOf(files.types(path)), path);
      files.check(path);
    }
  }

  @Test
  void moveToATypeOutsideTheStoragePolicyStays() throws IOException {
    String path = favoredFile("/move/type", "HOT", List.of("dn1", "dn3"));
    try (ReplicaMoves moves = new ReplicaMoves(cluster)) {
      moves.move(path, "dn1", "dn2", StorageType.SSD);
    }
    assertSettles(path, Map.of("dn2", "SSD", "dn3", "DISK"));
  }

  @Test
  void moveAcrossTypeAndRackStays() throws IOException {
    String path = favoredFile("/move/rack", "HOT", List.of("dn1", "dn2", "dn3"));
    try (ReplicaMoves moves = new ReplicaMoves(cluster)) {
      moves.move(path, "dn2", "dn5", StorageType.ARCHIVE);
    }
    assertSettles(path, Map.of("dn1", "DISK", "dn3", "DISK", "dn5", "ARCHIVE"));
  }

  @Test
  void moveThatCollapsesRacksLeavesNoReplicaTooMany() throws IOException {
    String path = favoredFile("/move/collapse", "HOT", List.of("dn1", "dn3"));
    cluster.client().setStoragePolicy(new org.apache.hadoop.fs.Path(path), "COLD");
    long before = counted("EXCESS_HEALED");
    try (ReplicaMoves moves = new ReplicaMoves(cluster)) {
      moves.move(path, "dn3", "dn4", StorageType.ARCHIVE);
      awaitPlaces(path, Map.of("dn1", "DISK", "dn4", "ARCHIVE"));
      moves.move(path, "dn1", "dn3", StorageType.ARCHIVE);
    }
    Eventually.holds("the excess replica is gone", () -> counted("EXCESS_HEALED") > before);
    files.awaitReplicas(path, 2);
    files.assertSpread(path);
    List<List<DatanodeInfoWithStorage>> settled = files.replicas(path);
    holds(() -> assertEquals(places(settled), places(files.replicas(path))));
  }

  /** Written until it lies there: the NameNode passes over a favored node that is busy at the moment. */
  private String favoredFile(String path, String policy, List<String> nodes) throws IOException {
    Eventually.holds(
        path + " on " + nodes,
        () -> {
          files.write(path, 2, nodes.size(), StoredFiles.addresses(cluster, nodes));
          files.awaitReplicas(path, nodes.size());
          return files.blocks(path).stream()
              .allMatch(block -> StoredFiles.names(block.getLocations()).equals(nodes));
        });
    cluster.client().setStoragePolicy(new org.apache.hadoop.fs.Path(path), policy);
    return path;
  }

  private void awaitPlaces(String path, Map<String, String> wanted) {
    Eventually.holds(
        path + " on " + wanted,
        () -> Set.copyOf(places(files.replicas(path))).equals(Set.of(wanted)));
  }

  /** Gets there, and is still there when the NameNode had the time to undo it twice. */
  private void assertSettles(String path, Map<String, String> wanted) throws IOException {
    awaitPlaces(path, wanted);
    holds(() -> assertEquals(Set.of(wanted), Set.copyOf(places(files.replicas(path)))));
    files.check(path);
  }

  private static List<Map<String, String>> places(List<List<DatanodeInfoWithStorage>> blocks) {
    List<Map<String, String>> all = new ArrayList<>();
    for (List<DatanodeInfoWithStorage> block : blocks) {
      Map<String, String> types = new TreeMap<>();
      block.forEach(
          one -> types.put(one.getHostName().split("\\.")[0], one.getStorageType().name()));
      all.add(types);
    }
    return all;
  }

  @FunctionalInterface
  private interface Check {
    void run() throws IOException;
  }

  private static void holds(Check check) throws IOException {
    long end = System.nanoTime() + Duration.ofSeconds(4).toNanos();
    Eventually.holds(
        "four seconds",
        () -> {
          check.run();
          return System.nanoTime() > end;
        });
    check.run();
  }

  @Test
  void thePolicyIsReplacedAtRunTime() throws IOException {
    int before = cluster.nameNode().probe().policyIdentity();
    try {
      cluster.setInNameNode(POLICY_KEY, STOCK);
      assertEquals(STOCK, cluster.nameNode().probe().policyClass());
      files.check(files.write("/replaced/stock", 2, 3));
    } finally {
      cluster.setInNameNode(POLICY_KEY, OURS);
    }
    NameNodeView.Probe probe = cluster.nameNode().probe();
    assertEquals(OURS, probe.policyClass());
    assertNotEquals(before, probe.policyIdentity());
    // A new instance knows the cluster at its first look, a refresh later.
    Eventually.holds(
        "the new instance places",
        () -> {
          files.write("/replaced/ours" + System.nanoTime(), 1, 3);
          return drawn() >= 2;
        });
    assertEquals(0, counted("PLACEMENT_FAILED"));
  }

  @Test
  void fsckFindsNoFault() throws IOException {
    files.writeUnder("/fsck", "WARM", 5, 3);
    Eventually.holds(
        "a healthy file system",
        () -> {
          String said = cluster.run(FSCK, "/", "-files", "-blocks", "-racks").output();
          return said.contains("The filesystem under path '/' is HEALTHY")
              && number(said, "Mis-replicated blocks:\\s+(\\d+)") == 0
              && number(said, "Over-replicated blocks:\\s+(\\d+)") == 0
              && number(said, "Under-replicated blocks:\\s+(\\d+)") == 0;
        });
  }

  @Test
  void theBalancerRunsWithThePolicy() throws IOException {
    // Two nodes hold it all, so that there is something to balance where the capacity is small.
    for (int i = 0; i < 6; i++) {
      files.write("/balance/f" + i, 16, 2, StoredFiles.addresses(cluster, List.of("dn1", "dn3")));
    }
    Path loaded = temp.resolve("loaded");
    ToolRun run =
        cluster.run(List.of("-Xlog:class+load=info:file=" + loaded), BALANCER, "-threshold", "2");
    // From 3.4 on it fails at its second iteration, as the Mover does (HDFS-16867), whatever the
    // policy.
    assertTrue(
        run.status() == 0
            || (version.startsWith("3.4.") && run.output().contains("already exists!")),
        () -> "status " + run.status() + "\n" + run.output());
    String code = ProcessCluster.codeOf(ThermoclinePlacementPolicy.class);
    try (Stream<String> lines = Files.lines(loaded)) {
      assertTrue(
          lines.anyMatch(line -> line.contains(OURS + " source:") && line.contains(code)),
          "the Balancer's process has the policy's class");
    }
    if (limited) {
      assertTrue(run.output().contains("Successfully moved"), run::output);
    }
    for (int i = 0; i < 6; i++) {
      files.awaitReplicas("/balance/f" + i, 2);
      files.assertSpread("/balance/f" + i);
      files.check("/balance/f" + i);
    }
    files.delete("/balance");
  }

  @Test
  void aClientWritesOnWhileTheLayoutChanges() throws IOException {
    List<String> old = files.writeUnder("/death", "HOT", 6, 3);
    String coded = writeErasureCoded("RS-3-2-1024k");
    Writer writer = new Writer(files, "/flow");
    cluster.addStorage("dn1", StorageType.DISK);
    cluster.join(new ProcessNode("dn7", "rack1", TYPES));
    goOn(writer);
    cluster.kill("dn5");
    goOn(writer);
    cluster.awaitDead("dn5");
    goOn(writer);
    for (String path : old) {
      files.awaitReplicasWithout("dn5", path, 3);
      files.assertSpread(path);
      files.check(path);
    }
    Eventually.holds(
        "the erasure-coded file is whole without dn5",
        () -> {
          for (LocatedBlock group : files.blocks(coded)) {
            List<String> names = StoredFiles.names(group.getLocations());
            if (Set.copyOf(names).size() != 5 || names.contains("dn5")) {
              return false;
            }
          }
          return true;
        });
    files.check(coded);
    cluster.restart("dn5");
    goOn(writer);
    List<String> written = writer.stop();
    for (String path : written) {
      files.awaitReplicas(path, 3);
      files.assertSpread(path);
      files.check(path);
    }
    assertEquals(1, storages(written, "dn7", StorageType.DISK).size(), "of the node that joined");
    assertEquals(2, storages(written, "dn1", StorageType.DISK).size(), "with the one added");
    assertEquals(0, counted("PLACEMENT_FAILED"));
    assertEquals(0, counted("REFRESH_FAILED"));

    cluster.kill("dn7");
    cluster.awaitDead("dn7");
    for (String path : written) {
      files.awaitReplicasWithout("dn7", path, 3);
    }
    files.delete("/flow");
  }

  /** Some files more. */
  private static void goOn(Writer writer) {
    int before = writer.count();
    Eventually.holds("the client goes on writing", () -> writer.count() >= before + 5);
  }

  /** Storages of one node and type that hold replicas of the files. */
  private Set<String> storages(List<String> paths, String node, StorageType type)
      throws IOException {
    Set<String> ids = new HashSet<>();
    for (String path : paths) {
      for (List<DatanodeInfoWithStorage> block : files.replicas(path)) {
        block.stream()
            .filter(one -> one.getHostName().startsWith(node + "."))
            .filter(one -> one.getStorageType().name().equals(type.name()))
            .forEach(one -> ids.add(one.getStorageID()));
      }
    }
    return ids;
  }

  /** Replicas that a selector of ours found a storage for. */
  private String counters() {
    try {
      return cluster.nameNode().probe().policyCounters();
    } catch (IOException e) {
      return e.toString();
    }
  }

  private long drawn() throws IOException {
    return number(cluster.nameNode().probe().policyCounters(), "\\bdrawn (\\d+)");
  }

  private long counted(String event) throws IOException {
    return number(cluster.nameNode().probe().policyCounters(), "\\b" + event + "=(\\d+)");
  }

  private static long number(String text, String pattern) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    assertTrue(matcher.find(), () -> pattern + " in " + text);
    return Long.parseLong(matcher.group(1));
  }

  private void say(String what) {
    System.out.printf("%s after %.1f s%n", what, (System.nanoTime() - startNanos) / 1e9);
  }
}
