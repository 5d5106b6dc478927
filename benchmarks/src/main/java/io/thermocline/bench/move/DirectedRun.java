// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.move;

import io.thermocline.tiering.act.ActLimits;
import io.thermocline.tiering.act.DirectedMoves;
import io.thermocline.tiering.act.OperationBudget;
import io.thermocline.tiering.act.Pacing;
import io.thermocline.tiering.act.PlanExecutor;
import io.thermocline.tiering.plan.Plan;
import io.thermocline.tiering.process.ServiceRuntime;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** A copy of each file of a directory to SSD by the service's own stages, from listing to the last verified move. */
final class DirectedRun implements Way {
  static final Path MUTEX = new Path("/system/thermocline/mover.id");

  private final String name;
  private final DistributedFileSystem hdfs;
  private final ActLimits limits;
  private final Pacing pacing;
  private final ReaderWatch watch;
  private final ServiceRuntime runtime;

  /**
   * @param name as the fields of the report name it
   * @param pacing of the copies
   * @param watch for readers' sake; begins before copies do
   */
  DirectedRun(
      String name,
      DistributedFileSystem hdfs,
      ActLimits limits,
      Pacing pacing,
      ReaderWatch watch,
      ServiceRuntime runtime) {
    this.name = name;
    this.hdfs = hdfs;
    this.limits = limits;
    this.pacing = pacing;
    this.watch = watch;
    this.runtime = runtime;
  }

  /** Without looking after readers. */
  DirectedRun(
      String name,
      DistributedFileSystem hdfs,
      ActLimits limits,
      Pacing pacing,
      ServiceRuntime runtime) {
    this(
        name,
        hdfs,
        limits,
        pacing,
        new ReaderWatch(hdfs, Double.POSITIVE_INFINITY, runtime),
        runtime);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void prepare(String directory) throws InterruptedException {
    watch.start();
  }

  @Override
  public Map<String, Double> move(String directory, int files)
      throws IOException, InterruptedException {
    long start = runtime.nanos().getAsLong();
    ExecutorService copiers = Executors.newFixedThreadPool(limits.copies() + 2);
    try (DirectedMoves moves =
        new DirectedMoves(
            hdfs.getUri(),
            MUTEX,
            hdfs.getConf(),
            new OperationBudget(pacing.operations(), runtime.nanos(), runtime.pause()))) {
      Plan plan = SsdPlan.of(hdfs.getClient(), directory);
      double planned = since(start);
      Copies copies = new Copies(files, runtime.nanos());
      PlanExecutor executor =
          new PlanExecutor(
              moves,
              limits,
              pacing,
              new PlanExecutor.Machinery(
                  copiers, runtime.nanos(), runtime.pause(), watch.control()),
              (path, policy) -> {});
      watch.over(executor);
      executor.execute(plan, copies);
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
      watch.stop();
      copiers.shutdownNow();
    }
  }

  private double since(long startNanos) {
    return (runtime.nanos().getAsLong() - startNanos) / 1e9;
  }
}
