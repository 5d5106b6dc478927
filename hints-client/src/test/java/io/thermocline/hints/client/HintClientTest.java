// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.hints.Hint;
import io.thermocline.hints.Operation;
import io.thermocline.hints.Scope;
import io.thermocline.hints.Temperature;
import io.thermocline.hints.wire.HintError;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HintClientTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final HintClientSettings QUICK =
      HintClientSettings.DEFAULT.batches(100, 0).attempts(3, 1);

  private HintServer active;
  private HintServer other;

  @BeforeEach
  void start() throws IOException {
    active = new HintServer();
    other = new HintServer();
  }

  @AfterEach
  void stop() {
    active.close();
    other.close();
  }

  @Test
  void hintsArriveInOrderWithOwnerAndLease() {
    try (HintClient client = client(QUICK)) {
      for (int i = 0; i < 250; i++) {
        assertTrue(client.give(about(i).temperature(Temperature.HOT), HOUR));
      }
      eventually(() -> client.counts().taken() == 250, client::counts);
    }
    assertEquals(250, active.hints.size());
    for (int i = 0; i < 250; i++) {
      Hint expected =
          about(i).temperature(Temperature.HOT).owner("etl").leaseExpiryMillis(3_600_000).build();
      assertEquals(expected, active.hints.get(i));
    }
    assertTrue(active.batches.stream().allMatch(size -> size <= 100), active.batches.toString());
    assertEquals("etl", active.users.get(0));
  }

  @Test
  void aRefusedHintTakesNoOtherWithIt() {
    HintClient client = client(QUICK.batches(100, 10_000));
    client.give(about(1), HOUR);
    client.give(Hint.onFile(Operation.PIN, "/gone/x"), HOUR);
    client.give(Hint.on(Scope.FILE, Operation.PIN, "relative"), HOUR);
    client.give(about(2), HOUR);
    // Closing ends the wait for more.
    client.close();
    HintCounts counts = client.counts();
    assertEquals(4, counts.given());
    assertEquals(2, counts.taken());
    assertEquals(1, counts.refused());
    assertEquals(1, counts.dropped());
    assertEquals("NO_SUCH_FILE: /gone/x", counts.lastProblem());
    assertFalse(client.give(about(3), HOUR));
    assertEquals(2, client.counts().dropped());
  }

  @Test
  void whatHdfsCouldNotBeAskedAboutIsSentAgainByItself() {
    active.notYet.put("/late", 2);
    active.notYet.put("/never", 1000);
    try (HintClient client = client(QUICK.batches(100, 500))) {
      client.give(about(1), HOUR);
      client.give(Hint.onFile(Operation.PIN, "/late"), HOUR);
      client.give(Hint.onFile(Operation.PIN, "/never"), HOUR);
      eventually(() -> client.counts().refused() == 1, client::counts);
      assertEquals(2, client.counts().taken());
      assertEquals("HDFS_UNAVAILABLE: /never", client.counts().lastProblem());
    }
    assertEquals(List.of(3, 2, 2), active.batches);
  }

  @Test
  void theOtherInstanceTakesOver() {
    active.trouble = HintServer.error(HintError.STANDBY);
    try (HintClient client = client(QUICK)) {
      client.give(about(1), HOUR);
      eventually(() -> client.counts().taken() == 1, client::counts);
      assertEquals(1, other.hints.size());
      client.give(about(2), HOUR);
      eventually(() -> client.counts().taken() == 2, client::counts);
      // It was asked first this time.
      assertEquals(1, active.users.size());
      other.trouble = HintServer.error(HintError.STANDBY);
      active.trouble = null;
      client.give(about(3), HOUR);
      eventually(() -> client.counts().taken() == 3, client::counts);
      assertEquals(1, active.hints.size());
    }
  }

  @Test
  void aServiceThatComesBackGetsWhatWaited() {
    active.trouble = HintServer.error(HintError.NOT_READY);
    other.trouble = HintServer.error(HintError.BUSY);
    try (HintClient client = client(QUICK.attempts(1000, 1))) {
      client.give(about(1), HOUR);
      eventually(() -> active.users.size() > 2, client::counts);
      assertEquals(0, client.counts().dropped());
      other.trouble = null;
      eventually(() -> client.counts().taken() == 1, client::counts);
    }
  }

  @Test
  void aServiceThatIsDownCostsHintsOnly() {
    stop();
    try (HintClient client = client(QUICK)) {
      client.give(about(1), HOUR);
      eventually(() -> client.counts().dropped() == 1, client::counts);
      assertTrue(
          client.counts().lastProblem().startsWith("no answer of the tiering service at http://"),
          client.counts().toString());
    }
  }

  @Test
  void aFullQueueDropsAndCounts() throws Exception {
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    active.before =
        () -> {
          busy.countDown();
          await(go);
        };
    try (HintClient client = client(QUICK.queueLength(5))) {
      client.give(about(0), HOUR);
      assertTrue(busy.await(30, TimeUnit.SECONDS));
      for (int i = 1; i <= 8; i++) {
        assertEquals(i <= 5, client.give(about(i), HOUR), "hint " + i);
      }
      assertEquals(3, client.counts().dropped());
      assertEquals("the queue of 5 hints is full", client.counts().lastProblem());
      go.countDown();
      eventually(() -> client.counts().taken() == 6, client::counts);
    }
  }

  @Test
  void closingWaitsNoLongerThanItMay() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    active.before = () -> await(go);
    HintClient client = client(QUICK.closeMillis(50));
    client.give(about(0), HOUR);
    eventually(() -> client.give(about(1), HOUR), client::counts);
    // Would never end.
    client.close();
    assertEquals(0, client.counts().taken());
    go.countDown();
    // What was under way is counted by what came of it.
    eventually(
        () -> client.counts().taken() + client.counts().dropped() == client.counts().given(),
        client::counts);
  }

  @Test
  void whatIsNotTheServiceIsNotBelieved() {
    for (Map.Entry<Integer, String> trouble :
        List.of(
            Map.entry(200, "<html>Welcome</html>"),
            Map.entry(200, "[]"),
            Map.entry(302, ""),
            Map.entry(404, "<html>No</html>"),
            Map.entry(413, ""))) {
      active.trouble = trouble;
      other.trouble = trouble;
      try (HintClient client = client(QUICK)) {
        client.give(about(1), HOUR);
        eventually(() -> client.counts().dropped() == 1, client::counts);
      }
    }
    assertEquals(0, active.hints.size());
  }

  @Test
  void anErrorInTheConnectionsStaysInside() {
    AtomicReference<Throwable> uncaught = new AtomicReference<>();
    Thread.setDefaultUncaughtExceptionHandler((thread, e) -> uncaught.set(e));
    try (HintClient client =
        new HintClient(
            ServiceClient.of(
                active.address(),
                url -> {
                  throw new LinkageError("no such class");
                }),
            "etl",
            QUICK,
            () -> 0)) {
      client.give(about(1), HOUR);
      eventually(() -> client.counts().dropped() == 1, client::counts);
      assertEquals("java.lang.LinkageError: no such class", client.counts().lastProblem());
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(null);
    }
    assertEquals(null, uncaught.get());
  }

  private HintClient client(HintClientSettings settings) {
    return new HintClient(
        ServiceClient.of(
            active.address() + ", " + other.address(), Connections.plain("etl", 20_000)),
        "etl",
        settings,
        () -> 0);
  }

  private static Hint.Builder about(int i) {
    return Hint.onFile(Operation.ADVISE, "/f" + i);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await(60, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  static void eventually(BooleanSupplier condition, Supplier<?> state) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < deadline, () -> String.valueOf(state.get()));
      LockSupport.parkNanos(1_000_000);
    }
  }
}
