// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import static io.thermocline.placement.hdfs.FakeCluster.GB;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.placement.hdfs.PlacementCounters.Event;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Which replica goes after a move, on three nodes of rack 1 (0 to 2), two of rack 2 (3, 4) and one of
 * rack 3 (5), each with a DISK, an SSD and an ARCHIVE storage.
 */
class ReplicasToDeleteTest {
  private static final int DISK = 0;
  private static final int SSD = 1;
  private static final int ARCHIVE = 2;

  private final FakeCluster cluster = new FakeCluster();
  private ThermoclinePlacementPolicy policy;

  @BeforeEach
  void cluster() {
    for (String rack : List.of("/1", "/1", "/1", "/2", "/2", "/3")) {
      cluster.add(
          rack,
          StorageType.DISK,
          100 * GB,
          StorageType.SSD,
          10 * GB,
          StorageType.ARCHIVE,
          500 * GB);
    }
    policy = cluster.policy(1);
  }

  @Test
  void moveToATypeOutsideTheStoragePolicyStays() {
    List<DatanodeStorageInfo> replicas = replicas(0, DISK, 3, DISK, 1, SSD);
    assertEquals(List.of(cluster.storage(0, DISK)), chosen(policy, "HOT", 2, replicas, 1, 0));
    assertEquals(1, policy.counters().get(Event.HINT_HONOURED));
    // What it's for: the stock policy deletes the replica that has just been made.
    assertEquals(List.of(cluster.storage(1, SSD)), chosen(stock(), "HOT", 2, replicas, 1, 0));
  }

  @Test
  void moveToARackOfItsOwnStays() {
    assertEquals(
        List.of(cluster.storage(0, DISK)),
        chosen(policy, "HOT", 3, replicas(0, DISK, 3, DISK, 4, DISK, 5, SSD), 5, 0));
  }

  @Test
  void moveThatWouldCostARackIsUndone() {
    // COLD: the DISK replica of rack 1 was to become an ARCHIVE one, but beside the other of rack
    // 2.
    List<DatanodeStorageInfo> replicas = replicas(0, DISK, 3, ARCHIVE, 4, ARCHIVE);
    assertEquals(List.of(), chosen(stock(), "COLD", 2, replicas, 4, 0), "stays for good");
    List<DatanodeStorageInfo> chosen = chosen(policy, "COLD", 2, replicas, 4, 0);
    assertEquals(1, chosen.size());
    assertEquals("/2", chosen.get(0).getDatanodeDescriptor().getNetworkLocation());
    assertEquals(1, policy.counters().get(Event.EXCESS_HEALED));
    assertEquals(0, policy.counters().get(Event.HINT_HONOURED));
  }

  @Test
  void stuckBlockHealsWithoutAHintToo() {
    List<DatanodeStorageInfo> replicas = replicas(0, DISK, 3, ARCHIVE, 4, ARCHIVE);
    assertEquals(1, chosen(policy, "COLD", 2, replicas, -1, -1).size());
  }

  @Test
  void hintIsIgnoredWhereMoreThanOneReplicaGoesOrNone() {
    List<DatanodeStorageInfo> replicas = replicas(0, DISK, 3, DISK, 5, DISK, 1, SSD);
    List<DatanodeStorageInfo> chosen = chosen(policy, "HOT", 2, replicas, 1, 0);
    assertEquals(chosen(stock(), "HOT", 2, replicas, 1, 0), chosen);
    assertEquals(2, chosen.size());
    assertEquals(List.of(), chosen(policy, "HOT", 4, replicas, 1, 0));
    assertEquals(0, policy.counters().get(Event.HINT_HONOURED));
  }

  @Test
  void replicaOfAnExcessTypeGoesBeforeTheOneThatAMoveWithinThePolicyNames() {
    List<DatanodeStorageInfo> replicas = replicas(0, DISK, 3, DISK, 5, DISK, 1, SSD);
    assertEquals(List.of(cluster.storage(1, SSD)), chosen(policy, "HOT", 3, replicas, 5, 0));
    assertEquals(List.of(cluster.storage(1, SSD)), chosen(stock(), "HOT", 3, replicas, 5, 0));
    assertEquals(0, policy.counters().get(Event.HINT_HONOURED));
    // A second move to the type outside the policy leaves the first one's replica.
    List<DatanodeStorageInfo> moved = replicas(0, DISK, 3, DISK, 1, SSD, 5, SSD);
    assertEquals(List.of(cluster.storage(0, DISK)), chosen(policy, "HOT", 3, moved, 5, 0));
  }

  @Test
  void hintThatIsNoReplicaOrTheAddedNodeItselfIsIgnored() {
    List<DatanodeStorageInfo> replicas = replicas(0, DISK, 3, DISK, 1, SSD);
    List<DatanodeStorageInfo> undone = List.of(cluster.storage(1, SSD));
    assertEquals(undone, chosen(policy, "HOT", 2, replicas, 1, 5));
    assertEquals(undone, chosen(policy, "HOT", 2, replicas, 5, 0));
    assertEquals(undone, chosen(policy, "HOT", 2, replicas, 1, 1));
    // A node with two replicas: which of them was meant can't be told.
    assertEquals(1, chosen(policy, "HOT", 2, replicas(0, DISK, 0, SSD, 3, DISK), 3, 0).size());
    assertEquals(0, policy.counters().get(Event.HINT_HONOURED));
  }

  private BlockPlacementPolicyDefault stock() {
    return new StockPolicy(cluster);
  }

  private List<DatanodeStorageInfo> replicas(int... nodesAndStorages) {
    List<DatanodeStorageInfo> replicas = new ArrayList<>();
    for (int i = 0; i < nodesAndStorages.length; i += 2) {
      replicas.add(cluster.storage(nodesAndStorages[i], nodesAndStorages[i + 1]));
    }
    return replicas;
  }

  private List<DatanodeStorageInfo> chosen(
      BlockPlacementPolicyDefault policy,
      String storagePolicy,
      int expected,
      List<DatanodeStorageInfo> replicas,
      int added,
      int hint) {
    List<StorageType> excess =
        FakeCluster.storagePolicy(storagePolicy)
            .chooseExcess((short) expected, Arrays.asList(types(replicas)));
    return policy.chooseReplicasToDelete(
        replicas, replicas, expected, excess, node(added), node(hint));
  }

  private DatanodeDescriptor node(int number) {
    return number < 0 ? null : cluster.datanode(number).node();
  }

  private static StorageType[] types(List<DatanodeStorageInfo> replicas) {
    return replicas.stream().map(DatanodeStorageInfo::getStorageType).toArray(StorageType[]::new);
  }
}
