// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.CallerThread;
import io.thermocline.tiering.plan.Move;
import io.thermocline.tiering.plan.Plan;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What becomes of a move while it is recorded that it begins, which takes as long as the journal takes: somebody stops or
 * pauses meanwhile, or its time runs out, or it can't be recorded.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BeginningMovesTest extends ExecutorStage {

  @FunctionalInterface
  private interface Meanwhile {
    void happen() throws Exception;
  }

  private final ExecutorService copier = Executors.newSingleThreadExecutor();
  private final CountDownLatch hasTakenATurn = new CountDownLatch(1);

  /** Carries out the plan. */
  private volatile Thread running;

  /** Of the first move, once. */
  private Meanwhile whileRecorded = () -> {};

  @AfterEach
  void end() {
    copier.shutdownNow();
  }

  @Test
  void givesUpWhatIsStoppedBeforeAnythingWasAsked() throws InterruptedException {
    whileRecorded =
        () -> {
          control.end(ExecutionControl.Stop.FINISH);
          hasTakenATurn.await();
        };

    executeBoth(executor(copier));

    assertEquals(
        List.of(
            "/b.0 CANCELLED the service is stopping",
            "/a.0 COPYING",
            "/a.0 FAILED java.io.IOException: the service is stopping"),
        changes);
    assertNothingChanged();
  }

  @Test
  void recordsNoBeginBehindTheEndOfWhatIsAbandoned() throws InterruptedException {
    whileRecorded =
        () -> {
          control.end(ExecutionControl.Stop.ABANDON);
          while (running.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
          }
        };

    executeBoth(executor(copier));
    copier.shutdown();

    // Whichever of the two threads ends it.
    assertEquals(
        List.of("/a.0 COPYING", "/a.0 FAILED", "/b.0 CANCELLED"),
        changes.stream().map(change -> change.replaceFirst("( [A-Z]+) .*", "$1")).toList());
    assertNothingChanged();
  }

  @Test
  void copiesOnceWhatBeganJustInTime() throws InterruptedException {
    whileRecorded =
        () -> {
          nanos.addAndGet(Duration.ofSeconds(31).toNanos());
          hasTakenATurn.await();
        };

    executeBoth(executor(copier, new Pacing(1e9, Map.of(), 1e9, Duration.ofSeconds(30))));

    assertEquals(
        List.of(
            "/b.0 OBSOLETE not begun within 30 s: to be planned anew",
            "/a.0 COPYING",
            "/a.0 COPIED",
            "/a.0 VERIFIED"),
        changes);
    assertEquals(1, hdfs.calls().stream().filter("copy /a.0"::equals).count());
  }

  @Test
  void asksNothingOfHdfsWhilePaused() throws Exception {
    whileRecorded = () -> control.pause("ann", "too hot");
    duringPause =
        () -> {
          assertNothingChanged();
          try {
            control.resume("ann", "cooler");
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        };

    execute(executor(new CallerThread()), List.of(promotion("/a")));

    assertEquals(List.of("/a.0 COPYING", "/a.0 COPIED", "/a.0 VERIFIED"), changes);
  }

  @Test
  void endsWhereItCouldNotBeRecordedAndIsStopped() throws InterruptedException {
    whileRecorded =
        () -> {
          control.end(ExecutionControl.Stop.FINISH);
          throw new UncheckedIOException(new IOException("the journal's device is full"));
        };

    execute(executor(new CallerThread()), List.of(promotion("/a")));

    assertEquals(List.of("/a.0 CANCELLED the service is stopping"), changes);
    assertNothingChanged();
  }

  @Test
  void triesAgainWhereItsPolicyCouldNotBeRecorded() throws InterruptedException {
    int[] refusals = {1};
    PlanExecutor forgetful =
        new PlanExecutor(
            hdfs,
            LIMITS,
            Pacing.unlimited(),
            new PlanExecutor.Machinery(new CallerThread(), nanos::get, this::pause, control),
            (path, policy) -> {
              if (refusals[0]-- > 0) {
                throw new UnrecordedException(
                    path, new IOException("the journal's device is full"));
              }
            });

    execute(forgetful, List.of(promotion("/a")));

    assertEquals(List.of("/a.0 COPYING", "/a.0 COPIED", "/a.0 VERIFIED"), changes);
    assertEquals(1, hdfs.calls().stream().filter("policy /a ONE_SSD"::equals).count());
  }

  @Test
  void endsWhatCannotBeRecordedAgainAndAgain() throws InterruptedException {
    PlanExecutor forgetful =
        new PlanExecutor(
            hdfs,
            LIMITS,
            Pacing.unlimited(),
            new PlanExecutor.Machinery(new CallerThread(), nanos::get, this::pause, control),
            (path, policy) -> {
              throw new UnrecordedException(path, new IOException("the journal's device is full"));
            });

    execute(forgetful, List.of(promotion("/a")));

    assertEquals(2, changes.size(), changes::toString);
    assertTrue(changes.get(1).startsWith("/a.0 FAILED"), changes::toString);
    assertTrue(changes.get(1).contains("/a can't be recorded"), changes::toString);
    assertEquals(Duration.ofSeconds(3), paused(), "three attempts: 1 s, then 2 s between them");
  }

  @Test
  void endsWhatHdfsDoesNotShowWhereItsPolicyIsAboutToBeSet() throws InterruptedException {
    PlanExecutor late =
        new PlanExecutor(
            hdfs,
            LIMITS,
            Pacing.unlimited(),
            new PlanExecutor.Machinery(new CallerThread(), nanos::get, this::pause, control),
            (path, policy) -> {
              hdfs.remove(path);
              throw new FileNotFoundException(path + " is not there");
            });

    execute(late, List.of(promotion("/a")));

    assertEquals(List.of("/a.0 COPYING", "/a.0 OBSOLETE the file changed or went away"), changes);
    assertNothingChanged();
  }

  private void executeBoth(PlanExecutor executor) throws InterruptedException {
    running = Thread.currentThread();
    execute(executor, List.of(promotion("/a"), promotion("/b")));
  }

  private void assertNothingChanged() {
    assertTrue(
        Stream.of("policy", "copy")
            .allMatch(what -> hdfs.calls().stream().noneMatch(call -> call.startsWith(what))),
        () -> hdfs.calls().toString());
  }

  @Override
  void execute(PlanExecutor by, List<Plan.FileMoves> files) throws InterruptedException {
    by.execute(new Plan(1, files, List.of()), this::recorded);
  }

  /** As a journal does that takes its time. */
  private void recorded(Move move, MoveState state, String detail) {
    if (state == MoveState.COPYING) {
      Meanwhile once = whileRecorded;
      whileRecorded = () -> {};
      try {
        once.happen();
      } catch (RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
    changed(move, state, detail);
    if (move.path().equals("/b") && state.isFinal()) {
      hasTakenATurn.countDown();
    }
  }
}
