// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.act.Steering.State;
import io.thermocline.tiering.act.Steering.Stop;
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

class SteeringTest {

  private static final Clock CLOCK = Clock.fixed(Instant.ofEpochSecond(1_000), ZoneOffset.UTC);

  private final List<String> recorded = new ArrayList<>();
  private final Steering steering =
      new Steering(
          Steering.unsteered(CLOCK.instant()),
          CLOCK,
          next -> recorded.add(next.state() + " " + next.who() + " " + next.why()));

  @Test
  void recordsWhoAndWhy() throws IOException {
    steering.pause("ann", "backup");
    steering.pause("ann", "backup");
    assertFalse(steering.mayBegin());
    assertEquals("paused by ann: backup", steering.reason());
    steering.resume("bo", "done");
    assertTrue(steering.mayBegin());
    assertEquals("", steering.reason());

    assertEquals(List.of("PAUSED ann backup", "RUNNING bo done"), recorded);
    assertEquals(
        new Steering.Current(State.RUNNING, "bo", "done", CLOCK.instant()), steering.current());
  }

  @Test
  void stopsOnceNothingIsUnderWay() throws IOException {
    assertTrue(steering.beginPlan());
    steering.stop(Stop.FINISH, "ann", "");
    assertTrue(steering.isEnding());
    assertFalse(steering.isAbandoning());
    assertThrows(IllegalStateException.class, () -> steering.pause("bo", ""));
    assertThrows(IllegalStateException.class, () -> steering.resume("bo", ""));
    steering.stop(Stop.ABANDON, "bo", "now");
    assertTrue(steering.isAbandoning());
    assertThrows(IllegalStateException.class, () -> steering.stop(Stop.FINISH, "bo", ""));

    steering.endPlan();

    assertEquals(State.STOPPED, steering.current().state());
    assertFalse(steering.isAbandoning());
    steering.resume("ann", "");
    assertTrue(steering.mayBegin());
    assertEquals(
        List.of("STOPPING ann ", "ABANDONING bo now", "STOPPED bo now", "RUNNING ann "), recorded);
  }

  /** Its journal can't be written at that moment: nobody would say it again. */
  @Test
  void hasStoppedAlsoWhereThatCannotBeRecorded() throws IOException {
    boolean[] isFull = new boolean[1];
    Steering filling =
        new Steering(
            Steering.unsteered(CLOCK.instant()),
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
    steering.stop(Stop.FINISH, "ann", "");

    assertEquals(State.STOPPED, steering.current().state());
    assertFalse(steering.beginPlan());
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
    Steering restored =
        new Steering(new Steering.Current(state, "ann", "", CLOCK.instant()), CLOCK, next -> {});
    assertFalse(restored.mayBegin());
    return restored.current().state();
  }

  @Test
  void changesNothingThatCannotBeRecorded() {
    Steering unrecorded =
        new Steering(
            Steering.unsteered(CLOCK.instant()),
            CLOCK,
            next -> {
              throw new IOException("disk full");
            });

    assertThrows(IOException.class, () -> unrecorded.pause("ann", ""));

    assertEquals(State.RUNNING, unrecorded.current().state());
  }

  @Test
  void holdsItselfBackWithoutARecord() {
    steering.hold("journal", "disk full");
    steering.hold("leadership", "ZooKeeper is away");
    steering.release("journal");
    assertFalse(steering.mayBegin());
    assertEquals("ZooKeeper is away", steering.reason());
    steering.release("leadership");
    assertTrue(steering.mayBegin());
    steering.end(Stop.FINISH);
    assertFalse(steering.mayBegin());
    assertTrue(steering.isEnding());

    assertEquals(List.of(), recorded);
  }

  @Test
  void wakesWhoWaits() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      steering.pause("ann", "");
      CountDownLatch begun = new CountDownLatch(2);
      List<Future<Boolean>> turns = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        turns.add(
            threads.submit(
                () -> {
                  begun.countDown();
                  return steering.awaitTurn();
                }));
      }
      assertTrue(begun.await(60, TimeUnit.SECONDS));
      assertFalse(turns.get(0).isDone());
      steering.resume("ann", "");
      assertTrue(turns.get(0).get(60, TimeUnit.SECONDS));
      assertTrue(turns.get(1).get(60, TimeUnit.SECONDS));

      steering.pause("ann", "");
      Future<Boolean> stopped = threads.submit(steering::awaitTurn);
      steering.stop(Stop.FINISH, "ann", "");
      assertFalse(stopped.get(60, TimeUnit.SECONDS));
    } finally {
      threads.shutdownNow();
    }
  }
}
