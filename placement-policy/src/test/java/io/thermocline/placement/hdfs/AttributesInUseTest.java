// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import static io.thermocline.placement.hdfs.FakeCluster.GB;
import static org.apache.hadoop.fs.StorageType.DISK;
import static org.apache.hadoop.fs.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.hdfs.PlacementCounters.Event;
import io.thermocline.placement.model.NodeAttributes;
import io.thermocline.placement.model.StorageType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.net.DFSNetworkTopology;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.Node;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the node-attributes file does to lines, to new replicas and to readers. */
class AttributesInUseTest {

  @TempDir Path directory;

  private final FakeCluster cluster = new FakeCluster();
  private final PolicyHost host = new PolicyHost(System::nanoTime, () -> 0, Thread::sleep);
  private Path file;

  @BeforeEach
  void configure() {
    file = directory.resolve("node-attributes");
    cluster.conf().set(PolicySettings.ATTRIBUTES_KEY, file.toString());
  }

  @Test
  void fileIsFollowedAndTheLastGoodOneStays() throws IOException {
    WatchedFile<NodeAttributes> attributes = AttributesFile.at(file, host.counters());
    attributes.poll();
    attributes.poll();
    assertTrue(attributes.isBad());
    assertEquals(1, host.counters().get(Event.ATTRIBUTES_REJECTED));
    write("h zone=one");
    attributes.poll();
    NodeAttributes one = attributes.content();
    assertEquals("one", one.storage("h", StorageType.SSD, "DS-1").zone());
    assertFalse(attributes.isBad());
    attributes.poll();
    assertEquals(1, host.counters().get(Event.ATTRIBUTES_LOADED));
    for (String bad : List.of("h zone", "h zone=\u00fc")) {
      write(bad);
      attributes.poll();
      attributes.poll();
      assertTrue(attributes.isBad(), bad);
      assertEquals(one, attributes.content());
    }
    assertEquals(3, host.counters().get(Event.ATTRIBUTES_REJECTED));
    Files.write(file, new byte[] {'h', (byte) 0xff});
    attributes.poll();
    assertEquals(4, host.counters().get(Event.ATTRIBUTES_REJECTED));
    // As long as the one before, and perhaps of the same time: a moved file has another inode.
    write("h zone=two");
    attributes.poll();
    assertEquals("two", attributes.content().storage("h", StorageType.SSD, "DS-1").zone());
    assertFalse(attributes.isBad());
  }

  @Test
  void aFileThatWasRemovedIsInForceNoMore() throws IOException {
    WatchedFile<NodeAttributes> attributes = AttributesFile.at(file, host.counters());
    write("h zone=one");
    attributes.poll();
    NodeAttributes one = attributes.content();
    Files.delete(file);
    attributes.poll();
    assertEquals(one, attributes.content(), "it may just be replaced");
    write("h zone=one");
    attributes.poll();
    assertFalse(attributes.isBad());

    Files.delete(file);
    attributes.poll();
    attributes.poll();
    assertEquals(NodeAttributes.none(), attributes.content());
    assertTrue(attributes.isBad());
    Files.createDirectory(file);
    attributes.poll();
    assertEquals(NodeAttributes.none(), attributes.content());
    Files.delete(file);
    write("h zone=two");
    attributes.poll();
    assertEquals("two", attributes.content().storage("h", StorageType.SSD, "DS-1").zone());
  }

  /** New replicas are spread over all storages of a type: HDFS's storage policies know no classes. */
  @Test
  void classesLeaveTheLineOfTheirTypeAsItIs() throws IOException {
    for (int node = 0; node < 6; node++) {
      cluster.add("/r", SSD, 100 * GB, DISK, 100 * GB);
    }
    ClusterLines lines = lines();
    lines.refresh();
    BucketLine before = ofType(lines, SSD);
    assertEquals(6, reached(before).size());
    write("class SSD sata < nvme\nnode? SSD class=nvme\nnode0 SSD class=sata");
    lines.refresh();
    assertEquals(before, ofType(lines, SSD));
    assertEquals(2, lines.figures().size());
  }

