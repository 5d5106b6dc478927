// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import static io.thermocline.placement.hdfs.FakeCluster.GB;
import static io.thermocline.placement.hdfs.FakeCluster.await;
import static io.thermocline.placement.hdfs.FakeCluster.choose;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.hdfs.PlacementCounters.Event;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.net.DFSNetworkTopology;
import org.apache.hadoop.hdfs.protocol.BlockType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicies;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.NetworkTopologyWithNodeGroup;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.test.GenericTestUtils;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The policy on fake DataNodes, without a NameNode. */
class ThermoclinePlacementPolicyTest {
  private static final StorageType DISK = StorageType.DISK;
  private static final StorageType SSD = StorageType.SSD;
  private static final StorageType ARCHIVE = StorageType.ARCHIVE;

  private final FakeCluster cluster = new FakeCluster();

  @Test
  void singleReplicasFollowTheCapacityOfStorages() {
    long seed = 20261120;
    Random random = new Random(seed);
    Map<String, Long> capacities = new HashMap<>();
    for (int node = 0; node < 20; node++) {
      long one = (100 + random.nextInt(900)) * GB;
      long two = (100 + random.nextInt(900)) * GB;
      cluster.add("/r" + node % 4, DISK, one, SSD, 50 * GB, DISK, two);
      capacities.put(cluster.storage(node, 0).getStorageID(), one);
      capacities.put(cluster.storage(node, 2).getStorageID(), two);
    }
    ThermoclinePlacementPolicy policy = cluster.policy(seed);
    int draws = 40_000;
    Map<String, Integer> counts = new HashMap<>();
    for (int i = 0; i < draws; i++) {
      counts.merge(choose(policy, "HOT", 1)[0].getStorageID(), 1, Integer::sum);
    }
    double total = capacities.values().stream().mapToLong(Long::longValue).sum();
    double chiSquare = 0;
    for (Map.Entry<String, Long> entry : capacities.entrySet()) {
      double expected = draws * entry.getValue() / total;
      chiSquare += Math.pow(counts.get(entry.getKey()) - expected, 2) / expected;
    }
    // Mean and variance of chi-square with 39 degrees of freedom; 6 sigma.
    assertTrue(chiSquare < 39 + 6 * Math.sqrt(2 * 39), "chi-square " + chiSquare + ", " + seed);
    assertEquals(draws, policy.counters().drawn());
  }

  @Test
  void storagePoliciesGetTheirTypesOnDistinctNodesAndTwoRacks() {
    for (int node = 0; node < 12; node++) {
      cluster.add("/r" + node % 3, ARCHIVE, 500 * GB, DISK, 200 * GB, SSD, 50 * GB);
    }
    ThermoclinePlacementPolicy policy = cluster.policy(1);
    Map<String, String> expected =
        Map.of(
            "HOT", "[DISK, DISK, DISK]",
            "COLD", "[ARCHIVE, ARCHIVE, ARCHIVE]",
            "WARM", "[ARCHIVE, ARCHIVE, DISK]",
            "ONE_SSD", "[DISK, DISK, SSD]",
            "ALL_SSD", "[SSD, SSD, SSD]");
    expected.forEach(
        (name, types) -> {
          for (int i = 0; i < 200; i++) {
            DatanodeStorageInfo[] targets = choose(policy, name, 3);
            assertEquals(types, types(targets), name);
            assertEquals(3, count(targets, one -> one.getDatanodeDescriptor().getName()));
            assertEquals(
                2, count(targets, one -> one.getDatanodeDescriptor().getNetworkLocation()));
          }
        });
    assertEquals(5 * 200 * 3, policy.counters().drawn());
    assertEquals(0, policy.counters().get(Event.NO_CANDIDATE));
  }

  @Test
  void diskAndSsdReplicasDontPickTheSameHost() {
    for (int node = 0; node < 16; node++) {
      cluster.add("/r", DISK, 100 * GB, SSD, 100 * GB);
    }
    // The same nonces for both types: with one seed for both buckets every pair would coincide.
    ThermoclinePlacementPolicy disks = cluster.policy(5);
    ThermoclinePlacementPolicy ssds = cluster.policy(5);
    int same = 0;
    int draws = 4000;
    for (int i = 0; i < draws; i++) {
      if (choose(disks, "HOT", 1)[0].getDatanodeDescriptor()
          == choose(ssds, "ALL_SSD", 1)[0].getDatanodeDescriptor()) {
        same++;
      }
    }
    double p = 1 / 16.0;
    assertEquals(draws * p, same, 5 * Math.sqrt(draws * p * (1 - p)));
  }

