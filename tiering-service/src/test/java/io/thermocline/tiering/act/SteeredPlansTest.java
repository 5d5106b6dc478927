// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import static io.thermocline.placement.model.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.CallerThread;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.Move;
import io.thermocline.tiering.plan.Plan;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of a plan under way that somebody stops, pauses or holds back. */
class SteeredPlansTest extends ExecutorStage {
  @Test
  void beginsNothingOnceStopped() throws InterruptedException {
    control.end(ExecutionControl.Stop.FINISH);

    execute(archiving("/a"));

    assertEquals(
        List.of("/a.0 CANCELLED the service is stopping", "/a.1 CANCELLED the service is stopping"),
        changes);
    assertEquals(List.of(), hdfs.calls);
  }

  @Test
  void verifiesWhatIsBeingCopiedWhenStoppedAndCancelsTheRest() throws InterruptedException {
    hdfs.duringCopy(() -> control.end(ExecutionControl.Stop.FINISH));

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
    assertTrue(control.beginPlan());
    hdfs.duringCopy(() -> stop(ExecutionControl.Stop.FINISH));

    execute(archiving("/a"));

    assertEquals(
        List.of(
            "/a.0 COPYING",
            "/a.0 COPIED",
            "/a.1 CANCELLED stopping by ann: too hot",
            "/a.0 VERIFIED"),
        changes);
  }

  @Test
  void doesNotWaitForWhatIsAbandoned() throws InterruptedException {
    assertTrue(control.beginPlan());
    hdfs.duringCopy(() -> stop(ExecutionControl.Stop.ABANDON));

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
  void hearsWhoStopsItWhileOnlyWhatFailedWaits() throws InterruptedException {
    hdfs.refusals.add(new IOException("opReplaceBlock: no route"));
    duringPause = () -> control.end(ExecutionControl.Stop.FINISH);

    execute(promotion("/a"));

    assertEquals(2, changes.size());
    assertEquals("/a.0 COPYING", changes.get(0));
    assertTrue(changes.get(1).endsWith("the service is stopping"), changes::toString);
    assertTrue(paused().toMillis() <= 200, "not the second until it is tried again: " + pauses);
  }

  @Test
  void hearsWhoAbandonsItWhileOnlyWhatFailedWaits() throws InterruptedException {
    hdfs.refusals.add(new IOException("opReplaceBlock: no route"));
    duringPause = () -> control.end(ExecutionControl.Stop.ABANDON);

    execute(promotion("/a"));

    assertTrue(paused().toMillis() <= 200, "not the second until it is tried again: " + pauses);
  }

  /** What failed waits for its turn, which readers' rest keeps from it; to be given up it gets it. */
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void endsWhenStoppedWhileReadersRest() throws InterruptedException {
    control.beginPlan();
    long[] reads = {100};
    double[] millis = {10};
    ClusterWatch watch =
        new ClusterWatch(
            () ->
                new Surroundings(
                    false,
                    false,
                    List.of(),
                    new Surroundings.LowRedundancy(0, 0),
                    List.of(),
                    Map.of(),
                    Set.of(),
                    Map.of(),
                    Double.NaN,
                    Map.of("n1", new ReadTimes.Reads(reads[0] += 100, millis[0]))),
            Windows.always(),
            new Surroundings.Bounds(0, 100, 100, 2),
            control,
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
            assertEquals(Set.of("readers"), control.heldBy());
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
          duringPause = () -> {};
          stop(ExecutionControl.Stop.FINISH);
        };

    execute(promotion("/a"));

    assertEquals(
        "/a.0 FAILED java.io.IOException: stopping by ann: too hot",
        changes.get(changes.size() - 1));
  }

  @Test
  void copiesNothingWhilePausedAndGoesOnAfterwards() throws InterruptedException, IOException {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      control.pause("ann", "backup");
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
                  control),
              (path, policy) -> policies.add(path));
      Future<Void> end =
          threads.submit(
              () -> {
                execute(paused, List.of(file));
                return null;
              });
      assertTrue(waited.await(60, TimeUnit.SECONDS));
      assertEquals(List.of(), hdfs.calls);

      control.resume("ann", "");