  /** Two racks that each have nodes of three zones; without zones, replicas share one now and then. */
  @Test
  void replicasAreInDifferentZonesWithTheRing() throws IOException {
    cluster.conf().set(PolicySettings.SELECTION_KEY, "attributed");
    StringBuilder zones = new StringBuilder();
    for (int node = 0; node < 12; node++) {
      cluster.add("/r" + node % 2, DISK, 100 * GB);
      zones.append("node" + node + " zone=z" + node / 2 % 3 + "\n");
    }
    write("");
    assertTrue(zonesOfBlocks(cluster.policy(5)) < 1500, "by racks alone");
    write(zones.toString());
    assertEquals(1500, zonesOfBlocks(cluster.policy(5)));
  }

  /** How many zones the replicas of 500 blocks are in, summed up. */
  private int zonesOfBlocks(ThermoclinePlacementPolicy policy) {
    int zones = 0;
    for (int block = 0; block < 500; block++) {
      Set<Integer> ofBlock = new HashSet<>();
      for (DatanodeStorageInfo target : FakeCluster.choose(policy, "HOT", 3)) {
        String host = target.getDatanodeDescriptor().getHostName();
        ofBlock.add(Integer.parseInt(host.substring("node".length())) / 2 % 3);
      }
      zones += ofBlock.size();
    }
    return zones;
  }

  @Test
  void wornOutStoragesGetNoNewReplicaByAnyWay() throws IOException {
    for (int node = 0; node < 6; node++) {
      cluster.add("/r" + node % 3, SSD, 100 * GB, SSD, 100 * GB);
    }
    write("* SSD tbw=10TB written=1TB\nnode0 SSD written=10.1TB\nnode1 SSD written=11TB\n");
    ThermoclinePlacementPolicy policy = cluster.policy(5);
    for (int block = 0; block < 500; block++) {
      // Every other one written on a node, whose own storage the stock policy would take first.
      DatanodeStorageInfo[] targets =
          block % 2 == 0
              ? FakeCluster.choose(policy, "ALL_SSD", 3)
              : choose(policy, cluster.datanode(block % 6).node());
      assertEquals(3, targets.length);
      for (DatanodeStorageInfo target : targets) {
        String host = target.getDatanodeDescriptor().getHostName();
        assertFalse(host.equals("node0") || host.equals("node1"), host);
      }
    }
    assertEquals(0, policy.counters().get(Event.WEAR_IGNORED));
  }

  @Test
  void wearIsNotRegardedWhereAllOfATypeAreWorn() throws IOException {
    for (int node = 0; node < 3; node++) {
      cluster.add("/r" + node, SSD, 100 * GB, DISK, 100 * GB);
    }
    write("* tbw=1TB written=2TB\nnode0 DISK written=0B");
    ClusterLines lines = lines();
    lines.refresh();
    lines.refresh();
    assertEquals(1, host.counters().get(Event.WEAR_IGNORED));
    assertEquals(3, reached(ofType(lines, SSD)).size());
    assertEquals(List.of("n000-s1"), reached(ofType(lines, DISK)));
    assertFalse(lines.isWornOut("n001-s0"));
    assertTrue(lines.isWornOut("n001-s1"));
    assertEquals(
        2,
        lines.figures().stream()
            .filter(one -> one.bucket().equals("DISK"))
            .findAny()
            .get()
            .wornOut());
    // The budget was corrected.
    write("* tbw=3TB written=2TB");
    lines.refresh();
    assertEquals(3, reached(ofType(lines, DISK)).size());
    assertFalse(lines.isWornOut("n001-s1"));
  }