  @Test
  void unfitStoragesArePassedOver() {
    DatanodeDescriptor dead = cluster.add("/a", DISK, 100 * GB);
    DatanodeDescriptor leaving = cluster.add("/a", DISK, 100 * GB);
    DatanodeDescriptor excluded = cluster.add("/a", DISK, 100 * GB);
    cluster.add("/a", DISK, 100 * GB);
    cluster.datanode(3).with(DISK, "n003-s0", 100 * GB, FakeCluster.BLOCK - 1);
    DatanodeDescriptor half = cluster.add("/a", DISK, 100 * GB, DISK, 100 * GB);
    cluster.datanode(4).with(DISK, "n004-s0", 100 * GB, 0);
    ThermoclinePlacementPolicy policy = cluster.policy(2);
    dead.setAlive(false);
    leaving.startDecommission();
    for (int i = 0; i < 100; i++) {
      DatanodeStorageInfo[] targets = choose(policy, "HOT", 1, excluded);
      assertEquals(1, targets.length);
      // The one storage with space, where the stock policy would name the node's first.
      assertEquals("n004-s1", targets[0].getStorageID());
      assertEquals(half, targets[0].getDatanodeDescriptor());
    }
    assertEquals(100, policy.counters().drawn());
  }

  @Test
  void scheduledBlocksCountAsUsed() {
    DatanodeDescriptor busy = cluster.add("/a", DISK, 3 * FakeCluster.BLOCK);
    cluster.add("/a", DISK, 3 * FakeCluster.BLOCK);
    ThermoclinePlacementPolicy policy = cluster.policy(3);
    for (int i = 0; i < 3; i++) {
      DatanodeStorageInfo.incrementBlocksScheduled(busy.getStorageInfos());
    }
    for (int i = 0; i < 50; i++) {
      assertEquals("n001-s0", choose(policy, "HOT", 1)[0].getStorageID());
    }
  }

  @Test
  void resultsExclusionsAndTypesAreKeptAsTheStockPolicyDoes() throws Exception {
    for (int node = 0; node < 6; node++) {
      cluster.add("/r" + node % 2, DISK, 100 * GB, SSD, 10 * GB);
    }
    ThermoclinePlacementPolicy policy = cluster.policy(4);
    List<DatanodeStorageInfo> results = new ArrayList<>();
    Set<Node> excluded = new HashSet<>(List.of(cluster.datanode(0).node()));
    EnumMap<StorageType, Integer> wanted = new EnumMap<>(Map.of(SSD, 1, DISK, 2));
    DatanodeStorageInfo first =
        policy.chooseRandom(2, "~/r1", excluded, FakeCluster.BLOCK, 3, results, false, wanted);
    assertEquals(List.of(first), results.subList(0, 1));
    assertEquals("[DISK, SSD]", types(results.toArray(new DatanodeStorageInfo[0])));
    assertEquals(SSD, first.getStorageType());
    assertEquals(Map.of(DISK, 1), wanted);
    // Of the even nodes, which are in /r0, node 0 was excluded and the others are now.
    assertEquals(
        Set.of(0, 2, 4).stream()
            .map(number -> (Node) cluster.datanode(number).node())
            .collect(Collectors.toSet()),
        excluded);
    assertEquals(2, policy.counters().drawn());
  }

  @Test
  void stockPolicyTakesOverWhereTheLineLeadsNowhere() {
    cluster.add("/a", DISK, 100 * GB);
    ThermoclinePlacementPolicy policy = cluster.policy(5);
    // No SSD: ALL_SSD falls back to DISK, as the storage policy says.
    assertEquals("[DISK]", types(choose(policy, "ALL_SSD", 1)));
    assertEquals(1, policy.counters().get(Event.ANSWERED));
    assertEquals(0, choose(policy, "HOT", 1, cluster.datanode(0).node()).length);
    assertEquals(1, policy.counters().get(Event.NOT_ENOUGH));
  }

