// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import static io.thermocline.placement.model.StorageType.ARCHIVE;
import static io.thermocline.placement.model.StorageType.DISK;
import static io.thermocline.placement.model.StorageType.SSD;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.CallerThread;
import io.thermocline.tiering.Scene;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.Gate;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.Target;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.Move;
import io.thermocline.tiering.plan.Plan;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicLong;

/** A plan executor on a made-up HDFS, in one thread, whose time passes in its pauses alone. */
abstract class ExecutorStage {
  static final ActLimits LIMITS =
      new ActLimits(8, 2, 3, Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofSeconds(60));

  final Scene scene = new Scene().nodes(6, Map.of(DISK, 1000L, SSD, 100L, ARCHIVE, 1000L));
  final FakeHdfs hdfs = new FakeHdfs();
  final AtomicLong nanos = new AtomicLong();
  final List<Duration> pauses = new ArrayList<>();
  final List<String> policies = new ArrayList<>();

  /** Of moves: the id of each, its new state, and why. */
  final List<String> changes = Collections.synchronizedList(new ArrayList<>());

  final ExecutionControl control = ExecutionControl.running(Clock.systemUTC());
  final PlanExecutor executor = executor(new CallerThread());
  Runnable duringPause = () -> {};

  PlanExecutor executor(ExecutorService copiers) {
    return executor(copiers, Pacing.unlimited());
  }

  PlanExecutor executor(ExecutorService copiers, Pacing pacing) {
    return new PlanExecutor(
        hdfs,
        LIMITS,
        pacing,
        new PlanExecutor.Machinery(copiers, nanos::get, this::pause, control),
        (path, policy) -> policies.add(path + " " + policy));
  }

  synchronized void pause(Duration duration) {
    duringPause.run();
    pauses.add(duration);
    nanos.addAndGet(duration.toNanos());
    Thread.yield();
  }

  Duration paused() {
    return pauses.stream().reduce(Duration.ZERO, Duration::plus);
  }

  void execute(Plan.FileMoves file) throws InterruptedException {
    execute(executor, List.of(file));
  }

  void execute(PlanExecutor by, List<Plan.FileMoves> files) throws InterruptedException {
    by.execute(new Plan(1, files, List.of()), this::changed);
  }

  void changed(Move move, MoveState state, String detail) {
    changes.add(move.id() + " " + state + (detail.isEmpty() ? "" : " " + detail));
  }

  /** One move, of the first replica to SSD. */
  Plan.FileMoves promotion(String path) {
    FileView file = scene.file(path, 10, "n1-DISK", "n3-DISK", "n5-DISK");
    hdfs.put(file);
    return new Plan.FileMoves(
        decision(file, SSD), "ONE_SSD", List.of(move(file, 0, "n2", SSD, path + ".0")));
  }

  /** Two moves of one block, to ARCHIVE. */
  Plan.FileMoves archiving(String path) {
    FileView file = scene.file(path, 10, "n1-DISK", "n3-DISK", "n5-DISK");
    hdfs.put(file);
    return new Plan.FileMoves(
        decision(file, DISK),
        "WARM",
        List.of(
            move(file, 0, "n2", ARCHIVE, path + ".0"), move(file, 1, "n4", ARCHIVE, path + ".1")));
  }

  /** One move, that touches neither n1 nor n2. */
  Plan.FileMoves archivingElsewhere(String path) {
    FileView file = scene.file(path, 10, "n1-DISK", "n3-DISK", "n5-DISK");
    hdfs.put(file);
    return new Plan.FileMoves(
        decision(file, DISK), "WARM", List.of(move(file, 1, "n4", ARCHIVE, path + ".0")));
  }

  static Decision decision(FileView file, StorageType lead) {
    return new Decision(
        new HotFile(file, 1),
        DISK,
        new Target(List.of(lead, DISK, DISK), "ONE_SSD"),
        Decision.Cause.PROMOTED,
        "1.0 reads",
        new Gate.Benefit(2, 0, 1));
  }

  static Move move(FileView file, int replica, String node, StorageType type, String id) {
    FileView.Block block = file.blocks().get(0);
    return new Move(
        id, file.path(), block, block.replicas().get(replica), node, node + "-" + type, type);
  }
}
