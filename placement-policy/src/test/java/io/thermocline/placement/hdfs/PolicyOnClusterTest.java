// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import static io.thermocline.placement.hdfs.FakeCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.thermocline.placement.hdfs.PlacementCounters.Event;
import io.thermocline.placement.model.DirectoryHints;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The policy and the topology inside a real NameNode: two nodes on each of three racks. */
@Tag("cluster")
class PolicyOnClusterTest {
  private static final StorageType DISK = StorageType.DISK;
  private static final StorageType SSD = StorageType.SSD;
  private static final StorageType ARCHIVE = StorageType.ARCHIVE;

  @TempDir static Path directory;
  private static MiniCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    StorageType[] slow = {DISK, SSD, ARCHIVE};
    StorageType[] fast = {DISK, SSD, hasNvdimm() ? StorageType.valueOf("NVDIMM") : ARCHIVE};
    cluster =
        new MiniCluster(
            directory,
            ThermoclinePlacementPolicy.class,
            new String[] {"/r1", "/r1", "/r2", "/r2", "/r3", "/r3"},
            new StorageType[][] {slow, slow, slow, slow, fast, fast},
            Map.of(PolicySettings.DIRECTORY_HINTS_KEY, directory.resolve("hints").toString()));
    cluster.awaitLine(DISK);
    cluster.awaitLine(SSD);
    cluster.awaitLine(ARCHIVE);
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void filesLandOnTheTypesOfTheirStoragePolicy() throws IOException {
    Map<String, String> expected =
        Map.of(
            "HOT", "[DISK, DISK, DISK]",
            "ONE_SSD", "[DISK, DISK, SSD]",
            "ALL_SSD", "[SSD, SSD, SSD]",
            "COLD", "[ARCHIVE, ARCHIVE, ARCHIVE]");
    long placed = cluster.policy().counters().drawn();
    for (Map.Entry<String, String> entry : expected.entrySet()) {
      for (int i = 0; i < 10; i++) {
        org.apache.hadoop.fs.Path path = cluster.write("typed" + i, entry.getKey(), 3);
        List<DatanodeInfoWithStorage> replicas = cluster.replicas(path);
        assertEquals(entry.getValue(), types(path));
        assertEquals(3, distinct(replicas, DatanodeInfoWithStorage::getDatanodeUuid));
        assertTrue(distinct(replicas, DatanodeInfoWithStorage::getNetworkLocation) >= 2);
      }
    }
    PlacementCounters counters = cluster.policy().counters();
    // The first replica may be local to the writer, which shares an address with the DataNodes.
    assertTrue(counters.drawn() - placed >= 4 * 10 * 2, counters.toString());
    assertEquals(0, counters.get(Event.PLACEMENT_FAILED));
    assertEquals(0, counters.get(Event.REFRESH_FAILED));
  }

  @Test
  void filesOfAnyClientFollowTheHintOnTheirDirectory() throws IOException {
    Path fresh = directory.resolve("fresh");
    // The storage policy that cluster.write sets by name is the one that files have anyway.
    Files.writeString(
        fresh,
        DirectoryHints.text(
            Long.MAX_VALUE / 1024,
            List.of(
                DirectoryHints.Line.hint("/HOT/led", "ONE_SSD", Long.MAX_VALUE / 1024),
                DirectoryHints.Line.hint("/HOT/cold", "COLD", Long.MAX_VALUE / 1024),
                DirectoryHints.Line.hint("/HOT/over", "ALL_SSD", 1))));
    Files.move(fresh, directory.resolve("hints"), StandardCopyOption.ATOMIC_MOVE);
    PlacementCounters counters = cluster.policy().counters();
    await(() -> counters.get(Event.DIRECTORY_HINTS_LOADED) > 0, "the hints");
    Map<String, String> expected =
        Map.of(
            "led/sub/a", "[DISK, DISK, SSD]",
            "cold/a", "[ARCHIVE, ARCHIVE, ARCHIVE]",
            "over/a", "[DISK, DISK, DISK]",
            "a", "[DISK, DISK, DISK]");
    for (Map.Entry<String, String> entry : expected.entrySet()) {
      org.apache.hadoop.fs.Path path = cluster.write(entry.getKey(), "HOT", 3);
      assertEquals(entry.getValue(), types(path), entry.getKey());
    }
    assertEquals(2, counters.get(Event.DIRECTORY_HINT));
  }

