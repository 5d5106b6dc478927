// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.process;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes what was opened, last first, whatever goes wrong on the way. Thread-safe. */
public final class Closer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Closer.class);
  private static final long THREADS_END_WITHIN_SECONDS = 10;

  private final Deque<Closeable> open = new ArrayDeque<>();

  public synchronized <T extends Closeable> T register(T resource) {
    open.push(resource);
    return resource;
  }

  public synchronized <T extends ExecutorService> T register(T executor) {
    open.push(() -> end(executor));
    return executor;
  }

  @Override
  public synchronized void close() {
    while (!open.isEmpty()) {
      try {
        open.pop().close();
      } catch (IOException | RuntimeException e) {
        LOG.warn("closing failed", e);
      }
    }
  }

  private static void end(ExecutorService executor) {
    executor.shutdownNow();
    try {
      executor.awaitTermination(THREADS_END_WITHIN_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