      end.get(60, TimeUnit.SECONDS);
      assertEquals(List.of("/a.0 COPYING", "/a.0 COPIED", "/a.0 VERIFIED"), changes);
    } catch (ExecutionException | TimeoutException e) {
      throw new AssertionError(e);
    } finally {
      threads.shutdownNow();
    }
  }

  /** Of one file: paced, the second copy is due later than somebody pauses. */
  @Test
  void verifiesWhatIsCopiedWhilePausedAndGoesOnAfterwards() throws InterruptedException {
    FileView.Block first = scene.file("/a", 10, "n1-DISK", "n3-DISK", "n5-DISK").blocks().get(0);
    FileView.Block second =
        new FileView.Block(
            first.poolId(), first.id() + 1, first.generation(), first.length(), first.replicas());
    FileView file = new FileView("/a", 20, 3, 0, List.of(first, second));
    hdfs.put(file);
    List<Move> moves = new ArrayList<>();
    for (FileView.Block block : file.blocks()) {
      moves.add(
          new Move(
              "/a." + moves.size(), "/a", block, block.replicas().get(0), "n2", "n2-SSD", SSD));
    }
    duringPause =
        () -> {
          boolean isSeen = changes.contains("/a.0 VERIFIED") || pauses.size() > 10_000;
          try {
            if (isSeen && !control.mayBegin()) {
              control.resume("ann", "");
            } else if (!isSeen && control.mayBegin()) {
              control.pause("ann", "backup");
            }
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        };

    execute(
        executor(new CallerThread(), new Pacing(10, Map.of(), 1e9, Duration.ofDays(1))),
        List.of(new Plan.FileMoves(decision(file, SSD), "ONE_SSD", moves)));

    assertEquals(
        List.of(
            "/a.0 COPYING",
            "/a.0 COPIED",
            "/a.0 VERIFIED",
            "/a.1 COPYING",
            "/a.1 COPIED",
            "/a.1 VERIFIED"),
        changes);
  }

  @Test
  void letsWhatWaitedTooLongBePlannedAnew() throws InterruptedException {
    control.hold("test", "the Balancer runs");

    execute(
        executor(new CallerThread(), new Pacing(1e9, Map.of(), 1e9, Duration.ofSeconds(30))),
        List.of(promotion("/a")));

    assertEquals(List.of("/a.0 OBSOLETE not begun within 30 s: to be planned anew"), changes);
    assertEquals(List.of(), hdfs.calls);
  }

  @Test
  void waitsForAMoverThatIsAwayHoweverOftenItMustAsk() throws InterruptedException {
    for (int i = 0; i < 10; i++) {
      hdfs.refusals.add(new HeldBackException("the mover doesn't answer"));
    }
    hdfs.refusals.add(new IOException("opReplaceBlock: no route"));
    List<String> reasons = new ArrayList<>();
    control.onChange(
        () -> {
          if (!control.mayBegin()) {
            reasons.add(control.reason());
            // Whoever watches finds it back.
            control.release(ClusterWatch.MOVER);
          }
        });

    execute(promotion("/a"));

    assertEquals(List.of("/a.0 COPYING", "/a.0 COPIED", "/a.0 VERIFIED"), changes);
    assertEquals(Collections.nCopies(10, "the mover doesn't answer"), reasons);
  }

  @Test
  void asksForAPolicyAgainOnceTheMoverIsBack() throws InterruptedException {
    hdfs.policyRefusals.add(new HeldBackException("the mover doesn't answer"));
    control.onChange(
        () -> {
          if (!control.mayBegin()) {
            control.release(ClusterWatch.MOVER);
          }
        });

    execute(promotion("/a"));

    assertEquals(List.of("/a.0 COPYING", "/a.0 COPIED", "/a.0 VERIFIED"), changes);
    assertEquals(
        List.of(
            "file /a",
            "file /a",
            "policy /a ONE_SSD",
            "file /a",
            "policy /a ONE_SSD",
            "copy /a.0",
            "file /a"),
        hdfs.calls);
  }

  /** Such as a mover that died between the call and its answer: what it set is no change of somebody else. */
  @Test
  void goesOnWithAPolicyThatWasSetAndNotAnswered() throws InterruptedException {
    hdfs.lostPolicyAnswers.add(new HeldBackException("the mover doesn't answer"));
    control.onChange(
        () -> {
          if (!control.mayBegin()) {
            control.release(ClusterWatch.MOVER);
          }
        });

    execute(promotion("/a"));

    assertEquals(List.of("/a.0 COPYING", "/a.0 COPIED", "/a.0 VERIFIED"), changes);
  }

  private void stop(ExecutionControl.Stop how) {
    try {
      control.stop(how, "ann", "too hot");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