  private static String types(org.apache.hadoop.fs.Path path) {
    return cluster.replicas(path).stream()
        .map(one -> one.getStorageType().name())
        .sorted()
        .collect(Collectors.toList())
        .toString();
  }

  @Test
  void moveOutsideTheStoragePolicySticksAndIsReadFirst() throws IOException {
    org.apache.hadoop.fs.Path path = cluster.write("moved", "HOT", 2, 0, 2);
    assertTrue(cluster.move(path, 0, 1, SSD));
    String wanted = "[SSD host1, DISK host2]";
    awaitLayout(path, wanted);
    // The stock policy would take the SSD replica back within two seconds.
    holds(path, wanted);
    assertTrue(cluster.policy().counters().get(Event.HINT_HONOURED) > 0);
  }

  @Test
  void moveThatCollapsesRacksLeavesNoReplicaTooMany() throws IOException {
    org.apache.hadoop.fs.Path path = cluster.write("collapsing", "HOT", 2, 0, 2);
    cluster.fs().setStoragePolicy(path, "COLD");
    assertTrue(cluster.move(path, 2, 3, ARCHIVE));
    awaitLayout(path, "[DISK host0, ARCHIVE host3]");
    assertTrue(cluster.move(path, 0, 2, ARCHIVE));
    await(() -> cluster.policy().counters().get(Event.EXCESS_HEALED) > 0, "the healing");
    await(() -> cluster.replicas(path).size() == 2, "two replicas");
    String healed = cluster.layout(path);
    assertEquals(
        2, distinct(cluster.replicas(path), DatanodeInfoWithStorage::getNetworkLocation), healed);
    holds(path, healed);
  }

  @Test
  void readersAreSentToTheFastestReplica() throws IOException {
    org.apache.hadoop.fs.Path path = cluster.write("read", "HOT", 3, 0, 1, 2);
    assertTrue(cluster.move(path, 1, 4, SSD));
    await(() -> cluster.layout(path).startsWith("[SSD host4, DISK host"), "SSD first");
    await(() -> cluster.replicas(path).size() == 3, "three replicas");
    assertTrue(cluster.layout(path).startsWith("[SSD host4, DISK host"), cluster.layout(path));
  }

  @Test
  void nvdimmIsReadBeforeSsd() throws IOException {
    assumeTrue(hasNvdimm(), "this Hadoop has no NVDIMM storage type");
    org.apache.hadoop.fs.Path path = cluster.write("nvdimm", "HOT", 3, 0, 1, 2);
    assertTrue(cluster.move(path, 0, 3, SSD));
    await(
        () ->
            cluster.layout(path).startsWith("[SSD host3, DISK")
                && cluster.replicas(path).size() == 3
                && !cluster.layout(path).contains("host0"),
        "the SSD replica in place of the first");
    assertTrue(cluster.move(path, 1, 4, StorageType.valueOf("NVDIMM")));
    String wanted = "[NVDIMM host4, SSD host3, DISK host2]";
    awaitLayout(path, wanted);
  }

  private static void awaitLayout(org.apache.hadoop.fs.Path path, String wanted) {
    await(
        () -> cluster.layout(path).equals(wanted), () -> wanted + ", not " + cluster.layout(path));
  }

  /** Looks for longer than the NameNode takes to decide on an excess replica and delete it. */
  private static void holds(org.apache.hadoop.fs.Path path, String layout) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(4);
    while (System.nanoTime() < deadline) {
      assertEquals(layout, cluster.layout(path));
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
    }
  }

  private static long distinct(
      List<DatanodeInfoWithStorage> replicas, Function<DatanodeInfoWithStorage, String> by) {
    return replicas.stream().map(by).distinct().count();
  }

  private static boolean hasNvdimm() {
    return List.of(StorageType.values()).stream().anyMatch(one -> one.name().equals("NVDIMM"));
  }
}
