// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.move;

import io.thermocline.tiering.act.DirectedMoves;
import io.thermocline.tiering.plan.Move;
import io.thermocline.tiering.plan.Plan;
import io.thermocline.tiering.process.ServiceRuntime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * replaceBlock to a DataNode for each copy of a plan and nothing else, so many at once, until the
 * last has answered: no looking before or after, no record, no limit. No mover that uses HDFS's
 * protocol can need less.
 */
final class BareCopies implements Way {
  static final double UNPACED = Double.POSITIVE_INFINITY;

  private final String name;
  private final DistributedFileSystem hdfs;
  private final int atOnce;
  private final double perSecond;
  private final ServiceRuntime runtime;
  private Plan plan;

  /**
   * @param name as the fields of the report name it
   * @param perSecond that are begun at most
   */
  BareCopies(
      String name,
      DistributedFileSystem hdfs,
      int atOnce,
      double perSecond,
      ServiceRuntime runtime) {
    this.name = name;
    this.hdfs = hdfs;
    this.atOnce = atOnce;
    this.perSecond = perSecond;
    this.runtime = runtime;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void prepare(String directory) throws IOException {
    plan = SsdPlan.of(hdfs.getClient(), directory);
    Set<String> paths =
        plan.files().stream().map(Plan.FileMoves::policyPath).collect(Collectors.toSet());
    for (String path : paths) {
      hdfs.setStoragePolicy(new Path(path), "ONE_SSD");
    }
  }

  @Override
  public Map<String, Double> move(String directory, int files) throws Exception {
    ExecutorService copiers = Executors.newFixedThreadPool(atOnce);
    try (DirectedMoves moves =
        new DirectedMoves(hdfs.getUri(), DirectedRun.MUTEX, hdfs.getConf())) {
      long start = runtime.nanos().getAsLong();
      List<Future<?>> copies = new ArrayList<>();
      for (Move move : plan.moves()) {
        long beginNanos = start + (long) (1e9 * copies.size() / perSecond);
        copies.add(
            copiers.submit(
                () -> {
                  long early = beginNanos - runtime.nanos().getAsLong();
                  if (early > 0) {
                    runtime.pause().pause(Duration.ofNanos(early));
                  }
                  moves.copy(move);
                  return null;
                }));
      }
      for (Future<?> each : copies) {
        each.get();
      }
      return Map.of("seconds", (runtime.nanos().getAsLong() - start) / 1e9);
    } finally {
      copiers.shutdownNow();
    }
  }
}
