// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.redirect.hdfs;

import io.thermocline.hints.redirect.RedirectTable;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * The redirect table as it lies in HDFS, looked at from time to time by a daemon thread that
 * lives for one look. Safe for any thread.
 *
 * <p>All file systems of a JVM that read by the same table share it, whoever's they are: it may
 * be read by everybody, and whether somebody may read a file or its group, the NameNode says.
 */
final class CachedRedirectTable implements Closeable {
  private static final long PATIENCE_MILLIS = 2000;

  /**
   * Of the memory that groups may take, the bytes of the table get no larger part: in memory it
   * takes some two and a half times as much, and twice that while a new one is read.
   */
  private static final int LARGEST_PART = 4;

  private static final Map<List<Object>, CachedRedirectTable> FOLLOWED = new HashMap<>();

  private final Path file;
  private final long patienceMillis;
  private final long refreshNanos;
  private final long mostBytes;
  private final LongSupplier nanos;
  private final AtomicBoolean isLooking = new AtomicBoolean();
  private final CountDownLatch first = new CountDownLatch(1);
  private volatile RedirectTable table = RedirectTable.empty();
  private volatile int looks;
  private volatile long lookedNanos;
  private volatile boolean isBegun;
  private volatile boolean isLate;

  // Of the table that was read last; for the thread that looks.
  private volatile long tableMillis = -1;
  private volatile long tableLength = -1;

  /** Guarded by the map of all. */
  private int users;

  /**
   * @param file of the table
   * @param limits the table's file may take a quarter of what members in memory may
   * @param nanos monotonic clock
   * @param patienceMillis that who opens a file waits for the first look
   */
  CachedRedirectTable(
      Path file, GroupReads.Limits limits, LongSupplier nanos, long patienceMillis) {
    this.file = file;
    this.refreshNanos = limits.refreshNanos;
    this.mostBytes = Math.min(RedirectTable.MOST_BYTES, limits.memoryBytes / LARGEST_PART);
    this.nanos = nanos;
    this.patienceMillis = patienceMillis;
  }

  /**
   * The one of this JVM, for as long as anybody uses it.
   *
   * @param client of the HDFS that has the table
   * @param directory of the group files and the table
   * @param nanos monotonic clock; that of the first user counts
   */
  static CachedRedirectTable shared(
      DFSClient client, Path directory, GroupReads.Limits limits, LongSupplier nanos) {
    String service = client.getCanonicalServiceName();
    List<Object> key =
        Arrays.asList(
            service == null ? client : service, directory, limits.refreshNanos, limits.memoryBytes);
    synchronized (FOLLOWED) {
      CachedRedirectTable table =
          FOLLOWED.computeIfAbsent(
              key,
              first ->
                  new CachedRedirectTable(
                      new Path(directory, RedirectTable.FILE_NAME),
                      limits,
                      nanos,
                      PATIENCE_MILLIS));
      table.users++;
      return table;
    }
  }

  /** One user less; each calls it once. */
  @Override
  public void close() {
    synchronized (FOLLOWED) {
      if (--users <= 0) {
        FOLLOWED.values().remove(this);
      }
    }
  }

  /**
   * As the last look that ended found it; empty where there is none. Nobody waits but for the
   * first look, and for that two seconds at most: tasks of a job open their files together, and
   * would all go to the originals.
   *
   * @param client that looks, if it is time to
   */
  RedirectTable now(DFSClient client) {
    if (isDue() && isLooking.compareAndSet(false, true)) {
      lookedNanos = nanos.getAsLong();
      isBegun = true;
      try {
        GroupMemory.daemon(() -> look(client)).start();
      } catch (OutOfMemoryError e) {
        // No thread is to be had now.
        looked();
      }
    }
    if (!isLate) {
      awaitFirst();
    }
    return table;
  }

  /** Another number after each look. */
  int looks() {
    return looks;
  }

  private void awaitFirst() {
    try {
      isLate = !first.await(patienceMillis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isDue() {
    return !isBegun || nanos.getAsLong() - lookedNanos >= refreshNanos;
  }

  private void looked() {
    looks++;
    first.countDown();
    isLooking.set(false);
  }

  private void look(DFSClient client) {
    try {
      read(client);
    } catch (FileNotFoundException e) {
      table = RedirectTable.empty();
      tableMillis = -1;
    } catch (Throwable e) {
      // What was known stays, as readers compare. Nothing may reach the host's handler of what
      // nobody caught: some end the process.
    } finally {
      looked();
    }
  }

  private void read(DFSClient client) throws IOException {
    String path = file.toUri().getPath();
    HdfsFileStatus status = client.getFileInfo(path);
    if (status == null) {
      throw new FileNotFoundException(file + " isn't there");
    }
    if (status.getModificationTime() == tableMillis && status.getLen() == tableLength) {
      return;
    }
    if (status.getLen() > mostBytes) {
      throw new IOException("a redirect table of " + status.getLen() + " bytes");
    }
    byte[] bytes = new byte[(int) status.getLen()];
    try (FSDataInputStream in = client.createWrappedInputStream(client.open(path))) {
      in.readFully(0, bytes);
    }
    table = RedirectTable.read(bytes);
    tableMillis = status.getModificationTime();
    tableLength = status.getLen();
  }
}
