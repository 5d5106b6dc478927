// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import static io.thermocline.placement.hdfs.FakeCluster.GB;
import static org.apache.hadoop.fs.StorageType.DISK;
import static org.apache.hadoop.fs.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.choice.CandidateSets;
import io.thermocline.placement.choice.Choice;
import io.thermocline.placement.choice.ChoiceEngine;
import io.thermocline.placement.choice.Metric;
import io.thermocline.placement.choice.PublishedPolicy;
import io.thermocline.placement.choice.SaltedCandidates;
import io.thermocline.placement.choice.SelectorPlacement;
import io.thermocline.placement.choice.ServerAttributes;
import io.thermocline.placement.choice.ServerMetrics;
import io.thermocline.placement.suora.BucketSegments;
import io.thermocline.placement.suora.NumberLine;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.junit.jupiter.api.Test;

/** What a policy sees of a NameNode's DataNodes, and that it is enough to choose. */
class NameNodeMetricsTest {
  private static final double EXACT = 1e-12;

  private final FakeCluster cluster = new FakeCluster();

  @Test
  void heartbeatsBecomeMetrics() {
    cluster.add("/rack1", DISK, 100 * GB, SSD, 10 * GB);
    cluster.add("/rack2", DISK, 50 * GB);
    cluster.datanode(0).with(DISK, "n000-s0", 100 * GB, 25 * GB).heartbeat(8 * GB, 3 * GB, 17);
    DatanodeStorageInfo[] storages = {
      cluster.storage(0, 0), cluster.storage(0, 1), null, cluster.storage(1, 0)
    };
    String slow = cluster.datanode(1).node().getDatanodeUuid();
    NameNodeMetrics source = new NameNodeMetrics(ServerAttributes.NONE, () -> Set.of(slow));
    ServerMetrics metrics = source.ofStorages(storages);
    assertEquals(.75, metrics.value(Metric.DISK_USED, 0), EXACT);
    assertEquals(0, metrics.value(Metric.DISK_USED, 1), EXACT);
    assertEquals(25 * GB, metrics.value(Metric.DISK_REMAINING, 0));
    assertEquals(10 * GB, metrics.value(Metric.DISK_CAPACITY, 1));
    assertUnknown(metrics, Metric.DISK_USED, 2);
    for (int storage : new int[] {0, 1}) {
      assertEquals(17, metrics.value(Metric.XCEIVERS, storage));
      assertEquals(8 * GB, metrics.value(Metric.CACHE_CAPACITY, storage));
      assertEquals(3 * GB, metrics.value(Metric.CACHE_USED, storage));
      assertEquals(5 * GB, metrics.value(Metric.CACHE_REMAINING, storage));
      assertEquals(0, metrics.value(Metric.SLOW, storage));
    }
    assertEquals(1, metrics.value(Metric.SLOW, 3));
    // What no heartbeat carries is unknown, not 0; and the cache is not free memory.
    assertUnknown(metrics, Metric.MEMORY_FREE, 0);
    assertUnknown(metrics, Metric.CPU_USED, 0);
    assertUnknown(metrics, Metric.WRITE_LATENCY, 0);
    assertUnknown(metrics, Metric.JOURNAL_UNFLUSHED, 0);
  }

  @Test
  void aNodeThatHasNotReportedSaysNothing() {
    cluster.add("/rack1");
    cluster.datanode(0).with(DISK, "n000-s0", 0, 0);
    ServerMetrics metrics =
        new NameNodeMetrics(ServerAttributes.NONE, null)
            .ofStorages(new DatanodeStorageInfo[] {cluster.storage(0, 0), null});
    assertUnknown(metrics, Metric.DISK_USED, 0);
    assertUnknown(metrics, Metric.XCEIVERS, 0);
    assertUnknown(metrics, Metric.SLOW, 0);
    assertUnknown(metrics, Metric.DISK_USED, 1);
  }

  @Test
  void attributesGiveWhatHeartbeatsDoNot() {
    DatanodeDescriptor node = cluster.add("/rack1", DISK, GB);
    ServerAttributes attributes =
        (metric, host) ->
            host.equals(node.getHostName()) && metric.equals(Metric.MEMORY_FREE) ? 42 : Double.NaN;
    ServerMetrics metrics =
        NameNodeMetrics.of(attributes)
            .ofStorages(new DatanodeStorageInfo[] {cluster.storage(0, 0)});
    assertEquals(42, metrics.value(Metric.MEMORY_FREE, 0));
    assertUnknown(metrics, Metric.CPU_USED, 0);
  }

