// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.redirect.hdfs;

import io.thermocline.hints.redirect.RedirectTable;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * Serves opened files from group files where those have a copy of exactly what the file is now. Safe for any thread.
 *
 * <p>The file is always opened by HDFS first: so permission is that of the original, checked by the NameNode, and what
 * it is now is what the NameNode said: its blocks, their generation stamps and lengths. That costs no
 * further call; a group file is opened once for positioned reads, and by each reader that streams a
 * member which isn't in memory. What goes wrong on the way to a copy sends the reader to the original, without a word.
 */
public final class GroupReads implements Closeable {

  public static final long DEFAULT_AHEAD_BYTES = 8 << 20;
  public static final long DEFAULT_MEMORY_BYTES = 64 << 20;

  /** Of the host's heap, groups get no larger part than this one. */
  private static final long LARGEST_PART = 16;

  /** Of which this client knows more than the table says. */
  private static final int MOST_GROUPS = 4096;

  private final DFSClient client;
  private final CachedRedirectTable table;
  private final Limits limits;
  private final Map<Long, LoadedGroup> groups = new LinkedHashMap<>(16, 0.75f, true);

  /** Groups in which something else was found than was copied, while the table has them. */
  private final Set<Long> wrong = new HashSet<>();

  /**
   * Groups that couldn't be read, until the table was looked at again: else each open would ask
   * the NameNode once more, where the group's file is gone or not for this user. Guarded by {@link
   * #wrong}.
   */
  private final Set<Long> unread = new HashSet<>();

  private int unreadLooks;

  private final GroupMemory memory;
  private final NodeLoads loads;
  private final AtomicBoolean isClosed = new AtomicBoolean();
  private final AtomicLong redirected = new AtomicLong();
  private final AtomicLong fallbacks = new AtomicLong();
  private final AtomicLong spared = new AtomicLong();

  /** How much memory, and how often to look for a new table. Immutable. */
  public static final class Limits {
    final long refreshNanos;
    final long aheadBytes;
    final long memoryBytes;

    /**
     * @param refreshMillis between two looks at the table's file
     * @param aheadBytes of a group that are loaded ahead of what is asked for; 0: nothing is
     *     kept
     * @param memoryBytes of all that is loaded by this JVM; a sixteenth of the most that its
     *     heap may get, if that is less: that memory ends here would end some hosts, whoever
     *     catches the error
     */
    public Limits(long refreshMillis, long aheadBytes, long memoryBytes) {
      this.refreshNanos = refreshMillis * 1_000_000;
      this.aheadBytes = aheadBytes;
      this.memoryBytes = Math.min(memoryBytes, Runtime.getRuntime().maxMemory() / LARGEST_PART);
    }

    @Override
    public String toString() {
      return aheadBytes + " bytes ahead, " + memoryBytes + " in memory";
    }

    /** A minute, 8 MiB, 64 MiB. */
    public static Limits defaults() {
      return of(DEFAULT_AHEAD_BYTES, DEFAULT_MEMORY_BYTES);
    }

    /** The table is looked at each minute. */
    public static Limits of(long aheadBytes, long memoryBytes) {
      return new Limits(60_000, aheadBytes, memoryBytes);
    }
  }

  /**
   * @param client whose user's rights count
   * @param directory of the group files and the table
   * @param nanos monotonic clock
   */
  public GroupReads(DFSClient client, Path directory, Limits limits, LongSupplier nanos) {
    this(
        client,
        CachedRedirectTable.shared(client, directory, limits, nanos),
        limits,
        GroupMemory.shared(),
        new NodeLoads(nanos));
  }

  /**
   * @param table closed with this
   */
  GroupReads(
      DFSClient client,
      CachedRedirectTable table,
      Limits limits,
      GroupMemory memory,
      NodeLoads loads) {
    this.client = client;
    this.table = table;
    this.limits = limits;
    this.memory = memory;
    this.loads = loads;
  }

  /**
   * What to read an opened file from: the stream itself, or one that reads the same bytes from a group file. The stream
   * given is closed with the one that is returned.
   *
   * @param original as HDFS opened it, at its beginning
   */
  public FSDataInputStream open(FSDataInputStream original) {
    try {
      List<CopiedPart> parts = find(original);
      if (parts.isEmpty()) {
        return original;
      }
      redirected.incrementAndGet();
      long length = ((HdfsDataInputStream) original).getVisibleLength();
      return new FSDataInputStream(new MemberStream(original, parts, length, this, loads));
    } catch (IOException | RuntimeException | LinkageError | OutOfMemoryError e) {
      fallbacks.incrementAndGet();
      return original;
    }
  }

