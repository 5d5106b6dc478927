// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** What people ask the thread that plans to do between two plans, in the order in which they ask. */
final class Orders {

  /** Of those who don't wait for long: who asks holds a thread of the interface meanwhile. */
  private static final int MOST_HURRIED = 2;

  private final BlockingQueue<FutureTask<?>> waiting = new LinkedBlockingQueue<>();
  private final Semaphore hurried = new Semaphore(MOST_HURRIED);
  private final Duration patience;
  private volatile boolean hasEnded;

  /**
   * @param patience of those who don't wait for long
   */
  Orders(Duration patience) {
    this.patience = patience;
  }

  /**
   * As {@link #carryOut}, but doesn't wait for the end of a plan that is being carried out, which somebody may have paused.
   *
   * @throws IllegalStateException also where it isn't this order's turn in time, or others wait already
   */
  <T> T carryOutSoon(Callable<T> order, Runnable wake) throws IOException, InterruptedException {
    if (!hurried.tryAcquire()) {
      throw new IllegalStateException(
          "others wait for the plan that is being carried out: ask again when it has ended, or stop it");
    }
    try {
      AtomicBoolean isTaken = new AtomicBoolean();
      CountDownLatch hasBegun = new CountDownLatch(1);
      FutureTask<T> task =
          new FutureTask<>(
              () -> {
                hasBegun.countDown();
                return isTaken.compareAndSet(false, true) ? order.call() : null;
              }) {
            @Override
            protected void done() {
              // Also where it is refused.
              hasBegun.countDown();
            }
          };
      waiting.add(task);
      wake.run();
      boolean isInTime = hasEnded || hasBegun.await(patience.toNanos(), TimeUnit.NANOSECONDS);
      if (!isInTime && isTaken.compareAndSet(false, true)) {
        waiting.remove(task);
        throw new IllegalStateException(
            "a plan is being carried out: ask again when it has ended, or stop it");
      }
      return result(task);
    } finally {
      hurried.release();
    }
  }

  /**
   * Returns when it is done.
   *
   * @param wake tells the thread that there is something to do
   * @throws IOException as the order does, and where it throws what its caller can't expect
   * @throws IllegalStateException where no more orders are taken
   */
  <T> T carryOut(Callable<T> order, Runnable wake) throws IOException, InterruptedException {
    FutureTask<T> task = new FutureTask<>(order);
    waiting.add(task);
    wake.run();
    return result(task);
  }

  /**
   * As {@link #carryOut}, but returns where that isn't in time; it is carried out all the same.
   *
   * @return false where it is still to be done
   */
  boolean carryOutOrLeave(Callable<Void> order, Runnable wake)
      throws IOException, InterruptedException {
    CountDownLatch isDone = new CountDownLatch(1);
    FutureTask<Void> task =
        new FutureTask<>(order) {
          @Override
          protected void done() {
            isDone.countDown();
          }
        };
    waiting.add(task);
    wake.run();
    if (!hasEnded && !isDone.await(patience.toNanos(), TimeUnit.NANOSECONDS)) {
      return false;
    }
    result(task);
    return true;
  }

  private <T> T result(FutureTask<T> task) throws IOException, InterruptedException {
    if (hasEnded) {
      task.cancel(true);
    }
    try {
      return task.get();
    } catch (CancellationException e) {
      throw new IllegalStateException("the service is ending", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IOException(e.getCause());
    }
  }

  /** False where none waits. */
  boolean runNext() {
    Runnable order = waiting.poll();
    if (order != null) {
      order.run();
    }
    return order != null;
  }

  /** Refuses those that wait, and all later ones. */
  void end() {
    hasEnded = true;
    waiting.forEach(order -> order.cancel(true));
  }
}
