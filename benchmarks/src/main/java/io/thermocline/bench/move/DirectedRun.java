// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.move;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.act.ActLimits;
import io.thermocline.tiering.act.DirectedMoves;
import io.thermocline.tiering.act.MoveState;
import io.thermocline.tiering.act.OperationBudget;
import io.thermocline.tiering.act.Pacing;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** A copy of each file of a directory to SSD by the service's own stages, from listing to the last verified move. */
final class DirectedRun {
  private static final int MOST_FILES = 1_000_000;
  private static final int MOST_SECONDS = 300;

  /** The service's defaults. */
  private static final Pacing PACING =
      new Pacing(100L << 20, Map.of(), 500, Duration.ofMinutes(10));

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
   * @param seconds until HDFS showed clients the last one
   * @param settledSeconds until HDFS showed no source any more
   */
  record Times(
      double plannedSeconds, double copiedSeconds, double seconds, double settledSeconds) {}

  /**
   * @throws IOException also where a move failed
   */
  Times move(String directory, int files) throws IOException, InterruptedException {
    long start = seams.nanos().getAsLong();
    ExecutorService copiers = Executors.newFixedThreadPool(limits.copies() + 1);
    try (DirectedMoves moves =
        new DirectedMoves(
            hdfs.getUri(),
            new Path("/system/thermocline/mover.id"),
            hdfs.getConf(),
            new OperationBudget(PACING.operations(), seams.nanos(), seams.pause()))) {
      Plan plan = plan(directory);
      long planned = seams.nanos().getAsLong();
      Map<String, MoveState> states = new ConcurrentHashMap<>();
      AtomicLong copied = new AtomicLong();
      AtomicLong shown = new AtomicLong();
      CountDownLatch settled = new CountDownLatch(files);
      ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
      new PlanExecutor(
              moves,
              limits,
              PACING,
              new PlanExecutor.Machinery(copiers, seams.nanos(), seams.pause()),
              (path, policy) -> {})
          .execute(
              plan,
              (move, state, detail) -> {
                states.put(move.id(), state);
                if (state == MoveState.COPIED) {
                  copied.accumulateAndGet(seams.nanos().getAsLong(), Math::max);
                } else if (state == MoveState.SHOWN || state == MoveState.VERIFIED) {
                  shown.incrementAndGet();
                } else if (state.isFinal()) {
                  failures.add(move.path() + " " + state + ": " + detail);
                }
                if (state.isFinal()) {
                  settled.countDown();
                }
              });
      long end = seams.nanos().getAsLong();
      if (shown.get() < files || !settled.await(MOST_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException(states.values() + ", " + failures.peek());
      }
      long gone = seams.nanos().getAsLong();
      long verified = states.values().stream().filter(MoveState.VERIFIED::equals).count();
      if (verified != files) {
        throw new IOException(
            verified + " of " + files + " moves were verified, " + failures.peek());
      }
      return new Times(
          (planned - start) / 1e9,
          (copied.get() - start) / 1e9,
          (end - start) / 1e9,
          (gone - start) / 1e9);
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
