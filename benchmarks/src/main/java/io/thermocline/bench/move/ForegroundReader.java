// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.move;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** Reads whole files of a directory, one after the other, in a thread of its own. */
final class ForegroundReader implements AutoCloseable {
  private static final int MOST_SAMPLES = 1 << 20;

  private final DistributedFileSystem hdfs;
  private final String directory;
  private final int files;
  private final LongSupplier nanos;
  private final Thread thread;
  private final long[] taken = new long[MOST_SAMPLES];

  // Guarded by this.
  private int samples;
  private IOException failure;

  private volatile boolean closed;

  /**
   * @param files f0, f1, ...
   */
  ForegroundReader(DistributedFileSystem hdfs, String directory, int files, LongSupplier nanos) {
    this.hdfs = hdfs;
    this.directory = directory;
    this.files = files;
    this.nanos = nanos;
    this.thread = new Thread(this::run, "foreground-reader");
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    SplittableRandom random = new SplittableRandom(1);
    byte[] buffer = new byte[1 << 16];
    while (!closed) {
      long before = nanos.getAsLong();
      try (InputStream in = hdfs.open(new Path(directory + "/f" + random.nextInt(files)))) {
        while (in.read(buffer) >= 0) {}
      } catch (IOException e) {
        synchronized (this) {
          failure = e;
        }
        return;
      }
      synchronized (this) {
        taken[samples++ % MOST_SAMPLES] = nanos.getAsLong() - before;
      }
    }
  }

  /**
   * Forgets what was measured.
   *
   * @return how long each read took since the last call, nanoseconds, at most the last million
   * @throws IOException if reading failed
   */
  synchronized long[] drain() throws IOException {
    if (failure != null) {
      throw failure;
    }
    long[] drained = Arrays.copyOf(taken, Math.min(samples, MOST_SAMPLES));
    samples = 0;
    return drained;
  }

  @Override
  public void close() {
    closed = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
