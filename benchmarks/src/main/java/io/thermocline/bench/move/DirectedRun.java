// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.move;

import io.thermocline.tiering.act.ActLimits;
import io.thermocline.tiering.act.DirectedMoves;
import io.thermocline.tiering.act.OperationBudget;
import io.thermocline.tiering.act.Pacing;
import io.thermocline.tiering.act.PlanExecutor;
import io.thermocline.tiering.plan.Plan;
import io.thermocline.tiering.process.Seams;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** A copy of each file of a directory to SSD by the service's own stages, from listing to the last verified move. */
final class DirectedRun implements Way {
  static final Path MUTEX = new Path("/system/thermocline/mover.id");

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
            MUTEX,
            hdfs.getConf(),
            new OperationBudget(PACING.operations(), seams.nanos(), seams.pause()))) {
      Plan plan = SsdPlan.of(hdfs.getClient(), directory);
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
}
