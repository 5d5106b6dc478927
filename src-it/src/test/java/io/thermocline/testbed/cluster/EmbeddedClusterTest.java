// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.device.DeviceCounts;
import io.thermocline.testbed.device.IoCounts;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("cluster")
class EmbeddedClusterTest {

  private static final int BLOCK = (int) ClusterLayout.DEMO_BLOCK_SIZE;
  private static final int BLOCKS = 3;

  private static EmbeddedCluster cluster;
  private static DistributedFileSystem superuser;

  @BeforeAll
  static void start(@TempDir java.nio.file.Path temp) throws IOException {
    cluster =
        EmbeddedCluster.builder(temp)
            .logFragment(TestFiles.resource("/audit-log4j.properties"))
            .create();
    cluster.start();
    superuser = cluster.fileSystem();
  }

  @AfterAll
  static void stop() {
    cluster.close();
    assertFalse(Files.exists(cluster.directory()), "the directory is gone");
  }

  @AfterEach
  void fullSpeed() {
    cluster.devices().fullSpeed();
  }

  @Test
  void theNameNodeShowsTheLayout() throws IOException {
    Map<String, Map<StorageType, Long>> shown = new HashMap<>();
    Map<String, String> racks = new HashMap<>();
    for (DatanodeStorageReport report :
        superuser.getClient().getDatanodeStorageReport(DatanodeReportType.LIVE)) {
      DatanodeInfo node = report.getDatanodeInfo();
      racks.put(node.getHostName(), node.getNetworkLocation());
      shown.put(
          node.getHostName(),
          Arrays.stream(report.getStorageReports())
              .collect(
                  Collectors.toMap(
                      storage ->
                          StorageType.ofHadoopName(storage.getStorage().getStorageType().name()),
                      StorageReport::getCapacity)));
    }
    List<NodeLayout> nodes = cluster.layout().nodes();
    assertEquals(
        nodes.stream().collect(Collectors.toMap(NodeLayout::host, NodeLayout::capacities)), shown);
    assertEquals(
        nodes.stream().collect(Collectors.toMap(NodeLayout::host, NodeLayout::rack)), racks);
  }

  @Test
  void readsCountUnderTheTypeThatServedThem() throws IOException {
    byte[] content = write("/types/hot", "HOT", 1);
    write("/types/ssd", "ALL_SSD", 1);
    cluster.devices().pace();

    IoCounts disk = read("/types/hot", content).of(StorageType.DISK);
    DeviceCounts fast = read("/types/ssd", content);
    IoCounts ssd = fast.of(StorageType.SSD);

    assertEquals(BLOCKS, disk.clientReads(), "one for each block");
    assertEquals(content.length, disk.clientBytesRead());
    assertEquals(BLOCKS, ssd.clientReads());
    assertEquals(content.length, ssd.clientBytesRead());
    assertEquals(0, fast.of(StorageType.DISK).clientReads());
    assertEquals(1.0, fast.fastReadShare());
    double ratio = (double) disk.busyNanos() / ssd.busyNanos();
    assertTrue(ratio > 500.0 / 176, "table 4's ratio and a seek on top, not " + ratio);
  }

  @Test
  void pacedReadsTakeAtLeastTheirServiceTime() throws IOException {
    byte[] content = write("/paced/f", "COLD", 2);
    cluster.devices().pace();
    long start = System.nanoTime();
    DeviceCounts counts = read("/paced/f", content);
    long elapsed = System.nanoTime() - start;
    // One reader and one block after the other: nothing overlaps. A wait below 1 ms may be left
    // over for each block.
    long service = counts.of(StorageType.ARCHIVE).busyNanos() - BLOCKS * 1_000_000L;
    assertTrue(elapsed >= service, elapsed + " ns elapsed of " + service);
  }

  @Test
  void copiesOfTheClusterAreNoClientReads() throws IOException, InterruptedException {
    byte[] content = write("/copies/f", "HOT", 3);
    Path path = new Path("/copies/f");
    DeviceCounts before = cluster.devices().counts();
    superuser.setReplication(path, (short) 4);
    Eventually.holds("a fourth replica of each block", () -> replicas(path, 4));
    superuser.setReplication(path, (short) 3);
    Eventually.holds("three replicas of each block", () -> replicas(path, 3));
    counted(before, content.length);

    IoCounts total = cluster.devices().counts().minus(before).total();
    assertEquals(0, total.clientReads());
    assertEquals(BLOCKS, total.copyReads());
    assertEquals(content.length, total.copyBytesRead());
    assertEquals(BLOCKS, total.writes());
    assertEquals(content.length, total.bytesWritten());
    read("/copies/f", content);
  }

