// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import io.thermocline.testbed.cluster.Eventually;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.fs.Path;

/**
 * Readers and a writer that are at a cluster all the time, as others are while somebody looks at
 * pages.
 */
final class BackgroundLoad implements AutoCloseable {

  /** Reads, and files written, that a look at it has to see. */
  static final int LEAST = 50;

  private static final int FILES = 10;
  private static final int READERS = 2;

  /** So that what is tested has its turn on a small host, too. */
  private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final ServedCluster cluster;
  private final String directory;
  private final ExecutorService threads = Executors.newFixedThreadPool(READERS + 1);
  private final AtomicLong reads = new AtomicLong();
  private final AtomicLong writes = new AtomicLong();
  private final AtomicReference<IOException> failure = new AtomicReference<>();
  private volatile boolean ends;

  private interface Step {
    void take(long number) throws IOException;
  }

  private BackgroundLoad(ServedCluster cluster, String directory) {
    this.cluster = cluster;
    this.directory = directory;
  }

  /** Goes on until it is closed. */
  static BackgroundLoad start(ServedCluster cluster, String directory) throws IOException {
    BackgroundLoad load = new BackgroundLoad(cluster, directory);
    for (int i = 0; i < FILES; i++) {
      cluster.write(directory + "/f" + i);
    }
    for (int i = 0; i < READERS; i++) {
      load.repeat(load.reads, number -> cluster.read(directory + "/f" + number % FILES, 1));
    }
    load.repeat(
        load.writes,
        number -> {
          String file = directory + "/w" + number % FILES;
          cluster.superuser().delete(new Path(file), false);
          cluster.write(file);
        });
    return load;
  }

  private void repeat(AtomicLong count, Step step) {
    threads.execute(
        () -> {
          try {
            while (!ends) {
              step.take(count.getAndIncrement());
              LockSupport.parkNanos(REST_NANOS);
            }
          } catch (IOException e) {
            failure.compareAndSet(null, e);
          }
        });
  }

  /** Waits until it has done some more of both. */
  void goesOn() throws IOException {
    long readsNow = reads.get() + LEAST;
    long writesNow = writes.get() + LEAST / 2;
    Eventually.holds(
        "reads and writes go on in " + directory,
        () -> failure.get() != null || reads.get() > readsNow && writes.get() > writesNow);
    if (failure.get() != null) {
      throw new IOException("the load ended", failure.get());
    }
  }

  @Override
  public void close() {
    ends = true;
    threads.shutdown();
    try {
      threads.awaitTermination(1, TimeUnit.MINUTES);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
