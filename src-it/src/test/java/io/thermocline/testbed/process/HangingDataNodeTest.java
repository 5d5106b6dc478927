// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.tiering.act.ActLimits;
import io.thermocline.tiering.act.ClusterWatch;
import io.thermocline.tiering.act.DataNodeStates;
import io.thermocline.tiering.act.DirectedMoves;
import io.thermocline.tiering.act.ExecutionControl;
import io.thermocline.tiering.act.HdfsSurroundings;
import io.thermocline.tiering.act.OperationBudget;
import io.thermocline.tiering.act.PlanExecutor;
import io.thermocline.tiering.act.Surroundings;
import io.thermocline.tiering.act.Windows;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.Gate;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.Target;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.Move;
import io.thermocline.tiering.plan.Plan;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A DataNode that is frozen in the middle of a plan holds up its own moves alone, visibly, and for a bounded time. */
@Tag("cluster")
class HangingDataNodeTest {

  private static final String HANGING = "dn3";
  private static final Path MUTEX = new Path("/system/thermocline/mover.id");

  private final List<String> changes = Collections.synchronizedList(new ArrayList<>());
  private final List<String> shown = Collections.synchronizedList(new ArrayList<>());
  private final ExecutionControl control = ExecutionControl.running(Clock.systemUTC());

  @Test
  void holdsUpItsOwnMovesAlone() throws Exception {
    ProcessCluster.Builder builder;
    try {
      builder =
          ProcessCluster.builder(
              HadoopLine.resolve(System.getProperty("hadoop.line", "3.4.3"), TestLines.DIRECTORY));
    } catch (UnresolvedHadoopException e) {
      Assumptions.abort(e.getMessage());
      return;
    }
    builder
        .keepLogs(TestLines.logs("hanging"))
        // Live for ten minutes without a heartbeat, as on a cluster of people's.
        .setting("dfs.namenode.heartbeat.recheck-interval", "300000");
    for (int i = 1; i <= 3; i++) {
      builder.node(new ProcessNode("dn" + i, "rack", List.of(StorageType.DISK, StorageType.SSD)));
    }
    try (ProcessCluster cluster = builder.start()) {
      Configuration conf = new Configuration(cluster.configuration());
      conf.setInt(HdfsClientConfigKeys.DFS_CLIENT_SOCKET_TIMEOUT_KEY, 16_000);
      try (DirectedMoves moves = new DirectedMoves(cluster.uri(), MUTEX, conf)) {
        List<Plan.FileMoves> files =
            List.of(
                promotion(cluster, moves, "/hangs", HANGING),
                promotion(cluster, moves, "/waits", HANGING),
                promotion(cluster, moves, "/goes-on", "dn2"));
        cluster.freeze(HANGING);
        try {
          execute(cluster, moves, files);
        } finally {
          cluster.thaw(HANGING);
        }
      }
    }
    String name = "DataNode .*:\\d+";
    assertTrue(indexOf("/goes-on COPIED") < indexOf("/hangs FAILED"), changes::toString);
    assertMatch(changes, "/waits OBSOLETE " + name + " has sent no heartbeat for \\d+ s: .*");
    assertMatch(changes, "/hangs FAILED .*waiting for " + name + " to copy from .*: no answer .*");
    assertMatch(
        shown,
        "\\d: plan 1 has made no progress for .* the copy of /hangs .*waiting for " + name + " .*");
    assertMatch(shown, "\\d+: .*" + name + " has sent no heartbeat for \\d+ s");
  }

  private int indexOf(String change) {
    return changes.stream().map(one -> one.startsWith(change)).toList().indexOf(true);
  }

  private static void assertMatch(List<String> lines, String pattern) {
    assertTrue(
        lines.stream().anyMatch(one -> one.matches(pattern)), () -> pattern + " in " + lines);
  }

  /** One copy at a time: as long as nobody knows better, the one that hangs holds up all. */
  private void execute(ProcessCluster cluster, DirectedMoves moves, List<Plan.FileMoves> files)
      throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      PlanExecutor executor =
          new PlanExecutor(
              moves,
              new ActLimits(
                  1, 1, 3, Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofMinutes(1)),
              new PlanExecutor.Machinery(
                  threads,
                  System::nanoTime,
                  wait -> TimeUnit.NANOSECONDS.sleep(wait.toNanos()),
                  control),
              (path, policy) -> {});
      HdfsSurroundings around =
          new HdfsSurroundings(
              cluster.client().getClient(),
              () -> DataNodeStates.of(cluster.client().getClient(), OperationBudget.unlimited()),
              Set.of(),
              List.of(),
              OperationBudget.unlimited(),
              states -> Map.of(),
              HdfsSurroundings.silentAfter(cluster.configuration()));
      ClusterWatch watch =
          new ClusterWatch(
              around::read,
              Windows.always(),
              new Surroundings.Bounds(1000, 100, 100, Double.POSITIVE_INFINITY),
              control,
              executor,
              Clock.systemUTC());
      long began = System.nanoTime();
      control.watch().begin("plan 1", System::nanoTime);
      threads.execute(() -> look(watch, executor, began));
      executor.execute(
          new Plan(1, files, List.of()),
          (move, state, detail) -> changes.add(move.path() + " " + state + " " + detail.strip()));
      control.watch().end();
      Eventually.holds(
          "the other's end", () -> changes.stream().anyMatch("/goes-on VERIFIED "::equals));
      changes.replaceAll(String::strip);
    } finally {
      threads.shutdownNow();
      assertTrue(threads.awaitTermination(30, TimeUnit.SECONDS));
    }
  }

  private void look(ClusterWatch watch, PlanExecutor executor, long began) {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        watch.look();
        long seconds = (System.nanoTime() - began) / 1_000_000_000;
        shown.add(seconds + ": " + control.obstacle());
        shown.add(seconds + ": " + executor.throttle().why());
        TimeUnit.MILLISECONDS.sleep(500);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A file on the two others' disks, one replica of which goes to SSD on this one. */
  private static Plan.FileMoves promotion(
      ProcessCluster cluster, DirectedMoves moves, String path, String target) throws IOException {
    InetSocketAddress[] holders = {address(cluster, "dn1"), address(cluster, "dn2")};
    try (OutputStream out =
        cluster
            .client()
            .createFile(new Path(path))
            .replication((short) 2)
            .favoredNodes(holders)
            .build()) {
      out.write(new byte[100_000]);
    }
    Eventually.holds(
        "two replicas of " + path,
        () -> moves.file(path).orElseThrow().blocks().get(0).replicas().size() == 2);
    FileView file = moves.file(path).orElseThrow();
    FileView.Block block = file.blocks().get(0);
    String source = cluster.info(target.equals(HANGING) ? "dn1" : target).getDatanodeUuid();
    FileView.Replica replica =
        block.replicas().stream().filter(one -> one.node().equals(source)).findAny().orElseThrow();
    Decision decision =
        new Decision(
            new HotFile(file, 1),
            StorageType.DISK,
            new Target(List.of(StorageType.SSD, StorageType.DISK), "ONE_SSD"),
            Decision.Cause.PROMOTED,
            "1.0 reads",
            new Gate.Benefit(2, 0, 1));
    Move move =
        new Move(
            path,
            path,
            block,
            replica,
            cluster.info(target).getDatanodeUuid(),
            "",
            StorageType.SSD);
    return new Plan.FileMoves(decision, "ONE_SSD", List.of(move));
  }

  private static InetSocketAddress address(ProcessCluster cluster, String node) throws IOException {
    return new InetSocketAddress(cluster.info(node).getIpAddr(), cluster.info(node).getXferPort());
  }
}