  @Test
  void distanceIsFromTheWriter() {
    for (int node = 0; node < 3; node++) {
      cluster.add(node < 2 ? "/rack1" : "/rack2", DISK, GB);
    }
    ServerMetrics metrics =
        new NameNodeMetrics(ServerAttributes.NONE, null)
            .ofStorages(
                new DatanodeStorageInfo[] {
                  cluster.storage(0, 0), cluster.storage(1, 0), cluster.storage(2, 0)
                });
    for (int node = 0; node < 3; node++) {
      // As Hadoop measures it.
      assertEquals(
          cluster.topology().getDistance(cluster.datanode(0).node(), cluster.datanode(node).node()),
          metrics
              .seenFrom(NameNodeMetrics.locationOf(cluster.datanode(0).node()))
              .value(Metric.DISTANCE, node));
    }
  }

  /** A line of the NameNode's storages, its metrics, a block: no candidate with the full node wins. */
  @Test
  void spacePolicyPassesOverTheFullestStorageOfALine() {
    TreeMap<String, Long> capacities = new TreeMap<>();
    for (int node = 0; node < 12; node++) {
      cluster.add("/rack" + node % 3, DISK, 100 * GB);
      cluster.datanode(node).with(DISK, String.format("n%03d-s0", node), 100 * GB, 60 * GB);
      capacities.put(String.format("n%03d-s0", node), 100 * GB);
    }
    cluster.datanode(5).with(DISK, "n005-s0", 100 * GB, GB);
    NumberLine line = BucketSegments.assign(capacities).numberLine();
    DatanodeStorageInfo[] storages = new DatanodeStorageInfo[line.devices()];
    int full = -1;
    for (int device = 0; device < storages.length; device++) {
      int node = Integer.parseInt(line.deviceId(device).substring(1, 4));
      storages[device] = cluster.storage(node, 0);
      full = node == 5 ? device : full;
    }
    ServerMetrics metrics = NameNodeMetrics.of(ServerAttributes.NONE).ofStorages(storages);
    ChoiceEngine engine = new ChoiceEngine(PublishedPolicy.SPACE);
    CandidateSets sets = new CandidateSets(2, 3);
    int avoided = 0;
    for (long block = 0; block < 2_000; block++) {
      SaltedCandidates.fill(block, SelectorPlacement.on(line.selector(1)), sets);
      Choice choice = engine.choose(sets, metrics);
      boolean first = contains(sets.set(0), full);
      boolean second = contains(sets.set(1), full);
      assertEquals(first && second, contains(choice.devices(), full), choice.toString());
      avoided += first && !second ? 1 : 0;
    }
    assertTrue(avoided > 100, "avoided " + avoided + " times");
  }

  @Test
  void settingsAreReadAndBadOnesReplaced() {
    Configuration conf = new Configuration(false);
    ChoiceSettings off = ChoiceSettings.of(conf);
    assertEquals(1, off.candidates());
    assertTrue(!off.isOn() && off.problems().isEmpty());
    conf.set(ChoiceSettings.CANDIDATES_KEY, " 3 ");
    conf.set(ChoiceSettings.POLICY_KEY, "memory");
    ChoiceSettings on = ChoiceSettings.of(conf);
    assertEquals(3, on.candidates());
    assertTrue(on.isOn() && on.problems().isEmpty());
    assertEquals(PublishedPolicy.MEMORY, on.engine().policy());
    conf.set(ChoiceSettings.CANDIDATES_KEY, "two");
    conf.set(ChoiceSettings.POLICY_KEY, "fastest");
    ChoiceSettings bad = ChoiceSettings.of(conf);
    assertEquals(1, bad.candidates());
    assertEquals(PublishedPolicy.SPACE, bad.engine().policy());
    assertEquals(2, bad.problems().size());
    assertTrue(
        bad.problems().get(0).contains("two") && bad.problems().get(0).contains("using 1"),
        bad.problems().toString());
    assertTrue(
        bad.problems().get(1).contains("fastest") && bad.problems().get(1).contains("using space"),
        bad.problems().toString());
    conf.set(ChoiceSettings.CANDIDATES_KEY, "17");
    assertEquals(1, ChoiceSettings.of(conf).candidates());
  }

  private static void assertUnknown(ServerMetrics metrics, Metric metric, int server) {
    double value = metrics.value(metric, server);
    assertTrue(Double.isNaN(value), metric + " of " + server + " is " + value);
  }

  private static boolean contains(int[] devices, int device) {
    for (int one : devices) {
      if (one == device) {
        return true;
      }
    }
    return false;
  }
}