  @Test
  void movesToAnotherNodeAndWithinANodeAreNoClientReads() throws IOException, InterruptedException {
    byte[] content = write("/moves/f", "HOT", 4);
    Path path = new Path("/moves/f");
    superuser.setStoragePolicy(path, "ONE_SSD");
    DeviceCounts before = cluster.devices().counts();
    List<LocatedBlock> blocks = blocks(path);
    DatanodeInfo first = blocks.get(0).getLocations()[0];
    new BlockMove(blocks.get(0).getBlock(), first, first).to(org.apache.hadoop.fs.StorageType.SSD);
    DatanodeInfo source = blocks.get(1).getLocations()[0];
    new BlockMove(blocks.get(1).getBlock(), source, stranger(blocks.get(1)))
        .to(org.apache.hadoop.fs.StorageType.SSD);
    counted(before, 2L * BLOCK);

    DeviceCounts moved = cluster.devices().counts().minus(before);
    assertEquals(0, moved.total().clientReads());
    assertEquals(2, moved.of(StorageType.DISK).copyReads());
    assertEquals(2L * BLOCK, moved.of(StorageType.DISK).copyBytesRead());
    assertEquals(2, moved.of(StorageType.SSD).writes());
    assertEquals(2L * BLOCK, moved.of(StorageType.SSD).bytesWritten());
    Eventually.holds("three replicas of each block", () -> replicas(path, 3));
    read("/moves/f", content);
  }

  @Test
  void appendsGoThroughTheDeviceToo() throws Exception {
    byte[] content = write("/append/f", "HOT", 5);
    Path path = new Path("/append/f");
    DeviceCounts before = cluster.devices().counts();
    try (OutputStream out = superuser.append(path)) {
      out.write(content);
    }
    counted(before, 3L * content.length);
    IoCounts disk = cluster.devices().counts().minus(before).of(StorageType.DISK);
    assertEquals(3L * content.length, disk.bytesWritten());
    byte[] twice = Arrays.copyOf(content, 2 * content.length);
    System.arraycopy(content, 0, twice, content.length, content.length);
    read("/append/f", twice);
  }

  @Test
  void theAuditLogNamesTheUsers() throws IOException, InterruptedException {
    byte[] content = write("/audit/f", "HOT", 6);
    read("/audit/f", content);
    Eventually.holds(
        "alice's open in " + cluster.auditLog(),
        () ->
            Files.readAllLines(cluster.auditLog()).stream()
                .anyMatch(
                    line ->
                        line.contains("ugi=alice (auth:SIMPLE)")
                            && line.contains("cmd=open\tsrc=/audit/f")));
  }

  /** Writes three replicas, and waits until the NameNode knows them all and devices counted them. */
  private static byte[] write(String file, String policy, long seed) throws IOException {
    byte[] content = new byte[(BLOCKS - 1) * BLOCK + BLOCK / 2];
    new SplittableRandom(seed).nextBytes(content);
    Path path = new Path(file);
    superuser.mkdirs(path.getParent());
    DeviceCounts before = cluster.devices().counts();
    try (OutputStream out = superuser.create(path)) {
      superuser.setStoragePolicy(path, policy);
      out.write(content);
    }
    Eventually.holds("three replicas of each block", () -> replicas(path, 3));
    counted(before, 3L * content.length);
    return content;
  }

  /** A DataNode may acknowledge a packet, and report a replica, a moment before it counts it. */
  private static void counted(DeviceCounts before, long bytesWritten) {
    Eventually.holds(
        bytesWritten + " bytes written",
        () -> cluster.devices().counts().minus(before).total().bytesWritten() >= bytesWritten);
  }

  /** Reads as alice, compares, and returns what the devices did. */
  private static DeviceCounts read(String file, byte[] expected) throws IOException {
    DeviceCounts before = cluster.devices().counts();
    try (DistributedFileSystem alice = cluster.fileSystem("alice");
        InputStream in = alice.open(new Path(file))) {
      assertTrue(Arrays.equals(expected, in.readAllBytes()), "content of " + file);
    }
    return cluster.devices().counts().minus(before);
  }

  private static List<LocatedBlock> blocks(Path path) throws IOException {
    return superuser
        .getClient()
        .getLocatedFileInfo(path.toString(), false)
        .getLocatedBlocks()
        .getLocatedBlocks();
  }

  private static boolean replicas(Path path, int wanted) throws IOException {
    return blocks(path).stream().allMatch(block -> block.getLocations().length == wanted);
  }

  /**
   * A node without a replica, on the first replica's rack if there is one. Otherwise that rack's
   * nodes all hold the block, and keep it when the first replica leaves: the spread stays either way.
   */
  private static DatanodeInfo stranger(LocatedBlock block) throws IOException {
    DatanodeInfo first = block.getLocations()[0];
    Set<String> holders =
        Arrays.stream(block.getLocations())
            .map(DatanodeInfo::getDatanodeUuid)
            .collect(Collectors.toSet());
    return Arrays.stream(superuser.getClient().datanodeReport(DatanodeReportType.LIVE))
        .filter(node -> !holders.contains(node.getDatanodeUuid()))
        .min(
            Comparator.comparing(
                node -> !node.getNetworkLocation().equals(first.getNetworkLocation())))
        .orElseThrow();
  }
}
