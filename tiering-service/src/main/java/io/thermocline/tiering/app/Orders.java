// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;

/** What people ask the thread that plans to do between two plans, in the order in which they ask. */
final class Orders {

  private final BlockingQueue<FutureTask<?>> waiting = new LinkedBlockingQueue<>();
  private volatile boolean hasEnded;

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
