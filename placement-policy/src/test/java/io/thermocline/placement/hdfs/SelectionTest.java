// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import static io.thermocline.placement.hdfs.FakeCluster.GB;
import static io.thermocline.placement.hdfs.FakeCluster.choose;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.hdfs.PlacementCounters.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The settings that choose the algorithm within a bucket, and among sets of replicas. */
class SelectionTest {
  private static final int CALLS = 20_000;

  private final FakeCluster cluster = new FakeCluster();
  @TempDir private Path directory;

  @Test
  void ringPlacesByCapacityAndBandwidth() throws IOException {
    for (int i = 0; i < 8; i++) {
      cluster.add("/r" + i % 2, StorageType.DISK, (i < 4 ? 100 : 400) * GB);
    }
    cluster.conf().set(PolicySettings.SELECTION_KEY, "attributed");
    Map<String, Integer> counts = places(cluster.policy(5), 1);
    int small = 0;
    for (int i = 0; i < 4; i++) {
      small += counts.getOrDefault(cluster.storage(i, 0).getStorageID(), 0);
    }
    // A fifth by capacity; a ring of 400 virtual nodes to the largest is off by some percent.
    assertEquals(CALLS * 0.2, small, CALLS * 0.04);
    // With a tenth of the bandwidth the small ones get less wherever a sector holds both kinds.
    StringBuilder text = new StringBuilder("* DISK bandwidth=200MB/s\n");
    for (int i = 0; i < 4; i++) {
      text.append(cluster.datanode(i).node().getHostName()).append(" DISK bandwidth=20MB/s\n");
    }
    Path file = Files.writeString(directory.resolve("attributes"), text);
    cluster.conf().set(PolicySettings.ATTRIBUTES_KEY, file.toString());
    Map<String, Integer> byBandwidth = places(cluster.policy(5), 1);
    int slow = 0;
    for (int i = 0; i < 4; i++) {
      slow += byBandwidth.getOrDefault(cluster.storage(i, 0).getStorageID(), 0);
    }
    assertTrue(slow < small / 2, slow + " against " + small);
  }

  @Test
  void ringFollowsTheCluster() {
    for (int i = 0; i < 6; i++) {
      cluster.add("/r" + i % 3, StorageType.DISK, 100 * GB);
    }
    cluster.conf().set(PolicySettings.SELECTION_KEY, "attributed");
    ThermoclinePlacementPolicy policy = cluster.policy(6);
    cluster.topology().remove(cluster.datanode(2).node());
    cluster.add("/r0", StorageType.DISK, 100 * GB);
    policy.refresh();
    Map<String, Integer> counts = places(policy, 3);
    assertFalse(counts.containsKey(cluster.storage(2, 0).getStorageID()), counts.toString());
    assertEquals(6, counts.size());
    assertEquals(CALLS, policy.counters().get(Event.ANSWERED));
  }

  @Test
  void memoryPolicyPutsTheFirstReplicaWhereMostIsFree() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 8; i++) {
      cluster.add("/r" + i % 4, StorageType.DISK, 100 * GB);
      text.append(cluster.datanode(i).node().getHostName())
          .append(" free-memory=")
          .append(i + 1)
          .append("GB\n");
    }
    Path file = Files.writeString(directory.resolve("attributes"), text);
    cluster.conf().set(PolicySettings.ATTRIBUTES_KEY, file.toString());
    cluster.conf().setInt(ChoiceSettings.CANDIDATES_KEY, 3);
    cluster.conf().set(ChoiceSettings.POLICY_KEY, "memory");
    ThermoclinePlacementPolicy policy = cluster.policy(7);
    Map<String, Integer> counts = places(policy, 1);
    int[] byNode = new int[8];
    for (int i = 0; i < 8; i++) {
      byNode[i] = counts.getOrDefault(cluster.storage(i, 0).getStorageID(), 0);
    }
    // Of three different nodes out of eight, the best: never one of the two worst.
    assertEquals(0, byNode[0] + byNode[1], List.of(byNode[0], byNode[1]).toString());
    double best = CALLS * 3 / 8.0;
    assertEquals(best, byNode[7], 5 * Math.sqrt(best));
    assertEquals(CALLS, policy.counters().get(Event.ANSWERED));
  }

  @Test
  void unknownPolicyIsSaidAndChangesNothing() {
    cluster.add("/r", StorageType.DISK, 100 * GB);
    cluster.conf().set(ChoiceSettings.POLICY_KEY, "fastest");
    ThermoclinePlacementPolicy policy = cluster.policy(8);
    assertEquals(1, policy.counters().get(Event.BAD_SETTING));
    assertEquals(1, choose(policy, "HOT", 1).length);
  }

  private static Map<String, Integer> places(ThermoclinePlacementPolicy policy, int replicas) {
    Map<String, Integer> counts = new HashMap<>();
    for (int i = 0; i < CALLS; i++) {
      for (DatanodeStorageInfo storage : choose(policy, "HOT", replicas)) {
        counts.merge(storage.getStorageID(), 1, Integer::sum);
      }
    }
    return counts;
  }
}
