// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OrdersTest {

  private final ExecutorService callers = Executors.newCachedThreadPool();

  @AfterEach
  void end() {
    callers.shutdownNow();
  }

  @Test
  void carriesOutWhatIsAskedSoonInItsTurn() throws Exception {
    Orders orders = new Orders(Duration.ofDays(1));
    Future<Integer> asked = callers.submit(() -> orders.carryOutSoon(() -> 7, () -> {}));
    while (!orders.runNext()) {
      Thread.onSpinWait();
    }
    assertEquals(7, asked.get());
  }

  /** As while a plan is carried out that somebody has paused. */
  @Test
  void keepsNoThreadOfThoseWhoAskSoon() throws Exception {
    Orders orders = new Orders(Duration.ofMillis(1));
    List<String> done = new ArrayList<>();
    assertThrows(
        IllegalStateException.class, () -> orders.carryOutSoon(() -> done.add("late"), () -> {}));
    assertFalse(orders.runNext(), "nobody waits for it any more");
    assertEquals(List.of(), done);
  }

  /** Who asks hears that it is still to be done. */
  @Test
  void leavesWhatIsNotDoneInTimeToBeDone() throws Exception {
    Orders orders = new Orders(Duration.ofMillis(1));
    List<String> done = new ArrayList<>();
    assertFalse(
        orders.carryOutOrLeave(
            () -> {
              done.add("late");
              return null;
            },
            () -> {}));
    assertEquals(List.of(), done);
    assertTrue(orders.runNext());
    assertEquals(List.of("late"), done);

    Orders patient = new Orders(Duration.ofDays(1));
    Future<Boolean> asked = callers.submit(() -> patient.carryOutOrLeave(() -> null, () -> {}));
    while (!patient.runNext()) {
      Thread.onSpinWait();
    }
    assertTrue(asked.get());
    patient.end();
    assertThrows(IllegalStateException.class, () -> patient.carryOutOrLeave(() -> null, () -> {}));
  }

  @Test
  void letsFewWait() throws Exception {
    Orders orders = new Orders(Duration.ofDays(1));
    List<Future<Integer>> asked = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      asked.add(callers.submit(() -> orders.carryOutSoon(() -> 7, () -> {})));
    }
    while (asked.stream().filter(Future::isDone).count() < 6) {
      Thread.onSpinWait();
    }
    for (Future<Integer> one : asked) {
      if (one.isDone()) {
        ExecutionException refused = assertThrows(ExecutionException.class, one::get);
        assertTrue(refused.getCause() instanceof IllegalStateException, refused::toString);
      }
    }
    orders.end();
    for (Future<Integer> one : asked) {
      assertThrows(ExecutionException.class, one::get);
    }
  }

  @Test
  void throwsWhatTheOrderThrows() throws Exception {
    Orders orders = new Orders(Duration.ofDays(1));
    Future<Integer> asked =
        callers.submit(
            () ->
                orders.carryOutSoon(
                    () -> {
                      throw new IOException("HDFS is away");
                    },
                    () -> {}));
    while (!orders.runNext()) {
      Thread.onSpinWait();
    }
    ExecutionException failed = assertThrows(ExecutionException.class, asked::get);
    assertEquals("HDFS is away", failed.getCause().getMessage());
  }
}
