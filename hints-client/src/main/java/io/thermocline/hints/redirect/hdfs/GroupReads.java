// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.redirect.hdfs;

import io.thermocline.hints.redirect.RedirectTable;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * Serves opened files from group files where those have a copy of exactly what the file is now. Safe for any thread.
 *
 * <p>The file is always opened by HDFS first: so permission is that of the original, checked by the NameNode, and what
 * it is now is what the NameNode said: its block, the block's generation stamp, its length. That costs no
 * further call. What goes wrong on the way to a copy sends the reader to the original, without a word.
 */
public final class GroupReads implements Closeable {

  private static final long PATIENCE_SECONDS = 2;

  private final DFSClient client;
  private final Path directory;
  private final Limits limits;
  private final LongSupplier nanos;
  private final ReentrantLock refreshing = new ReentrantLock();
  private final Map<Long, LoadedGroup> loaded = new LinkedHashMap<>(16, 0.75f, true);
  private final AtomicLong redirected = new AtomicLong();
  private final AtomicLong fallbacks = new AtomicLong();
  private volatile RedirectTable table = RedirectTable.empty();
  private volatile long lookedNanos;
  private volatile boolean looked;
  private long tableMillis = -1;
  private long tableLength = -1;

  /** How much memory, and how often to look for a new table. Immutable. */
  public static final class Limits {
    final long refreshNanos;
    final long groupBytes;
    final long memoryBytes;

    /**
     * @param refreshMillis between two looks at the table's file
     * @param groupBytes a group file up to this size is loaded whole when its first member is read
     * @param memoryBytes of all that is loaded
     */
    public Limits(long refreshMillis, long groupBytes, long memoryBytes) {
      this.refreshNanos = refreshMillis * 1_000_000;
      this.groupBytes = groupBytes;
      this.memoryBytes = memoryBytes;
    }

    /** A minute, 8 MiB, 64 MiB. */
    public static Limits defaults() {
      return new Limits(60_000, 8 << 20, 64 << 20);
    }
  }

  /**
   * @param client whose user's rights count
   * @param directory of the group files and the table
   * @param nanos monotonic clock
   */
  public GroupReads(DFSClient client, Path directory, Limits limits, LongSupplier nanos) {
    this.client = client;
    this.directory = directory;
    this.limits = limits;
    this.nanos = nanos;
  }

  /**
   * What to read an opened file from: the stream itself, or one that reads the same bytes from a group file. The stream
   * given is closed with the one that is returned.
   *
   * @param original as HDFS opened it, at its beginning
   */
  public FSDataInputStream open(FSDataInputStream original) {
    try {
      refresh();
      RedirectTable.Found found = find(original);
      if (found == null) {
        return original;
      }
      redirected.incrementAndGet();
      return new FSDataInputStream(new MemberStream(original, group(found), found.member(), this));
    } catch (IOException | RuntimeException e) {
      fallbacks.incrementAndGet();
      return original;
    }
  }

  private RedirectTable.Found find(FSDataInputStream original) throws IOException {
    RedirectTable current = table;
    // Not an encrypted file, whose wrapped stream decrypts.
    if (current.groups().isEmpty()
        || !(original instanceof HdfsDataInputStream)
        || !(original.getWrappedStream() instanceof DFSInputStream)) {
      return null;
    }
    HdfsDataInputStream opened = (HdfsDataInputStream) original;
    List<LocatedBlock> blocks = opened.getAllBlocks();
    if (blocks.size() != 1 || blocks.get(0).isCorrupt()) {
      return null;
    }
    ExtendedBlock block = blocks.get(0).getBlock();
    return current.find(
        block.getBlockPoolId(),
        block.getBlockId(),
        block.getGenerationStamp(),
        opened.getVisibleLength());
  }

  /**
   * Has {@code table} as it is at most one refresh ago. Nobody waits for another's look but for the
   * first: tasks of a job open their files together, and would all go to the originals.
   */
  private void refresh() {
    if (!isDue()) {
      return;
    }
    if (!isMine()) {
      return;
    }
    try {
      if (isDue()) {
        look();
      }
    } finally {
      refreshing.unlock();
    }
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
    return !looked || nanos.getAsLong() - lookedNanos >= limits.refreshNanos;
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
      try (FSDataInputStream in = LoadedGroup.open(client, file.toUri().getPath())) {
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

  private LoadedGroup group(RedirectTable.Found found) {
    synchronized (loaded) {
      return loaded.computeIfAbsent(
          found.group().id(), id -> new LoadedGroup(client, found.group(), limits.groupBytes));
    }
  }

  /** A group has been loaded: others go, the longest unused first, where it is too much. */
  void loaded() {
    synchronized (loaded) {
      long bytes = 0;
      for (LoadedGroup group : loaded.values()) {
        bytes += group.bytesInMemory();
      }
      Iterator<LoadedGroup> oldest = loaded.values().iterator();
      while (bytes > limits.memoryBytes && oldest.hasNext()) {
        bytes -= oldest.next().bytesInMemory();
        oldest.remove();
      }
    }
  }

  void fellBack(LoadedGroup group) {
    fallbacks.incrementAndGet();
    synchronized (loaded) {
      loaded.values().remove(group);
    }
  }

  /** Opens that got a copy. */
  public long redirected() {
    return redirected.get();
  }

  /** Opens and reads that a copy was known for and that went to the original after all. */
  public long fallbacks() {
    return fallbacks.get();
  }

  @Override
  public void close() {
    synchronized (loaded) {
      loaded.clear();
    }
  }
}
