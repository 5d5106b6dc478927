// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.act.ExecutionControl.State;
import io.thermocline.tiering.act.ExecutionControl.Stop;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ExecutionControlTest {

  private static final Clock CLOCK = Clock.fixed(Instant.ofEpochSecond(1_000), ZoneOffset.UTC);

  private final List<String> recorded = new ArrayList<>();
  private final ExecutionControl control =
      new ExecutionControl(
          ExecutionControl.unsteered(CLOCK.instant()),
          CLOCK,
          next -> recorded.add(next.state() + " " + next.who() + " " + next.why()));

  @Test
  void recordsWhoAndWhy() throws IOException {
    control.pause("ann", "backup");
    control.pause("ann", "backup");
    assertFalse(control.mayBegin());
    assertEquals("paused by ann: backup", control.reason());
    control.resume("bo", "done");
    assertTrue(control.mayBegin());
    assertEquals("", control.reason());

    assertEquals(List.of("PAUSED ann backup", "RUNNING bo done"), recorded);
    assertEquals(
        new ExecutionControl.Current(State.RUNNING, "bo", "done", CLOCK.instant()),
        control.current());
  }

  @Test
  void stopsOnceNothingIsUnderWay() throws IOException {
    assertTrue(control.beginPlan());
    control.stop(Stop.FINISH, "ann", "");
    assertTrue(control.isEnding());
    assertFalse(control.isAbandoning());
    assertThrows(IllegalStateException.class, () -> control.pause("bo", ""));
    assertThrows(IllegalStateException.class, () -> control.resume("bo", ""));
    control.stop(Stop.ABANDON, "bo", "now");
    assertTrue(control.isAbandoning());
    assertThrows(IllegalStateException.class, () -> control.stop(Stop.FINISH, "bo", ""));

    control.endPlan();

    assertEquals(State.STOPPED, control.current().state());
    assertFalse(control.isAbandoning());
    control.resume("ann", "");
    assertTrue(control.mayBegin());
    assertEquals(
        List.of("STOPPING ann ", "ABANDONING bo now", "STOPPED bo now", "RUNNING ann "), recorded);
  }

  /** Its journal can't be written at that moment: nobody would say it again. */
  @Test
  void hasStoppedAlsoWhereThatCannotBeRecorded() throws IOException {
    boolean[] isFull = new boolean[1];
    ExecutionControl filling =
        new ExecutionControl(
            ExecutionControl.unsteered(CLOCK.instant()),
            CLOCK,
            next -> {
              if (isFull[0]) {
                throw new IOException("disk full");
              }
            });
    assertTrue(filling.beginPlan());
    filling.stop(Stop.FINISH, "ann", "backup");
    isFull[0] = true;

    filling.endPlan();

    assertEquals(State.STOPPED, filling.current().state());
    assertEquals(
        "stopped by ann: backup; that it has stopped isn't recorded: disk full", filling.reason());
    assertThrows(IOException.class, () -> filling.resume("ann", ""));
    isFull[0] = false;
    filling.resume("ann", "");
    assertTrue(filling.mayBegin());
  }

  @Test
  void stopsAtOnceWhereNothingIsUnderWay() throws IOException {
    control.stop(Stop.FINISH, "ann", "");

    assertEquals(State.STOPPED, control.current().state());
    assertFalse(control.beginPlan());
  }

  @Test
  void comesBackToWhatHeldBefore() {
    assertEquals(State.PAUSED, after(State.PAUSED));
    assertEquals(State.STOPPED, after(State.STOPPED));
    // Its process ended, and so did what was under way.
    assertEquals(State.STOPPED, after(State.STOPPING));
    assertEquals(State.STOPPED, after(State.ABANDONING));
  }

  private static State after(State state) {
    ExecutionControl restored =
        new ExecutionControl(
            new ExecutionControl.Current(state, "ann", "", CLOCK.instant()), CLOCK, next -> {});
    assertFalse(restored.mayBegin());
    return restored.current().state();
  }

  @Test
  void changesNothingThatCannotBeRecorded() {
    ExecutionControl unrecorded =
        new ExecutionControl(
            ExecutionControl.unsteered(CLOCK.instant()),
            CLOCK,
            next -> {
              throw new IOException("disk full");
            });

    assertThrows(IOException.class, () -> unrecorded.pause("ann", ""));

    assertEquals(State.RUNNING, unrecorded.current().state());
  }

  @Test
  void holdsItselfBackWithoutARecord() {
    control.hold("journal", "disk full");
    control.hold("leadership", "ZooKeeper is away");
    control.release("journal");
    assertFalse(control.mayBegin());
    assertEquals("ZooKeeper is away", control.reason());
    control.release("leadership");
    assertTrue(control.mayBegin());
    control.end(Stop.FINISH);
    assertFalse(control.mayBegin());
    assertTrue(control.isEnding());

    assertEquals(List.of(), recorded);
  }

  @Test
  void wakesWhoWaits() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      control.pause("ann", "");
      CountDownLatch begun = new CountDownLatch(2);
      List<Future<Boolean>> turns = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        turns.add(
            threads.submit(
                () -> {
                  begun.countDown();
                  return control.awaitTurn();
                }));
      }
      assertTrue(begun.await(60, TimeUnit.SECONDS));
      assertFalse(turns.get(0).isDone());
      control.resume("ann", "");
      assertTrue(turns.get(0).get(60, TimeUnit.SECONDS));
      assertTrue(turns.get(1).get(60, TimeUnit.SECONDS));

      control.pause("ann", "");
      Future<Boolean> stopped = threads.submit(control::awaitTurn);
      control.stop(Stop.FINISH, "ann", "");
      assertFalse(stopped.get(60, TimeUnit.SECONDS));
    } finally {
      threads.shutdownNow();
    }
  }
}
