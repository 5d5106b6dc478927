// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.redirect.hdfs;

import io.thermocline.hints.redirect.RedirectTable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/** The redirect table as it lies in HDFS, looked at from time to time. Safe for any thread. */
final class FollowedTable {
  private static final long PATIENCE_SECONDS = 2;

  private final DFSClient client;
  private final Path directory;
  private final long refreshNanos;
  private final LongSupplier nanos;
  private final ReentrantLock refreshing = new ReentrantLock();
  private volatile RedirectTable table = RedirectTable.empty();
  private volatile long lookedNanos;
  private volatile boolean looked;
  private long tableMillis = -1;
  private long tableLength = -1;

  /**
   * @param directory of the group files and the table
   * @param refreshNanos between two looks
   * @param nanos monotonic clock
   */
  FollowedTable(DFSClient client, Path directory, long refreshNanos, LongSupplier nanos) {
    this.client = client;
    this.directory = directory;
    this.refreshNanos = refreshNanos;
    this.nanos = nanos;
  }

  /**
   * As it is at most one refresh ago; empty where there is none that can be used. Nobody waits for
   * another's look but for the first: tasks of a job open their files together, and would all go
   * to the originals.
   */
  RedirectTable now() {
    if (isDue() && isMine()) {
      try {
        if (isDue()) {
          look();
        }
      } finally {
        refreshing.unlock();
      }
    }
    return table;
  }

  /** Whether the look is this thread's to make; nobody waits for long, there is always the original. */
  private boolean isMine() {
    try {
      return looked ? refreshing.tryLock() : refreshing.tryLock(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private boolean isDue() {
    return !looked || nanos.getAsLong() - lookedNanos >= refreshNanos;
  }

  private void look() {
    try {
      lookedNanos = nanos.getAsLong();
      Path file = new Path(directory, RedirectTable.FILE_NAME);
      HdfsFileStatus status = client.getFileInfo(file.toUri().getPath());
      if (status == null) {
        throw new FileNotFoundException(file + " isn't there");
      }
      if (status.getModificationTime() == tableMillis && status.getLen() == tableLength) {
        return;
      }
      if (status.getLen() > RedirectTable.MOST_BYTES) {
        throw new IOException("a redirect table of " + status.getLen() + " bytes");
      }
      byte[] bytes = new byte[(int) status.getLen()];
      try (FSDataInputStream in =
          client.createWrappedInputStream(client.open(file.toUri().getPath()))) {
        in.readFully(0, bytes);
      }
      table = RedirectTable.read(bytes);
      tableMillis = status.getModificationTime();
      tableLength = status.getLen();
    } catch (IOException | RuntimeException e) {
      // No table, or none to be used: nothing is redirected until the next look.
      table = RedirectTable.empty();
      tableMillis = -1;
    } finally {
      looked = true;
    }
  }
}
