// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

/** A client that writes one file after the other until it is told to stop. */
final class Writer {

  private static final int BLOCKS = 3;
  private static final long PAUSE_NANOS = 100_000_000;

  private final StoredFiles files;
  private final String directory;
  private final List<String> written = new CopyOnWriteArrayList<>();
  private final CompletableFuture<Void> work;
  private volatile boolean stop;

  Writer(StoredFiles files, String directory) {
    this.files = files;
    this.directory = directory;
    this.work = CompletableFuture.runAsync(this::write);
  }

  /** How many files it has closed so far. */
  int count() {
    return written.size();
  }

  /**
   * Ends it.
   *
   * @return what it wrote
   * @throws java.util.concurrent.CompletionException if any of its writes failed
   */
  List<String> stop() {
    stop = true;
    work.join();
    return List.copyOf(written);
  }

  private void write() {
    try {
      while (!stop) {
        LockSupport.parkNanos(PAUSE_NANOS);
        written.add(files.write(directory + "/f" + written.size(), BLOCKS, 3));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
