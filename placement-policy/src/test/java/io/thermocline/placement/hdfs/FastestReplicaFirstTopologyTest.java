// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.net.DFSNetworkTopology;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.FakeDatanode;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FastestReplicaFirstTopologyTest {
  private final FakeDatanode[] fakes = new FakeDatanode[6];
  private final DatanodeDescriptor[] datanodes = new DatanodeDescriptor[6];
  private DFSNetworkTopology topology;

  @BeforeEach
  void topology() {
    topology(new Configuration(false));
  }

  private void topology(Configuration conf) {
    conf.set("dfs.net.topology.impl", FastestReplicaFirstTopology.class.getName());
    topology = DFSNetworkTopology.getInstance(conf);
    assertInstanceOf(FastestReplicaFirstTopology.class, topology);
    for (int node = 0; node < 6; node++) {
      fakes[node] = new FakeDatanode(node, "/r" + node / 2);
      datanodes[node] = fakes[node].node();
      topology.add(datanodes[node]);
    }
  }

  @Test
  void fasterTypeComesFirstHoweverFar() {
    Node reader = datanodes[0];
    Node[] nodes = nodes("0 DISK", "1 ARCHIVE", "2 SSD", "4 RAM_DISK", "5 DISK");
    topology.sortByDistance(reader, nodes, 5);
    assertEquals("[4 RAM_DISK, 2 SSD, 0 DISK, 5 DISK, 1 ARCHIVE]", shown(nodes));
  }

  @Test
  void withinATypeTheStockOrderStays() {
    Node reader = datanodes[2];
    Node[] nodes = nodes("0 DISK", "4 SSD", "3 DISK", "2 DISK", "3 SSD");
    topology.sortByDistance(reader, nodes, 5);
    assertEquals("[3 SSD, 4 SSD, 2 DISK, 3 DISK, 0 DISK]", shown(nodes));
  }

  @Test
  void secondarySortStaysWithinType() {
    Comparator<DatanodeInfoWithStorage> byName =
        Comparator.comparing(DatanodeInfoWithStorage::getName);
    DatanodeInfoWithStorage[] nodes = nodes("3 DISK", "2 DISK", "5 DISK", "4 SSD");
    topology.sortByDistance(datanodes[0], nodes, 4, list -> Collections.sort(list, byName));
    assertEquals("[4 SSD, 2 DISK, 3 DISK, 5 DISK]", shown(nodes));
  }

  @Test
  void readersOutsideTheClusterToo() {
    Node reader = new NodeBase("/r1/client");
    Node[] nodes = nodes("0 DISK", "2 DISK", "4 SSD");
    topology.sortByDistanceUsingNetworkLocation(reader, nodes, 3);
    assertEquals("[4 SSD, 2 DISK, 0 DISK]", shown(nodes));
    DatanodeInfoWithStorage[] typed = nodes("0 DISK", "2 DISK", "4 SSD");
    topology.sortByDistanceUsingNetworkLocation(reader, typed, 3, null);
    assertEquals("[4 SSD, 2 DISK, 0 DISK]", shown(typed));
  }

  @Test
  void inactiveNodesKeepTheirPlace() {
    Node[] nodes = nodes("0 DISK", "2 DISK", "4 SSD");
    topology.sortByDistance(datanodes[2], nodes, 2);
    assertEquals("[2 DISK, 0 DISK, 4 SSD]", shown(nodes));
  }

  @Test
  void unknownTypesComeLastAndOtherNodesStayAsTheyAre() {
    Node reader = datanodes[0];
    Node[] nodes = nodes("0 PROVIDED", "1 ARCHIVE", "2 DISK");
    topology.sortByDistance(reader, nodes, 3);
    assertEquals("[2 DISK, 1 ARCHIVE, 0 PROVIDED]", shown(nodes));
    DatanodeDescriptor near = datanodes[0];
    DatanodeDescriptor far = datanodes[5];
    Node[] plain = {far, near};
    topology.sortByDistance(reader, plain, 2);
    assertEquals(List.of(near, far), Arrays.asList(plain));
  }

  @Test
  void nvdimmComesBeforeSsd() {
    assumeTrue(
        Arrays.stream(StorageType.values()).anyMatch(type -> type.name().equals("NVDIMM")),
        "this Hadoop has no NVDIMM storage type");
    Node[] nodes = nodes("0 SSD", "1 DISK", "2 NVDIMM", "3 ARCHIVE");
    topology.sortByDistance(datanodes[0], nodes, 4);
    assertEquals("[2 NVDIMM, 0 SSD, 1 DISK, 3 ARCHIVE]", shown(nodes));
  }

  @Test
  void ownDiskComesBeforeSsdOnAHostWithManyDisks() {
    ownDisks("2");
    fakes[0].with(StorageType.DISK, "a", 1).with(StorageType.SSD, "s", 1);
    assertEquals("[2 SSD, 0 DISK, 4 DISK]", sorted(0, "4 DISK", "0 DISK", "2 SSD"));
    fakes[0].with(StorageType.DISK, "b", 1);
    assertEquals("[0 DISK, 2 SSD, 4 DISK]", sorted(0, "4 DISK", "0 DISK", "2 SSD"));
    assertEquals("[0 DISK, 1 SSD, 4 SSD]", sorted(0, "4 SSD", "1 SSD", "0 DISK"));
    // What is faster than SSD stays first.
    assertEquals("[4 RAM_DISK, 2 SSD, 0 DISK]", sorted(0, "2 SSD", "4 RAM_DISK", "0 DISK"));
  }

  @Test
  void othersDisksStayBehindSsd() {
    ownDisks("1");
    fakes[0].with(StorageType.DISK, "a", 1);
    assertEquals("[2 SSD, 1 DISK, 5 DISK]", sorted(0, "5 DISK", "1 DISK", "2 SSD"));
    assertEquals("[2 SSD, 4 DISK, 0 ARCHIVE]", sorted(0, "4 DISK", "0 ARCHIVE", "2 SSD"));
    DatanodeInfoWithStorage[] replicas = nodes("0 DISK", "2 SSD");
    topology.sortByDistanceUsingNetworkLocation(new NodeBase("/r0/client"), replicas, 2);
    assertEquals("[2 SSD, 0 DISK]", shown(replicas));
    // The last one is not active.
    Node[] nodes = nodes("2 SSD", "4 DISK", "0 DISK");
    topology.sortByDistance(datanodes[0], nodes, 2);
    assertEquals("[2 SSD, 4 DISK, 0 DISK]", shown(nodes));
  }

  @Test
  void withoutTheSettingSsdComesFirst() {
    for (String off : new String[] {"0", "-1", "many"}) {
      ownDisks(off);
      fakes[0].with(StorageType.DISK, "a", 1);
      assertEquals("[2 SSD, 0 DISK]", sorted(0, "0 DISK", "2 SSD"), off);
    }
  }

  private void ownDisks(String value) {
    Configuration conf = new Configuration(false);
    conf.set(PolicySettings.OWN_DISKS_KEY, value);
    topology(conf);
  }

  private String sorted(int reader, String... numbersAndTypes) {
    Node[] nodes = nodes(numbersAndTypes);
    topology.sortByDistance(datanodes[reader], nodes, nodes.length);
    return shown(nodes);
  }

  private DatanodeInfoWithStorage[] nodes(String... numbersAndTypes) {
    return Arrays.stream(numbersAndTypes)
        .map(one -> one.split(" "))
        .map(
            one ->
                new DatanodeInfoWithStorage(
                    datanodes[Integer.parseInt(one[0])], one[0], StorageType.valueOf(one[1])))
        .toArray(DatanodeInfoWithStorage[]::new);
  }

  private static String shown(Node[] nodes) {
    return Arrays.stream(nodes)
        .map(node -> (DatanodeInfoWithStorage) node)
        .map(node -> node.getStorageID() + " " + node.getStorageType())
        .collect(Collectors.toList())
        .toString();
  }
}