  @Test
  void ourFailureIsCountedAndTheStockPolicyPlaces() {
    for (int node = 0; node < 6; node++) {
      cluster.add("/r" + node % 2, DISK, 100 * GB);
    }
    ThermoclinePlacementPolicy policy =
        cluster.started(
            new ThermoclinePlacementPolicy(
                new PolicyHost(
                    System::nanoTime,
                    () -> {
                      throw new IllegalStateException("injected");
                    },
                    Thread::sleep)));
    assertEquals(3, choose(policy, "HOT", 3).length);
    // The call, then each draw of the stock policy's.
    assertEquals(4, policy.counters().get(Event.PLACEMENT_FAILED));
    assertEquals(0, policy.counters().drawn());
  }

  @Test
  void nodesThatJoinAndLeaveShowAfterARefresh() {
    cluster.add("/a", DISK, 100 * GB);
    ThermoclinePlacementPolicy policy = cluster.policy(6);
    assertFalse(policy.hasLine(SSD));
    DatanodeDescriptor late = cluster.add("/b", SSD, 10 * GB);
    await(() -> policy.hasLine(SSD), "the SSD line");
    assertEquals("n001-s0", choose(policy, "ALL_SSD", 1)[0].getStorageID());
    cluster.topology().remove(late);
    await(() -> !policy.hasLine(SSD), "the SSD line's end");
    long built = policy.counters().get(Event.SNAPSHOT_BUILT);
    assertEquals(3, built, "unchanged clusters make no snapshots");
  }

  @Test
  void worksWithNullArgumentsAsBalancerMoverAndFsckCreateIt() {
    cluster
        .conf()
        .setClass(
            DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY,
            ThermoclinePlacementPolicy.class,
            BlockPlacementPolicy.class);
    DatanodeDescriptor a = cluster.add("/a", DISK, 100 * GB);
    DatanodeDescriptor b = cluster.add("/b", DISK, 100 * GB);
    DatanodeDescriptor c = cluster.add("/b", DISK, 100 * GB);
    BlockPlacementPolicy policy =
        new BlockPlacementPolicies(cluster.conf(), null, cluster.topology(), null)
            .getPolicy(BlockType.CONTIGUOUS);
    ThermoclinePlacementPolicy ours = assertInstanceOf(ThermoclinePlacementPolicy.class, policy);
    // As the balancer asks: the target is among the locations.
    List<DatanodeInfo> locations = List.of(a, b, c);
    assertTrue(policy.isMovable(locations, b, c));
    assertFalse(policy.isMovable(locations, a, c));
    assertTrue(
        policy.verifyBlockPlacement(new DatanodeInfo[] {a, b}, 2).isPlacementPolicySatisfied());
    assertFalse(ours.hasLine(DISK));
    assertEquals(0, ours.counters().get(Event.SNAPSHOT_BUILT));
  }

  @Test
  void refreshingThreadEndsWithItsPolicy() {
    cluster.add("/a", DISK, 100 * GB);
    PolicyHost host = new PolicyHost(System::nanoTime, () -> 0, Thread::sleep);
    AtomicReference<ClusterLines> lines = new AtomicReference<>(lines(cluster.topology(), host));
    Thread thread = LineRefresher.start(lines.get(), host, 10, () -> {});
    assertTrue(thread.isDaemon());
    await(() -> lines.get().snapshot() != null, "the first line");
    assertTrue(thread.isAlive());
    lines.set(null);
    await(
        () -> {
          System.gc();
          return !thread.isAlive();
        },
        "the end of the thread");
  }

  @Test
  void secondFailureOfARefreshLeavesAllToTheStockPolicyUntilOneSucceeds() {
    cluster.add("/a", DISK, 100 * GB);
    boolean[] fail = {false};
    PolicyHost host =
        new PolicyHost(
            System::nanoTime,
            () -> 0,
            () -> 0,
            Thread::sleep,
            stage -> {
              if (fail[0] && stage == Stage.BUILD) {
                throw new IllegalStateException("injected");
              }
            });
    ClusterLines lines = lines(cluster.topology(), host);
    lines.refresh();
    ClusterSnapshot snapshot = lines.snapshot();
    fail[0] = true;
    assertThrows(IllegalStateException.class, lines::refresh);
    assertSame(snapshot, lines.snapshot());
    assertFalse(lines.isStopped());
    assertThrows(IllegalStateException.class, lines::refresh);
    assertNull(lines.snapshot());
    assertTrue(lines.isStopped());
    fail[0] = false;
    lines.refresh();
    assertNotNull(lines.snapshot());
    assertFalse(lines.isStopped());
  }

