// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import static io.thermocline.placement.hdfs.FakeCluster.BLOCK;
import static io.thermocline.placement.hdfs.FakeCluster.GB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.hdfs.PlacementCounters.Event;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.FakeDatanode;
import org.apache.hadoop.net.Node;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every stage of ours fails, in turn: each call is answered, counted, and the log stays short. */
class ChaosTest {
  private static final int ROUNDS = 50;

  private final FakeCluster cluster = new FakeCluster();
  private final Set<Stage> reached = EnumSet.noneOf(Stage.class);
  private final Lines log = new Lines();
  private Stage broken;
  private Function<String, Throwable> failure;

  @BeforeEach
  void readTheLog() {
    Logger.getLogger(ThermoclinePlacementPolicy.class).addAppender(log);
  }

  @AfterEach
  void leaveTheLog() {
    Logger.getLogger(ThermoclinePlacementPolicy.class).removeAppender(log);
  }

  static Stream<Arguments> failures() {
    return Stream.of(Stage.values())
        .flatMap(
            stage ->
                Stream.<Function<String, Throwable>>of(
                        IllegalStateException::new, NoClassDefFoundError::new)
                    .map(failure -> Arguments.of(stage, failure)));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void everyCallIsAnswered(Stage stage, Function<String, Throwable> thrown) {
    // Two nodes with SSD on six: three replicas on SSD need a fallback type.
    for (int i = 0; i < 6; i++) {
      cluster.add("/r" + i % 3, StorageType.DISK, 100 * GB, StorageType.SSD, i < 2 ? 10 * GB : 0);
    }
    cluster.conf().setInt(ChoiceSettings.CANDIDATES_KEY, 2);
    cluster
        .conf()
        .set(
            OtherPolicies.REPLACES_KEY,
            "org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault");
    failure = thrown;
    long[] nonce = {7};
    CountDownLatch begun = new CountDownLatch(2);
    PolicyHost host =
        new PolicyHost(
            () -> 0,
            () -> 0,
            () -> nonce[0]++,
            millis -> {
              begun.countDown();
              throw new InterruptedException("refreshed by hand");
            },
            this::at);
    ThermoclinePlacementPolicy policy = new ThermoclinePlacementPolicy(host);
    policy.initialize(cluster.conf(), FakeCluster.stats(), cluster.topology(), null);
    // Of two that fail the second says more.
    FakeCluster.await(() -> begun.getCount() == 0, "the first refresh and look at its time");
    policy.refresh();
    broken = stage;
    for (int i = 0; i < ROUNDS; i++) {
      assertEquals(3, choose(policy, "HOT"));
      assertEquals(3, choose(policy, "ALL_SSD"));
      assertEquals(3, chooseFavoured(policy));
      assertEquals(1, delete(policy).size());
    }
    if (stage == Stage.COLLECT || stage == Stage.BUILD) {
      LineRefresher.start(policy.lines(), host, 1, () -> {});
      // Counted first, then logged.
      FakeCluster.await(() -> log.warnings > 0, "the refresh");
      assertEquals(3, choose(policy, "HOT"));
    }
    assertTrue(reached.contains(stage), "the calls don't reach " + stage);
    PlacementCounters counters = host.counters();
    Event counted =
        stage == Stage.MOVE_HINT
            ? Event.DELETION_FAILED
            : stage == Stage.COLLECT || stage == Stage.BUILD
                ? Event.REFRESH_FAILED
                : Event.PLACEMENT_FAILED;
    long least = counted == Event.REFRESH_FAILED ? 1 : ROUNDS;
    assertTrue(counters.get(counted) >= least, counters.toString());
    assertEquals(1, log.warnings, "the time stands still, so each kind is logged once");
  }

  private void at(Stage stage) {
    reached.add(stage);
    if (stage == broken) {
      ChaosTest.<RuntimeException>raise(failure.apply("injected at " + stage));
    }
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void raise(Throwable failure) throws T {
    throw (T) failure;
  }

  /** By a DataNode; checks what is left in the caller's collections. */
  private int choose(ThermoclinePlacementPolicy policy, String storagePolicy) {
    DatanodeDescriptor writer = cluster.datanode(2).node();
    Set<Node> excluded = new HashSet<>();
    excluded.add(cluster.datanode(5).node());
    List<DatanodeStorageInfo> chosen = new ArrayList<>();
    DatanodeStorageInfo[] targets =
        policy.chooseTarget(
            "/file",
            3,
            writer,
            chosen,
            false,
            excluded,
            BLOCK,
            FakeCluster.storagePolicy(storagePolicy),
            EnumSet.noneOf(AddBlockFlag.class));
    assertTrue(chosen.isEmpty());
    Set<Node> nodes = new HashSet<>();
    for (DatanodeStorageInfo target : targets) {
      nodes.add(target.getDatanodeDescriptor());
    }
    assertTrue(nodes.size() == targets.length && !nodes.contains(cluster.datanode(5).node()));
    assertTrue(excluded.contains(cluster.datanode(5).node()));
    return targets.length;
  }

  private int chooseFavoured(ThermoclinePlacementPolicy policy) {
    return FakeDatanode.chooseTarget(
            policy,
            3,
            null,
            new HashSet<>(),
            BLOCK,
            List.of(cluster.datanode(0).node()),
            FakeCluster.storagePolicy("HOT"))
        .length;
  }

  /** After a move from node 0 to node 3, on the same rack. */
  private List<DatanodeStorageInfo> delete(ThermoclinePlacementPolicy policy) {
    List<DatanodeStorageInfo> replicas =
        List.of(cluster.storage(0, 0), cluster.storage(1, 0), cluster.storage(3, 0));
    return policy.chooseReplicasToDelete(
        replicas,
        replicas,
        2,
        new ArrayList<>(List.of(StorageType.DISK)),
        cluster.datanode(3).node(),
        cluster.datanode(0).node());
  }

  /** Counts what the plugin logs as a warning. */
  private static final class Lines extends AppenderSkeleton {
    private volatile int warnings;

    @Override
    protected synchronized void append(LoggingEvent event) {
      if (event.getLevel().isGreaterOrEqual(org.apache.log4j.Level.WARN)) {
        warnings++;
      }
    }

    @Override
    public void close() {
      // Holds nothing.
    }

    @Override
    public boolean requiresLayout() {
      return false;
    }
  }
}