  /** One error for each content of the file, and the rest of the file counts. */
  @Test
  void bandwidthAndZoneAreRefusedWhereNothingTakesThem() throws IOException {
    for (int node = 0; node < 2; node++) {
      cluster.add("/r" + node, DISK, 100 * GB);
    }
    for (String one : List.of("bandwidth=180MB/s", "zone=a")) {
      for (String which : List.of("*", "node0")) {
        long before = host.counters().get(Event.BAD_SETTING);
        write(which + " DISK " + one + " tbw=1TB written=2TB\nnode1 DISK written=0B");
        ClusterLines lines = lines();
        lines.refresh();
        lines.refresh();
        assertEquals(before + 1, host.counters().get(Event.BAD_SETTING), one);
        assertEquals(List.of("n001-s0"), reached(ofType(lines, DISK)), one);
        cluster.conf().set(PolicySettings.SELECTION_KEY, "attributed");
        lines().refresh();
        cluster.conf().unset(PolicySettings.SELECTION_KEY);
        assertEquals(before + 1, host.counters().get(Event.BAD_SETTING), one);
      }
    }
  }

  @Test
  void readersAreSentToTheFasterClassFirst() throws IOException {
    write("class SSD sata < nvme\nnode2 SSD class=nvme\nnode1 SSD class=sata");
    cluster.conf().set("dfs.net.topology.impl", FastestReplicaFirstTopology.class.getName());
    cluster.conf().setInt(ThermoclinePlacementPolicy.REFRESH_KEY, 20);
    DFSNetworkTopology topology = DFSNetworkTopology.getInstance(cluster.conf());
    for (int node = 0; node < 4; node++) {
      topology.add(cluster.add("/r" + node % 2, SSD, 100 * GB, DISK, 100 * GB));
    }
    assertEquals("[node2 SSD, node1 SSD, node0 SSD, node3 DISK]", sorted(topology));
    write("class SSD default < sata\nnode0 SSD class=sata");
    FakeCluster.await(
        () -> sorted(topology).equals("[node0 SSD, node2 SSD, node1 SSD, node3 DISK]"),
        "the order by the new file, now " + sorted(topology));
  }

  private static DatanodeStorageInfo[] choose(ThermoclinePlacementPolicy policy, Node writer) {
    return policy.chooseTarget(
        "/file",
        3,
        writer,
        new ArrayList<>(),
        false,
        new HashSet<>(),
        FakeCluster.BLOCK,
        FakeCluster.storagePolicy("ALL_SSD"),
        EnumSet.noneOf(AddBlockFlag.class));
  }

  private static BucketLine ofType(ClusterLines lines, org.apache.hadoop.fs.StorageType type) {
    return lines.snapshot().lines(type.ordinal())[0].line();
  }

  private String sorted(DFSNetworkTopology topology) {
    DatanodeInfoWithStorage[] replicas = {
      replica(3, DISK), replica(0, SSD), replica(1, SSD), replica(2, SSD)
    };
    Node reader = cluster.datanode(0).node();
    topology.sortByDistance(reader, replicas, 4);
    return Arrays.stream(replicas)
        .map(one -> one.getHostName() + " " + one.getStorageType())
        .collect(Collectors.toList())
        .toString();
  }

  private DatanodeInfoWithStorage replica(int node, org.apache.hadoop.fs.StorageType type) {
    return new DatanodeInfoWithStorage(cluster.datanode(node).node(), "n" + node + type, type);
  }

  private ClusterLines lines() {
    return new ClusterLines(
        cluster.topology(),
        host,
        PolicySettings.of(cluster.conf(), host.counters()),
        () -> new ClusterLoad(false, false, 0, 1));
  }

  /** Ids of the storages that a line leads to, in their order. */
  private static List<String> reached(BucketLine line) {
    assertNotNull(line);
    return LongStream.range(0, 500)
        .mapToObj(key -> line.place(key, any -> true).getStorageID())
        .distinct()
        .sorted()
        .collect(Collectors.toList());
  }

  private void write(String text) throws IOException {
    Path fresh = Files.createTempFile(directory, "fresh", "");
    Files.writeString(fresh, text);
    Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING);
  }
}