  @Test
  void refreshThatHangsLeavesAllToTheStockPolicyUntilItEnds() {
    cluster.add("/a", DISK, 100 * GB);
    AtomicLong now = new AtomicLong();
    AtomicBoolean hangs = new AtomicBoolean();
    CountDownLatch hung = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    PolicyHost host =
        new PolicyHost(
            now::get,
            () -> 0,
            () -> 0,
            millis -> Thread.sleep(1),
            stage -> {
              if (hangs.get() && stage == Stage.COLLECT) {
                hung.countDown();
                await(() -> answer.getCount() == 0, "the file system's answer");
              }
            });
    ThermoclinePlacementPolicy policy = cluster.started(new ThermoclinePlacementPolicy(host));
    ClusterLines lines = policy.lines();
    GenericTestUtils.LogCapturer log =
        GenericTestUtils.LogCapturer.captureLogs(
            LoggerFactory.getLogger(ThermoclinePlacementPolicy.class));
    hangs.set(true);
    await(() -> hung.getCount() == 0, "a refresh that hangs");
    long longest = TimeUnit.SECONDS.toNanos(ClusterLines.LONGEST_LOOK_SECONDS);
    now.addAndGet(longest);
    lines.watchdog().refresh();
    assertFalse(lines.isStopped());
    assertNotNull(lines.snapshot());
    now.addAndGet(longest);
    await(lines::isStopped, "the end of waiting");
    lines.watchdog().refresh();
    assertEquals(1, choose(policy, "HOT", 1).length);
    assertEquals(1, policy.counters().get(Event.NO_SNAPSHOT));
    assertEquals(0, policy.counters().get(Event.ANSWERED));
    hangs.set(false);
    answer.countDown();
    await(() -> !lines.isStopped(), "a refresh that ends");
    assertEquals(1, choose(policy, "HOT", 1).length);
    assertEquals(1, policy.counters().get(Event.ANSWERED));
    log.stopCapturing();
    assertEquals(
        2, log.getOutput().split("the stock policy places all blocks").length, "said once");
  }

  @Test
  void refreshingThreadGoesOnAfterFailures() {
    cluster.add("/a", DISK, 100 * GB);
    AtomicInteger failures = new AtomicInteger();
    PolicyHost host =
        new PolicyHost(
            System::nanoTime,
            () -> 0,
            () -> 0,
            Thread::sleep,
            stage -> {
              if (failures.get() < 3) {
                failures.incrementAndGet();
                throw new StackOverflowError("injected");
              }
            });
    ClusterLines lines = lines(cluster.topology(), host);
    Thread thread = LineRefresher.start(lines, host, 10, () -> {});
    await(() -> lines.snapshot() != null, "a snapshot");
    assertEquals(3, host.counters().get(Event.REFRESH_FAILED));
    thread.interrupt();
    await(() -> !thread.isAlive(), "the thread's end");
  }

  @Test
  void badSettingIsCountedAndTheDefaultUsed() {
    for (String bad : List.of("soon", "0", "-5", "1.5", "")) {
      cluster.conf().set(ThermoclinePlacementPolicy.REFRESH_KEY, bad);
      PlacementCounters counters = new PlacementCounters();
      assertEquals(1000, PolicySettings.of(cluster.conf(), counters).refreshMillis(), bad);
      assertEquals(1, counters.get(Event.BAD_SETTING), bad);
    }
    cluster.conf().set(ThermoclinePlacementPolicy.REFRESH_KEY, " 250 ");
    cluster.conf().set(ThermoclinePlacementPolicy.LAYOUT_KEY, "suora");
    cluster.conf().set(ChoiceSettings.CANDIDATES_KEY, "3");
    PlacementCounters counters = new PlacementCounters();
    PolicySettings settings = PolicySettings.of(cluster.conf(), counters);
    assertEquals(250, settings.refreshMillis());
    assertEquals(LayoutMode.SUORA, settings.layout());
    assertEquals(3, settings.choice().candidates());
    assertEquals(0, counters.get(Event.BAD_SETTING));
  }