  /** Blocks of the file that have a copy, in its order. */
  private List<CopiedPart> find(FSDataInputStream original) throws IOException {
    RedirectTable current = table.now(client);
    // Not an encrypted file, whose wrapped stream decrypts.
    if (current.groups().isEmpty()
        || !(original instanceof HdfsDataInputStream)
        || !(original.getWrappedStream() instanceof DFSInputStream)) {
      return Collections.emptyList();
    }
    HdfsDataInputStream opened = (HdfsDataInputStream) original;
    long length = opened.getVisibleLength();
    if (length == 0 || length > client.getConf().getPrefetchSize()) {
      // Blocks that the NameNode didn't name with the open would cost another call.
      return Collections.emptyList();
    }
    Set<Long> avoided = avoided(current);
    List<CopiedPart> parts = new ArrayList<>();
    List<LocatedBlock> blocks = opened.getAllBlocks();
    for (int i = 0; i < blocks.size(); i++) {
      LocatedBlock located = blocks.get(i);
      ExtendedBlock block = located.getBlock();
      long end = i + 1 < blocks.size() ? blocks.get(i + 1).getStartOffset() : length;
      RedirectTable.Found found =
          current.find(
              block.getBlockPoolId(),
              block.getBlockId(),
              block.getGenerationStamp(),
              end - located.getStartOffset());
      if (found != null && !located.isCorrupt() && !avoided.contains(found.group().id())) {
        parts.add(
            new CopiedPart(located, group(found), found.group().members().indexOf(found.member())));
      }
    }
    return parts;
  }

  /** Groups of the table that aren't read for now; their ids are never given again. */
  private Set<Long> avoided(RedirectTable current) {
    synchronized (wrong) {
      if (!wrong.isEmpty()) {
        Set<Long> had = new HashSet<>();
        current.groups().forEach(group -> had.add(group.id()));
        wrong.retainAll(had);
      }
      forgetUnread();
      if (wrong.isEmpty() && unread.isEmpty()) {
        return Collections.emptySet();
      }
      Set<Long> avoided = new HashSet<>(wrong);
      avoided.addAll(unread);
      return avoided;
    }
  }

  private void forgetUnread() {
    int looks = table.looks();
    if (unreadLooks != looks) {
      unread.clear();
      unreadLooks = looks;
    }
  }

  private LoadedGroup group(RedirectTable.Found found) {
    synchronized (groups) {
      LoadedGroup group =
          groups.computeIfAbsent(
              found.group().id(),
              id ->
                  new LoadedGroup(
                      found.group(), new GroupCopy(found.group(), client, loads), limits, memory));
      if (groups.size() > MOST_GROUPS) {
        Iterator<LoadedGroup> oldest = groups.values().iterator();
        oldest.next().end();
        oldest.remove();
      }
      return group;
    }
  }

  /**
   * The replica to read.
   *
   * @return index in those of the copy, and then of the original
   */
  int choose(DatanodeInfoWithStorage[] ofCopy, DatanodeInfoWithStorage[] ofOriginal) {
    int best = loads.choose(ofCopy, ofOriginal);
    if (best >= ofCopy.length) {
      spared.incrementAndGet();
    }
    return best;
  }

  void fellBack(LoadedGroup group) {
    fallbacks.incrementAndGet();
    group.end();
    synchronized (wrong) {
      forgetUnread();
      (group.isWrong() ? wrong : unread).add(group.id());
    }
    synchronized (groups) {
      groups.values().remove(group);
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

  /** Reads that went to the original, as the copy's device had too much to do. */
  public long spared() {
    return spared.get();
  }

  /**
   * What is loaded ahead ends, and nothing stays in memory; streams that are open read their
   * originals from now on.
   */
  @Override
  public void close() {
    if (!isClosed.compareAndSet(false, true)) {
      return;
    }
    table.close();
    synchronized (groups) {
      groups.values().forEach(LoadedGroup::end);
      groups.clear();
    }
  }
}
