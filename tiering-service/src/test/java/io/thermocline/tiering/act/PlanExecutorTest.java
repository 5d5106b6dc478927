// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import static io.thermocline.placement.model.StorageType.ARCHIVE;
import static io.thermocline.placement.model.StorageType.DISK;
import static io.thermocline.placement.model.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.Scene;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.Gate;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.Target;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.Move;
import io.thermocline.tiering.plan.Plan;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class PlanExecutorTest {

  private static final ActLimits LIMITS =
      new ActLimits(8, 2, 3, Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofSeconds(60));

  private final Scene scene = new Scene().nodes(6, Map.of(DISK, 1000L, SSD, 100L, ARCHIVE, 1000L));
  private final FakeHdfs hdfs = new FakeHdfs();
  private final AtomicLong nanos = new AtomicLong();
  private final List<Duration> pauses = new ArrayList<>();
  private final List<String> policies = new ArrayList<>();
  private final List<String> changes = Collections.synchronizedList(new ArrayList<>());
  private final Steering steering = Steering.running(Clock.systemUTC());
  private final PlanExecutor executor = executor(new SameThread());
  private Runnable duringPause = () -> {};

  @Test
  void goesThroughTheStatesOfAGoodMove() throws InterruptedException {
    execute(promotion("/a"));

    assertEquals(List.of("/a.0 COPYING", "/a.0 COPIED", "/a.0 VERIFIED"), changes);
    assertEquals(List.of("file /a", "policy /a ONE_SSD", "copy /a.0", "file /a"), hdfs.calls);
    assertEquals(List.of("/a ONE_SSD"), policies);
    assertEquals(List.of(), pauses);
  }

  @Test
  void movesTheCopiesOfOneBlockOneAfterTheOther() throws InterruptedException {
    execute(archiving("/a"));

    assertEquals(
        List.of(
            "/a.0 COPYING",
            "/a.0 COPIED",
            "/a.0 VERIFIED",
            "/a.1 COPYING",
            "/a.1 COPIED",
            "/a.1 VERIFIED"),
        changes);
    assertEquals(1, hdfs.calls.stream().filter(call -> call.startsWith("policy")).count());
  }

  @Test
  void triesAgainWhenADataNodeIsBusy() throws InterruptedException {
    hdfs.refusals.add(new IOException("threads quota exceeded"));
    hdfs.refusals.add(new IOException("threads quota exceeded"));

    execute(promotion("/a"));

    assertEquals(List.of("/a.0 COPYING", "/a.0 COPIED", "/a.0 VERIFIED"), changes);
    assertEquals(Duration.ofSeconds(3), paused(), "1 s, then 2 s: " + pauses);
  }

  @Test
  void hearsWhoStopsItWhileOnlyWhatFailedWaits() throws InterruptedException {
    hdfs.refusals.add(new IOException("opReplaceBlock: no route"));
    duringPause = () -> steering.end(Steering.Stop.FINISH);

    execute(promotion("/a"));

    assertEquals(2, changes.size());
    assertEquals("/a.0 COPYING", changes.get(0));
    assertTrue(changes.get(1).endsWith("the service is stopping"), changes::toString);
    assertTrue(paused().toMillis() <= 200, "not the second until it is tried again: " + pauses);
  }

  @Test
  void hearsWhoAbandonsItWhileOnlyWhatFailedWaits() throws InterruptedException {
    hdfs.refusals.add(new IOException("opReplaceBlock: no route"));
    duringPause = () -> steering.end(Steering.Stop.ABANDON);

    execute(promotion("/a"));

    assertTrue(paused().toMillis() <= 200, "not the second until it is tried again: " + pauses);
  }

  @Test
  void waitsForAMoverThatIsAwayHoweverOftenItMustAsk() throws InterruptedException {
    for (int i = 0; i < 10; i++) {
      hdfs.refusals.add(new HeldBackException("the mover doesn't answer"));
    }
    hdfs.refusals.add(new IOException("opReplaceBlock: no route"));
    List<String> reasons = new ArrayList<>();
    steering.onChange(
        () -> {
          if (!steering.mayBegin()) {
            reasons.add(steering.reason());
            // Whoever watches finds it back.
            steering.release(ClusterWatch.MOVER);
          }
        });

    execute(promotion("/a"));

    assertEquals(List.of("/a.0 COPYING", "/a.0 COPIED", "/a.0 VERIFIED"), changes);
    assertEquals(Collections.nCopies(10, "the mover doesn't answer"), reasons);
  }

  @Test
  void asksForAPolicyAgainOnceTheMoverIsBack() throws InterruptedException {
    hdfs.policyRefusals.add(new HeldBackException("the mover doesn't answer"));
    steering.onChange(
        () -> {
          if (!steering.mayBegin()) {
            steering.release(ClusterWatch.MOVER);
          }
        });

    execute(promotion("/a"));

    assertEquals(List.of("/a.0 COPYING", "/a.0 COPIED", "/a.0 VERIFIED"), changes);
    assertEquals(
        List.of("file /a", "policy /a ONE_SSD", "policy /a ONE_SSD", "copy /a.0", "file /a"),
        hdfs.calls);
  }

  @Test
  void failsWithTheDataNodesWords() throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      hdfs.refusals.add(new IOException("opReplaceBlock: disk is on fire"));
    }

    execute(promotion("/a"));

    assertEquals(2, changes.size(), changes.toString());
    assertEquals(
        "/a.0 FAILED java.io.IOException: opReplaceBlock: disk is on fire", changes.get(1));
    assertEquals(3, hdfs.calls.stream().filter(call -> call.startsWith("copy")).count());
  }

  @Test
  void failsOnlyTheMoveThatMetADefect() throws InterruptedException {
    FileView file =
        new FileView(
            "/a",
            20,
            3,
            0,
            List.of(
                scene.file("/a", 10, "n1-DISK", "n3-DISK", "n5-DISK").blocks().get(0),
                scene.file("/a", 10, "n1-DISK", "n3-DISK", "n5-DISK").blocks().get(0)));
    hdfs.put(file);
    Iterator<RuntimeException> defects =
        Collections.nCopies(3, (RuntimeException) new IllegalArgumentException("no port"))
            .iterator();
    hdfs.duringCopy(
        () -> {
          if (hdfs.calls.get(hdfs.calls.size() - 1).equals("copy /a.0")) {
            throw defects.next();
          }
        });
    Move second = move(file, 0, "n2", SSD, "/a.1");
    FileView.Block block = file.blocks().get(1);
    second =
        new Move(
            second.id(), "/a", block, block.replicas().get(0), "n2", "n2-SSD", second.targetType());

    execute(
        new Plan.FileMoves(
            decision(file, SSD), "ONE_SSD", List.of(move(file, 0, "n2", SSD, "/a.0"), second)));

    assertEquals(
        List.of(
            "/a.0 COPYING",
            "/a.1 COPYING",
            "/a.1 COPIED",
            "/a.0 FAILED java.lang.IllegalArgumentException: no port",
            "/a.1 VERIFIED"),
        changes);
  }

  @Test
  void takesHdfssWordForACopyWhoseAnswerWasLost() throws InterruptedException {
    hdfs.loseAnswers(new IOException("connection reset"));

    execute(promotion("/a"));

    assertEquals(List.of("/a.0 COPYING", "/a.0 VERIFIED"), changes);
  }

  @Test
  void failsWhatIsNotShownInTime() throws InterruptedException {
    hdfs.showNothing();

    execute(promotion("/a"));

    assertEquals(
        List.of("/a.0 COPYING", "/a.0 COPIED", "/a.0 FAILED the copy isn't shown after 60 s"),
        changes);
    assertTrue(paused().compareTo(Duration.ofSeconds(60)) > 0, pauses::toString);
    assertTrue(pauses.get(0).toMillis() < 100, "soon at first: " + pauses);
    assertTrue(hdfs.calls.size() < 30, "seldom in the end: " + hdfs.calls);
  }

  @Test
  void leavesAloneWhatIsGone() throws InterruptedException {
    Plan.FileMoves file = archiving("/a");
    hdfs.remove("/a");

    execute(file);

    assertEquals(
        List.of(
            "/a.0 OBSOLETE the file changed or went away",
            "/a.1 OBSOLETE the file changed or went away"),
        changes);
    assertEquals(List.of(), policies);
    assertEquals(Set.of("file /a"), Set.copyOf(hdfs.calls));
  }

  @Test
  void leavesAloneWhatHasOtherBlocksNow() throws InterruptedException {
    Plan.FileMoves file = promotion("/a");
    hdfs.put(scene.file("/a", 10, "n1-DISK", "n3-DISK", "n5-DISK"));

    execute(file);

    assertEquals(List.of("/a.0 OBSOLETE the file changed or went away"), changes);
    assertEquals(List.of("file /a"), hdfs.calls);
  }

  @Test
  void endsMovesOfAFileThatGoesAwayMeanwhile() throws InterruptedException {
    Plan.FileMoves file = archiving("/a");
    hdfs.duringCopy(() -> hdfs.remove("/a"));

    execute(file);

    assertEquals("/a.0 OBSOLETE the file changed or went away", changes.get(2));
    assertEquals("/a.1 OBSOLETE the file changed or went away", changes.get(3));
    assertEquals(4, changes.size());
  }

  @Test
  void beginsNothingOnceStopped() throws InterruptedException {
    steering.end(Steering.Stop.FINISH);

    execute(archiving("/a"));

    assertEquals(
        List.of("/a.0 CANCELLED the service is stopping", "/a.1 CANCELLED the service is stopping"),
        changes);
    assertEquals(List.of(), hdfs.calls);
  }

  @Test
  void verifiesWhatIsBeingCopiedWhenStoppedAndCancelsTheRest() throws InterruptedException {
    hdfs.duringCopy(() -> steering.end(Steering.Stop.FINISH));

    execute(archiving("/a"));

    assertEquals(
        List.of(
            "/a.0 COPYING",
            "/a.0 COPIED",
            "/a.1 CANCELLED the service is stopping",
            "/a.0 VERIFIED"),
        changes);
  }

  @Test
  void cancelsTheRestOfAPlanThatSomebodyStops() throws InterruptedException {
    assertTrue(steering.beginPlan());
    hdfs.duringCopy(() -> stop(Steering.Stop.FINISH));

    execute(archiving("/a"));

    assertEquals(
        List.of(
            "/a.0 COPYING",
            "/a.0 COPIED",
            "/a.1 CANCELLED stopping by ann: too hot",
            "/a.0 VERIFIED"),
        changes);
  }

  /** What failed waits for its turn, which readers' rest keeps from it; to be given up it gets it. */
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void endsWhenStoppedWhileReadersRest() throws InterruptedException {
    steering.beginPlan();
    long[] reads = {100};
    double[] millis = {10};
    ClusterWatch watch =
        new ClusterWatch(
            () ->
                new Surroundings(
                    false,
                    false,
                    List.of(),
                    0,
                    List.of(),
                    Map.of(),
                    Set.of(),
                    Double.NaN,
                    Map.of("n1", new ReadTimes.Reads(reads[0] += 100, millis[0]))),
            Windows.always(),
            new Surroundings.Bounds(0, 100, 100, 2),
            steering,
            executor,
            Clock.systemUTC());
    watch.look();
    millis[0] = 90;
    hdfs.failNext(new IOException("no route"));
    duringPause =
        () -> {
          try {
            // Until there is none at all.
            for (int i = 0; i < 3; i++) {
              watch.look();
            }
            assertEquals(Set.of("readers"), steering.heldBy());
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
          duringPause = () -> {};
          stop(Steering.Stop.FINISH);
        };

    execute(promotion("/a"));

    assertEquals(
        "/a.0 FAILED java.io.IOException: stopping by ann: too hot",
        changes.get(changes.size() - 1));
  }

  @Test
  void doesNotWaitForWhatIsAbandoned() throws InterruptedException {
    assertTrue(steering.beginPlan());
    hdfs.duringCopy(() -> stop(Steering.Stop.ABANDON));

    execute(archiving("/a"));

    assertEquals(
        List.of(
            "/a.0 COPYING",
            "/a.0 COPIED",
            "/a.1 CANCELLED stopping by ann: too hot",
            "/a.0 FAILED not waited for: stopping by ann: too hot"),
        changes);
  }

  @Test
  void copiesNothingWhilePausedAndGoesOnAfterwards() throws InterruptedException, IOException {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      steering.pause("ann", "backup");
      Plan.FileMoves file = promotion("/a");
      CountDownLatch waited = new CountDownLatch(3);
      PlanExecutor paused =
          new PlanExecutor(
              hdfs,
              LIMITS,
              new PlanExecutor.Machinery(
                  threads,
                  nanos::get,
                  wait -> {
                    nanos.addAndGet(wait.toNanos());
                    waited.countDown();
                    Thread.yield();
                  },
                  steering),
              (path, policy) -> policies.add(path));
      Future<Void> end =
          threads.submit(
              () -> {
                paused.execute(new Plan(1, List.of(file), List.of()), this::changed);
                return null;
              });
      assertTrue(waited.await(60, TimeUnit.SECONDS));
      assertEquals(List.of(), hdfs.calls);

      steering.resume("ann", "");

      end.get(60, TimeUnit.SECONDS);
      assertEquals(List.of("/a.0 COPYING", "/a.0 COPIED", "/a.0 VERIFIED"), changes);
    } catch (ExecutionException | TimeoutException e) {
      throw new AssertionError(e);
    } finally {
      threads.shutdownNow();
    }
  }

  private void stop(Steering.Stop how) {
    try {
      steering.stop(how, "ann", "too hot");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void isDoneWhenClientsAreShownTheCopyAndConfirmsLaterThatTheSourceWent()
      throws InterruptedException {
    Plan.FileMoves file = promotion("/a");
    hdfs.keepSources();
    List<Runnable> later = new ArrayList<>();
    PlanExecutor waiting =
        new PlanExecutor(
            hdfs,
            LIMITS,
            new PlanExecutor.Machinery(
                new SameThread() {
                  @Override
                  public void execute(Runnable task) {
                    if (changes.contains("/a.0 SHOWN")) {
                      later.add(task);
                    } else {
                      task.run();
                    }
                  }
                },
                nanos::get,
                this::pause,
                steering),
            (path, policy) -> policies.add(path));

    waiting.execute(new Plan(1, List.of(file), List.of()), this::changed);

    assertEquals(List.of("/a.0 COPYING", "/a.0 COPIED", "/a.0 SHOWN"), changes);
    hdfs.dropSources();
    later.forEach(Runnable::run);
    assertEquals("/a.0 VERIFIED", changes.get(3));
  }

  @Test
  void saysWhichSourceDoesNotGo() throws InterruptedException {
    hdfs.keepSources();

    execute(promotion("/a"));

    assertEquals(
        List.of(
            "/a.0 COPYING",
            "/a.0 COPIED",
            "/a.0 SHOWN",
            "/a.0 FAILED the source is still shown after 60 s"),
        changes);
  }

  @Test
  void copiesNoReplicaWhereTheBlockHasOneOrARackWouldBeLost() throws InterruptedException {
    FileView file = scene.file("/a", 10, "n1-DISK", "n3-DISK", "n5-DISK");
    hdfs.put(file);
    Plan.FileMoves second =
        new Plan.FileMoves(
            decision(file, SSD), "ONE_SSD", List.of(move(file, 0, "n3", SSD, "/a.0")));
    Plan.FileMoves rack =
        new Plan.FileMoves(
            decision(file, SSD), "ONE_SSD", List.of(move(file, 0, "n4", SSD, "/a.0")));

    execute(second);
    execute(rack);

    assertEquals(
        List.of(
            "/a.0 OBSOLETE DataNode n3 has another copy of the block",
            "/a.0 OBSOLETE it would leave 2 racks of 3"),
        changes);
    assertEquals(List.of(), policies);
  }

  @Test
  void letsWhatWaitedTooLongBePlannedAnew() throws InterruptedException {
    steering.hold("test", "the Balancer runs");

    new PlanExecutor(
            hdfs,
            LIMITS,
            new Pacing(1e9, Map.of(), 1e9, Duration.ofSeconds(30)),
            new PlanExecutor.Machinery(new SameThread(), nanos::get, this::pause, steering),
            (path, policy) -> policies.add(path))
        .execute(new Plan(1, List.of(promotion("/a")), List.of()), this::changed);

    assertEquals(List.of("/a.0 OBSOLETE not begun within 30 s: to be planned anew"), changes);
    assertEquals(List.of(), hdfs.calls);
  }

  /** As many bytes a second as may be, in even steps: what is due soon doesn't begin with what is due. */
  @Test
  void beginsPacedCopiesWhenEachIsDue() throws InterruptedException {
    List<Long> begun = new ArrayList<>();
    hdfs.duringCopy(() -> begun.add(nanos.get()));
    List<Plan.FileMoves> files = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      files.add(promotion("/f" + i));
    }

    new PlanExecutor(
            hdfs,
            LIMITS,
            new Pacing(300, Map.of(), 1e9, Duration.ofMinutes(1)),
            new PlanExecutor.Machinery(new SameThread(), nanos::get, this::pause, steering),
            (path, policy) -> policies.add(path))
        .execute(new Plan(1, files, List.of()), this::changed);

    assertEquals(20, begun.size());
    long each = Duration.ofSeconds(10).toNanos() / 300;
    for (int i = 3; i < begun.size(); i++) {
      assertEquals(each, begun.get(i) - begun.get(i - 1), each / 1000.0, begun::toString);
    }
  }

  @Test
  void refusesTransitionsThatAreNotDrawn() {
    for (MoveState from : MoveState.values()) {
      Set<MoveState> next = from.next();
      assertEquals(next.isEmpty(), from.isFinal());
      for (MoveState to : MoveState.values()) {
        if (next.contains(to)) {
          assertEquals(to, from.to(to));
        } else {
          IllegalStateException refusal =
              assertThrows(IllegalStateException.class, () -> from.to(to));
          assertEquals("a move cannot go from " + from + " to " + to, refusal.getMessage());
        }
      }
    }
  }

  @Test
  void neverHasMoreCopiesOnANodeThanItsLimit() throws InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      // Long enough for others to begin meanwhile, if they may.
      hdfs.duringCopy(() -> IntStream.range(0, 200).forEach(i -> Thread.yield()));
      List<Plan.FileMoves> files = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        files.add(promotion("/f" + i));
      }
      executor(threads).execute(new Plan(1, files, List.of()), this::changed);
    } finally {
      threads.shutdownNow();
      assertTrue(threads.awaitTermination(10, TimeUnit.SECONDS));
    }

    assertEquals(60, changes.stream().filter(change -> change.endsWith(" VERIFIED")).count());
    assertFalse(hdfs.mostAtOnce.isEmpty());
    hdfs.mostAtOnce.forEach((node, most) -> assertTrue(most <= 2, node + ": " + most));
  }

  private PlanExecutor executor(ExecutorService copiers) {
    return new PlanExecutor(
        hdfs,
        LIMITS,
        new PlanExecutor.Machinery(copiers, nanos::get, this::pause, steering),
        (path, policy) -> policies.add(path + " " + policy));
  }

  private synchronized void pause(Duration duration) {
    duringPause.run();
    pauses.add(duration);
    nanos.addAndGet(duration.toNanos());
    Thread.yield();
  }

  @Test
  void setsThePolicyOfADirectoryOnceAndBeforeAnyCopy() throws InterruptedException {
    List<Plan.FileMoves> files = new ArrayList<>();
    for (String path : List.of("/d/a", "/d/b", "/d/c")) {
      Plan.FileMoves file = promotion(path);
      files.add(new Plan.FileMoves(file.decision(), "ONE_SSD", "/d", file.moves()));
    }

    executor.execute(new Plan(1, files, List.of()), this::changed);

    List<String> asked = hdfs.calls.stream().filter(call -> !call.startsWith("file")).toList();
    assertEquals("policy /d ONE_SSD", asked.get(0));
    assertEquals(1, hdfs.calls.stream().filter(call -> call.startsWith("policy")).count());
    assertEquals(3, hdfs.calls.stream().filter(call -> call.startsWith("copy")).count());
  }

  private Duration paused() {
    return pauses.stream().reduce(Duration.ZERO, Duration::plus);
  }

  private void execute(Plan.FileMoves file) throws InterruptedException {
    executor.execute(new Plan(1, List.of(file), List.of()), this::changed);
  }

  private void changed(Move move, MoveState state, String detail) {
    changes.add(move.id() + " " + state + (detail.isEmpty() ? "" : " " + detail));
  }

  private Plan.FileMoves promotion(String path) {
    FileView file = scene.file(path, 10, "n1-DISK", "n3-DISK", "n5-DISK");
    hdfs.put(file);
    return new Plan.FileMoves(
        decision(file, SSD), "ONE_SSD", List.of(move(file, 0, "n2", SSD, path + ".0")));
  }

  private Plan.FileMoves archiving(String path) {
    FileView file = scene.file(path, 10, "n1-DISK", "n3-DISK", "n5-DISK");
    hdfs.put(file);
    return new Plan.FileMoves(
        decision(file, DISK),
        "WARM",
        List.of(
            move(file, 0, "n2", ARCHIVE, path + ".0"), move(file, 1, "n4", ARCHIVE, path + ".1")));
  }

  private static Decision decision(FileView file, StorageType lead) {
    return new Decision(
        new HotFile(file, 1),
        DISK,
        new Target(List.of(lead, DISK, DISK), "ONE_SSD"),
        Decision.Cause.PROMOTED,
        "1.0 reads",
        new Gate.Worth(2, 0, 1));
  }

  private static Move move(FileView file, int replica, String node, StorageType type, String id) {
    FileView.Block block = file.blocks().get(0);
    return new Move(
        id, file.path(), block, block.replicas().get(replica), node, node + "-" + type, type);
  }

  /** Runs each task before execute returns, so that what happens when is always the same. */
  private static class SameThread extends AbstractExecutorService {
    @Override
    public void execute(Runnable task) {
      task.run();
    }

    @Override
    public void shutdown() {}

    @Override
    public List<Runnable> shutdownNow() {
      return List.of();
    }

    @Override
    public boolean isShutdown() {
      return false;
    }

    @Override
    public boolean isTerminated() {
      return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
      return true;
    }
  }
}