  /** It can't be told from a configuration which class was there before. */
  @Test
  void onlyPoliciesWhoseGuaranteesAreKeptAreReplaced() {
    cluster.add("/a", DISK, 100 * GB);
    String hadoops = "org.apache.hadoop.hdfs.server.blockmanagement.";
    for (String kept :
        List.of("BlockPlacementPolicyDefault", " AvailableSpaceBlockPlacementPolicy ")) {
      cluster.conf().set(OtherPolicies.REPLACES_KEY, kept.replaceFirst("(?=[A-Z])", hadoops));
      assertEquals(0, cluster.policy(1).counters().get(Event.REPLACED_UNKNOWN), kept);
    }
    for (String refused :
        List.of(
            hadoops + "BlockPlacementPolicyRackFaultTolerant",
            hadoops + "AvailableSpaceRackFaultTolerantBlockPlacementPolicy",
            hadoops + "BlockPlacementPolicyWithNodeGroup",
            hadoops + "BlockPlacementPolicyWithUpgradeDomain",
            "com.example.OwnPolicy",
            "default")) {
      cluster.conf().set(OtherPolicies.REPLACES_KEY, refused);
      String why =
          assertThrows(IllegalArgumentException.class, () -> cluster.policy(1)).getMessage();
      assertTrue(why.contains(OtherPolicies.REPLACES_KEY + " is " + refused + ","), why);
      assertEquals(
          refused.contains("RackFaultTolerant"), why.contains("on a rack of its own"), why);
    }
    // An installation of before the key goes on.
    cluster.conf().unset(OtherPolicies.REPLACES_KEY);
    assertEquals(1, cluster.policy(1).counters().get(Event.REPLACED_UNKNOWN));
  }

  @Test
  void clustersWhoseReplicasAreKeptApartOtherwiseAreRefused() {
    cluster.add("/a", DISK, 100 * GB);
    // Hadoop's defaults have a value, and no site asked for it.
    OtherPolicies.refuse(new HdfsConfiguration(), cluster.topology(), new PlacementCounters());
    String racks = OtherPolicies.RACK_FAULT_TOLERANT + "balanced-space-tolerance";
    cluster.conf().setInt(racks, 5);
    String spread =
        assertThrows(IllegalArgumentException.class, () -> cluster.policy(1)).getMessage();
    assertTrue(spread.contains("BlockPlacementPolicyRackFaultTolerant"), spread);
    cluster.conf().setInt(OtherPolicies.UPGRADE_DOMAINS, 3);
    String refused =
        assertThrows(IllegalArgumentException.class, () -> cluster.policy(1)).getMessage();
    assertTrue(refused.contains("BlockPlacementPolicyWithUpgradeDomain"), refused);
    cluster.conf().unset(OtherPolicies.UPGRADE_DOMAINS);
    String grouped =
        assertThrows(
                IllegalArgumentException.class,
                () ->
                    new ThermoclinePlacementPolicy()
                        .initialize(
                            cluster.conf(),
                            FakeCluster.stats(),
                            new NetworkTopologyWithNodeGroup(),
                            null))
            .getMessage();
    assertTrue(grouped.contains("BlockPlacementPolicyWithNodeGroup"), grouped);
  }

  @Test
  void repeatedFailuresAreLoggedOnceAMinute() {
    long[] now = {0};
    RareLog log = new RareLog(() -> now[0]);
    Throwable cause = new IllegalStateException("injected");
    assertTrue(log.warn(Event.PLACEMENT_FAILED, cause));
    assertFalse(log.warn(Event.PLACEMENT_FAILED, cause));
    assertTrue(log.warn(Event.REFRESH_FAILED, cause));
    now[0] = 60_000_000_000L;
    assertTrue(log.warn(Event.PLACEMENT_FAILED, cause));
  }

  private ClusterLines lines(DFSNetworkTopology topology, PolicyHost host) {
    return new ClusterLines(
        topology,
        host,
        PolicySettings.of(cluster.conf(), host.counters()),
        () -> new ClusterLoad(false, false, 0, 1));
  }

  private static String types(DatanodeStorageInfo[] storages) {
    return Arrays.stream(storages)
        .map(one -> one.getStorageType().name())
        .sorted()
        .collect(Collectors.toList())
        .toString();
  }

  private static long count(
      DatanodeStorageInfo[] storages, Function<DatanodeStorageInfo, String> by) {
    return Arrays.stream(storages).map(by).distinct().count();
  }
}
