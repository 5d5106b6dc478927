// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.move;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.act.ActLimits;
import io.thermocline.tiering.act.DirectedMoves;
import io.thermocline.tiering.act.MoveState;
import io.thermocline.tiering.act.PlanExecutor;
import io.thermocline.tiering.app.Seams;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.cluster.HdfsReader;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.TierDecider;
import io.thermocline.tiering.decide.TierLimits;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.Budget;
import io.thermocline.tiering.plan.DirectoryPolicies;
import io.thermocline.tiering.plan.NumberLines;
import io.thermocline.tiering.plan.Plan;
import io.thermocline.tiering.plan.Planner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** A copy of each file of a directory to SSD by the service's own stages, from listing to the last verified move. */
final class DirectedRun {
  private static final int MOST_FILES = 1_000_000;

  private final DistributedFileSystem hdfs;
  private final ActLimits limits;
  private final Seams seams;

  DirectedRun(DistributedFileSystem hdfs, ActLimits limits, Seams seams) {
    this.hdfs = hdfs;
    this.limits = limits;
    this.seams = seams;
  }

  /**
   * @param plannedSeconds until the plan was made
   * @param copiedSeconds until the last DataNode said that it has its copy
   * @param seconds until HDFS showed the last one
   */
  record Times(double plannedSeconds, double copiedSeconds, double seconds) {}

  /**
   * @throws IOException also where a move failed
   */
  Times move(String directory, int files) throws IOException, InterruptedException {
    long start = seams.nanos().getAsLong();
    ExecutorService copiers = Executors.newFixedThreadPool(limits.copies());
    try (DirectedMoves moves =
        new DirectedMoves(hdfs.getUri(), new Path("/system/mover.id"), hdfs.getConf())) {
      Plan plan = plan(directory);
      long planned = seams.nanos().getAsLong();
      AtomicInteger verified = new AtomicInteger();
      AtomicLong copied = new AtomicLong();
      ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
      new PlanExecutor(
              moves,
              limits,
              new PlanExecutor.Machinery(copiers, seams.nanos(), seams.pause()),
              (path, policy) -> {})
          .execute(
              plan,
              (move, state, detail) -> {
                if (state == MoveState.COPIED) {
                  copied.accumulateAndGet(seams.nanos().getAsLong(), Math::max);
                } else if (state == MoveState.VERIFIED) {
                  verified.incrementAndGet();
                } else if (state.isFinal()) {
                  failures.add(move.path() + " " + state + ": " + detail);
                }
              });
      long end = seams.nanos().getAsLong();
      if (verified.get() != files) {
        throw new IOException(
            verified + " of " + files + " moves were verified, " + failures.peek());
      }
      return new Times((planned - start) / 1e9, (copied.get() - start) / 1e9, (end - start) / 1e9);
    } finally {
      copiers.shutdownNow();
    }
  }

  private Plan plan(String directory) throws IOException {
    HdfsReader reader = new HdfsReader(hdfs.getClient());
    ClusterView cluster = reader.cluster();
    List<FileView> files = new ArrayList<>();
    Set<String> wholeDirectories = reader.pass(List.of(directory), path -> false, files::add);
    List<HotFile> hot = files.stream().map(file -> new HotFile(file, 1)).toList();
    List<Decision> decisions =
        new TierDecider(Map.of(StorageType.SSD, new TierLimits(0.9, 0.95, 1)), 0)
            .decide(hot, cluster);
    Plan plan =
        new Planner(new Budget(MOST_FILES, Long.MAX_VALUE, 0.95))
            .plan(1, decisions, cluster, NumberLines.empty().update(cluster, Map.of()));
    return new DirectoryPolicies(wholeDirectories, path -> false, file -> "HOT")
        .apply(plan, decisions, files);
  }
}
