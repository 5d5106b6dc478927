// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class WorkerPoolTest {

  @Test
  void workersAreSharedEquallyAndAgainWhenFlowsComeAndGo() throws Exception {
    try (WorkerPool pool = new WorkerPool(4, 4)) {
      Held a = new Held(pool, "t", 8);
      a.started.acquire(4);
      assertEquals(4, pool.share());
      assertEquals(4, a.running.get(), "alone, a flow has all workers");
      Held b = new Held(pool, "t", 8);
      assertEquals(2, pool.share());
      a.go.release(2);
      b.started.acquire(2);
      assertEquals(2, a.running.get());
      assertEquals(2, b.running.get());
      b.go.release(8);
      b.finish();
      b.lane.close();
      a.started.acquire(2);
      assertEquals(4, a.running.get());
      a.go.release(8);
      a.finish();
    }
  }

  @Test
  void moreFlowsThanWorkersTakeTurns() throws Exception {
    try (WorkerPool pool = new WorkerPool(1, 1)) {
      Held first = new Held(pool, "t", 1);
      first.started.acquire();
      List<String> order = new ArrayList<>();
      List<CompletableFuture<Void>> all = new ArrayList<>();
      WorkerPool.Lane a = pool.open(new Object(), "t");
      WorkerPool.Lane b = pool.open(new Object(), "t");
      for (int i = 0; i < 3; i++) {
        all.add(a.submit(() -> note(order, "a")));
        all.add(b.submit(() -> note(order, "b")));
      }
      first.go.release();
      CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get();
      assertEquals(List.of("a", "b", "a", "b", "a", "b"), order);
    }
  }

  @Test
  void aTenantHasNoMoreWorkersThanItsLimit() throws Exception {
    try (WorkerPool pool = new WorkerPool(4, 3)) {
      Held greedy = new Held(pool, "greedy", 8);
      greedy.started.acquire(3);
      Held other = new Held(pool, "other", 1);
      other.started.acquire();
      assertEquals(3, greedy.running.get());
      assertTrue(!greedy.started.tryAcquire(), "the fourth worker was idle before");
      greedy.go.release(8);
      other.go.release();
      greedy.finish();
      other.finish();
    }
  }

  @Test
  void waitingTasksAreBoundedAndFailuresReachTheCaller() throws Exception {
    WorkerPool pool = new WorkerPool(1, 1);
    WorkerPool.Lane lane = pool.open(new Object(), "t");
    Exception failure =
        assertThrows(
            ExecutionException.class,
            () ->
                lane.submit(
                        () -> {
                          throw new IllegalStateException("bad");
                        })
                    .get());
    assertEquals("bad", failure.getCause().getMessage());
    Held held = new Held(pool, "t", 1);
    held.started.acquire();
    for (int i = 0; i < WorkerPool.MAX_WAITING; i++) {
      lane.submit(() -> null);
    }
    assertThrows(RejectedExecutionException.class, () -> lane.submit(() -> null));
    held.go.release();
    pool.close();
    assertThrows(RejectedExecutionException.class, () -> lane.submit(() -> null));
    assertThrows(IllegalArgumentException.class, () -> new WorkerPool(0, 1));
  }

  private static Void note(List<String> order, String name) {
    order.add(name);
    return null;
  }

  /** Tasks that run until they are let go. */
  private static final class Held {
    final Semaphore started = new Semaphore(0);
    final Semaphore go = new Semaphore(0);
    final AtomicInteger running = new AtomicInteger();
    final WorkerPool.Lane lane;
    final List<CompletableFuture<Void>> results = new ArrayList<>();

    Held(WorkerPool pool, String tenant, int tasks) {
      lane = pool.open(new Object(), tenant);
      for (int i = 0; i < tasks; i++) {
        results.add(
            lane.submit(
                () -> {
                  running.incrementAndGet();
                  started.release();
                  go.acquire();
                  running.decrementAndGet();
                  return null;
                }));
      }
    }

    void finish() throws Exception {
      CompletableFuture.allOf(results.toArray(CompletableFuture[]::new)).get(20, TimeUnit.SECONDS);
    }
  }
}
