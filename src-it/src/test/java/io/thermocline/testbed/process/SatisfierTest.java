// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.tiering.act.ActLimits;
import io.thermocline.tiering.act.HdfsSatisfier;
import io.thermocline.tiering.act.MoveState;
import io.thermocline.tiering.act.OperationBudget;
import io.thermocline.tiering.act.PlanExecutor;
import io.thermocline.tiering.act.SatisfierExecutor;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.Gate;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.Target;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.Move;
import io.thermocline.tiering.plan.Plan;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Moves by Hadoop's own satisfier, a process as in production, which comes later than the first requests. */
@Tag("cluster")
class SatisfierTest {

  private static final String SATISFIER =
      "org.apache.hadoop.hdfs.server.sps.ExternalStoragePolicySatisfier";
  private static final int FILES = 3;

  @Test
  void movesWhatItIsAskedForAlsoWhereItComesLater() throws Exception {
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
        .keepLogs(TestLines.logs("satisfier"))
        .setting("dfs.storage.policy.satisfier.work.multiplier.per.iteration", "100")
        .setting("dfs.storage.policy.satisfier.recheck.timeout.millis", "3000");
    for (int i = 1; i <= 3; i++) {
      builder.node(
          new ProcessNode(
              "dn" + i, "rack" + (i + 1) / 2, List.of(StorageType.DISK, StorageType.SSD)));
    }
    try (ProcessCluster cluster = builder.start()) {
      HdfsSatisfier hdfs =
          new HdfsSatisfier(
              cluster.client().getClient(), Clock.systemUTC(), OperationBudget.unlimited());
      List<Plan.FileMoves> files = new ArrayList<>();
      for (int i = 0; i < FILES; i++) {
        files.add(promotion(cluster, hdfs, "/f" + i));
      }
      List<String> ended = new ArrayList<>();
      List<Boolean> isRunning = new ArrayList<>();
      new SatisfierExecutor(
              hdfs,
              new ActLimits(
                  2, 1, 50, Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(3)),
              new PlanExecutor.Machinery(
                  null,
                  System::nanoTime,
                  wait -> {
                    if (isRunning.isEmpty()) {
                      isRunning.add(true);
                      start(cluster);
                    }
                    TimeUnit.NANOSECONDS.sleep(wait.toNanos());
                  }),
              (path, policy) -> {})
          .execute(
              new Plan(1, files, List.of()),
              (move, state, detail) -> {
                if (state.isFinal()) {
                  ended.add(move.path() + " " + state + " " + detail);
                }
              });
      assertEquals(FILES, ended.size(), ended::toString);
      ended.forEach(end -> assertTrue(end.contains(" " + MoveState.VERIFIED), ended::toString));
    }
  }

  private static void start(ProcessCluster cluster) {
    try {
      cluster.startServer("satisfier", SATISFIER);
    } catch (IOException e) {
      throw new AssertionError("the satisfier doesn't start", e);
    }
  }

  private static Plan.FileMoves promotion(ProcessCluster cluster, HdfsSatisfier hdfs, String path)
      throws IOException {
    try (OutputStream out =
        cluster.client().createFile(new Path(path)).replication((short) 2).build()) {
      out.write(new byte[100_000]);
    }
    Eventually.holds(
        "two replicas of " + path,
        () -> hdfs.file(path).orElseThrow().blocks().get(0).replicas().size() == 2);
    FileView file = hdfs.file(path).orElseThrow();
    FileView.Block block = file.blocks().get(0);
    FileView.Replica replica = block.replicas().get(0);
    Decision decision =
        new Decision(
            new HotFile(file, 1),
            StorageType.DISK,
            new Target(List.of(StorageType.SSD, StorageType.DISK), "ONE_SSD"),
            Decision.Cause.PROMOTED,
            "1.0 reads",
            new Gate.Benefit(2, 0, 1));
    Move move = new Move(path, path, block, replica, replica.node(), "", StorageType.SSD);
    return new Plan.FileMoves(decision, "ONE_SSD", List.of(move));
  }
}
