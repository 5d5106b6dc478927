// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.move;

import io.thermocline.tiering.act.BackEnd;
import io.thermocline.tiering.act.ClusterWatch;
import io.thermocline.tiering.act.DataNodeReads;
import io.thermocline.tiering.act.DataNodeStates;
import io.thermocline.tiering.act.ExecutionControl;
import io.thermocline.tiering.act.HdfsSurroundings;
import io.thermocline.tiering.act.MoveListener;
import io.thermocline.tiering.act.OperationBudget;
import io.thermocline.tiering.act.PlanExecutor;
import io.thermocline.tiering.act.Surroundings;
import io.thermocline.tiering.act.Throttle;
import io.thermocline.tiering.act.Windows;
import io.thermocline.tiering.plan.Plan;
import io.thermocline.tiering.process.ServiceRuntime;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** The service's looks at what readers wait for, more often than it takes them. With no factor, none. */
final class ReaderWatch {

  /** Longer than hadoop-metrics2.properties has the period. */
  private static final Duration LOOK_EVERY = Duration.ofMillis(300);

  private final double factor;
  private final ClusterWatch watch;
  private final ExecutionControl control;
  private volatile PlanExecutor executor;
  private ScheduledExecutorService looking;

  /**
   * @param factor act.throttle.foreground; infinite where it is off
   */
  ReaderWatch(DistributedFileSystem hdfs, double factor, ServiceRuntime runtime) {
    DFSClient client = hdfs.getClient();
    OperationBudget budget = OperationBudget.unlimited();
    this.factor = factor;
    this.control = ExecutionControl.running(runtime.clock());
    this.watch =
        new ClusterWatch(
            new HdfsSurroundings(
                client,
                () -> DataNodeStates.of(client, budget),
                Set.of(),
                List.of(),
                budget,
                new DataNodeReads(hdfs.getConf()),
                HdfsSurroundings.silentAfter(hdfs.getConf())),
            Windows.always(),
            new Surroundings.Bounds(Long.MAX_VALUE, Integer.MAX_VALUE, Double.MAX_VALUE, factor),
            control,
            new Watched(),
            runtime.clock());
  }

  ExecutionControl control() {
    return control;
  }

  void start() throws InterruptedException {
    if (Double.isInfinite(factor)) {
      return;
    }
    watch.look();
    looking = Executors.newSingleThreadScheduledExecutor();
    looking.scheduleWithFixedDelay(
        () -> {
          try {
            watch.look();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        },
        LOOK_EVERY.toMillis(),
        LOOK_EVERY.toMillis(),
        TimeUnit.MILLISECONDS);
  }

  /** Who makes copies from now on. */
  void over(PlanExecutor next) {
    executor = next;
  }

  void stop() {
    executor = null;
    if (looking != null) {
      looking.shutdownNow();
    }
  }

  /** Whoever makes copies at the time. */
  private final class Watched implements BackEnd {
    @Override
    public void execute(Plan plan, MoveListener listener) {
      throw new UnsupportedOperationException("a watch begins nothing");
    }

    @Override
    public void giveWay(Set<String> busy, boolean isCongested) {
      PlanExecutor now = executor;
      if (now != null) {
        now.giveWay(busy, isCongested);
      }
    }

    @Override
    public void atMost(int copies, String why) {
      PlanExecutor now = executor;
      if (now != null) {
        now.atMost(copies, why);
      }
    }

    @Override
    public Throttle throttle() {
      PlanExecutor now = executor;
      return now == null ? Throttle.NONE : now.throttle();
    }
  }
}
