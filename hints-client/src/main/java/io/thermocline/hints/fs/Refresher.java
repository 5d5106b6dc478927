// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.fs;

import java.io.Closeable;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Fetches again what is old, in a daemon thread of its own that ends when there is nothing to do:
 * who asks never waits. Safe for any thread.
 */
final class Refresher implements Closeable {
  private static final int MOST_WAITING = 256;
  private static final long IDLE_SECONDS = 10;

  private final long refreshMillis;
  private final LongSupplier clock;
  private final ThreadPoolExecutor fetcher;
  private final Map<Object, Long> askedAt = new ConcurrentHashMap<>();

  /** What may fail, and is then tried again when that is old. */
  @FunctionalInterface
  interface Fetch {
    void fetch() throws IOException;
  }

  Refresher(String thread, long refreshMillis, LongSupplier clock) {
    this.refreshMillis = refreshMillis;
    this.clock = clock;
    this.fetcher =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MOST_WAITING),
            task -> {
              Thread made = new Thread(task, thread);
              made.setDaemon(true);
              return made;
            },
            new ThreadPoolExecutor.DiscardPolicy());
    fetcher.allowCoreThreadTimeOut(true);
  }

  /** Has it fetched where the last time is too long ago. */
  void whenOld(Object what, Fetch fetch, Runnable failed) {
    long now = clock.getAsLong();
    Long last = askedAt.get(what);
    if (last != null && now - last < refreshMillis) {
      return;
    }
    askedAt.put(what, now);
    fetcher.execute(
        () -> {
          try {
            fetch.fetch();
          } catch (IOException | RuntimeException e) {
            failed.run();
          }
        });
  }

  @Override
  public void close() {
    fetcher.shutdownNow();
  }
}
