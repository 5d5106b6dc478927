// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.move;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.act.ActLimits;
import io.thermocline.tiering.act.DirectedMoves;
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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** A copy of each file of a directory to SSD by the service's own stages, from listing to the last verified move. */
final class DirectedRun implements Way {
  private static final int MOST_FILES = 1_000_000;

  /** The service's defaults. */
  private static final Pacing PACING =
      new Pacing(100L << 20, Map.of(), 500, Duration.ofMinutes(10));

  private final String name;
  private final DistributedFileSystem hdfs;
  private final ActLimits limits;
  private final Seams seams;

  /**
   * @param name as the fields of the report name it
   */
  DirectedRun(String name, DistributedFileSystem hdfs, ActLimits limits, Seams seams) {
    this.name = name;
    this.hdfs = hdfs;
    this.limits = limits;
    this.seams = seams;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Map<String, Double> move(String directory, int files)
      throws IOException, InterruptedException {
    long start = seams.nanos().getAsLong();
    ExecutorService copiers = Executors.newFixedThreadPool(limits.copies() + 2);
    try (DirectedMoves moves =
        new DirectedMoves(
            hdfs.getUri(),
            new Path("/system/thermocline/mover.id"),
            hdfs.getConf(),
            new OperationBudget(PACING.operations(), seams.nanos(), seams.pause()))) {
      Plan plan = plan(directory);
      double planned = since(start);
      Copies copies = new Copies(files, seams.nanos());
      new PlanExecutor(
              moves,
              limits,
              PACING,
              new PlanExecutor.Machinery(copiers, seams.nanos(), seams.pause()),
              (path, policy) -> {})
          .execute(plan, copies);
      double shown = since(start);
      copies.awaitVerified();
      return Map.of(
          "planned_seconds",
          planned,
          "copied_seconds",
          (copies.lastNanos() - start) / 1e9,
          "seconds",
          shown,
          "settled_seconds",
          since(start),
          "copies_at_once",
          copies.atOnce());
    } finally {
      copiers.shutdownNow();
    }
  }

  private double since(long startNanos) {
    return (seams.nanos().getAsLong() - startNanos) / 1e9;
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
