// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.redirect.hdfs;

import io.thermocline.hints.redirect.GroupFile;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.io.IOUtils;

/**
 * A group file, member by member as far as they are in memory. What is asked for is read by who
 * asks; what follows it in the group is loaded by another thread meanwhile (PRS, section 3.1), for
 * which nobody waits. No lock is held while the NameNode or a DataNode is asked. Safe for any
 * thread.
 */
final class LoadedGroup {
  /**
   * Bytes of one read of a DataNode; a member up to this size is read whole by who asks for any
   * of it.
   */
  static final int PIECE = 512 << 10;

  private final GroupFile group;
  private final DFSClient client;
  private final GroupReads.Limits limits;
  private final GroupMemory memory;
  private final NodeLoads loads;
  private final Slot[] slots;

  /** For positioned reads, by the id of the storage that each tries first. */
  private final Map<String, HdfsDataInputStream> streams = new ConcurrentHashMap<>();

  private volatile DatanodeInfoWithStorage[] places;
  private volatile boolean ended;
  private volatile boolean wrong;
  private volatile int askedLast;
  private boolean isLoading;

  /** A member in memory, all of it or nothing. */
  static final class Slot {
    private volatile byte[] bytes;
    private volatile boolean isRead;

    void set(byte[] read) {
      bytes = read;
    }
  }

  LoadedGroup(
      GroupFile group,
      DFSClient client,
      GroupReads.Limits limits,
      GroupMemory memory,
      NodeLoads loads) {
    this.group = group;
    this.client = client;
    this.limits = limits;
    this.memory = memory;
    this.loads = loads;
    this.slots = new Slot[group.members().size()];
    for (int i = 0; i < slots.length; i++) {
      slots[i] = new Slot();
    }
  }

  GroupFile.Member member(int index) {
    return group.members().get(index);
  }

  /** Those of a member; null where they aren't in memory. */
  byte[] bytes(int index) {
    return slots[index].bytes;
  }

  /**
   * Where the replicas of the one block are that all members lie in, in the order in which the
   * NameNode named them first.
   */
  DatanodeInfoWithStorage[] places() throws IOException {
    if (places == null) {
      HdfsDataInputStream opened = open();
      DatanodeInfoWithStorage[] named = block(opened).getLocations().clone();
      keep(named[0], opened);
      places = named;
    }
    return places;
  }

  /** The replica to read, of those of the group alone. */
  DatanodeInfoWithStorage place() throws IOException {
    DatanodeInfoWithStorage[] all = places();
    return all[loads.choose(all, new DatanodeInfoWithStorage[0])];
  }

  private HdfsDataInputStream open() throws IOException {
    return client.createWrappedInputStream(client.open(group.path()));
  }

  /** A stream of its own for a reader, who closes it. It tries that replica first. */
  HdfsDataInputStream open(DatanodeInfoWithStorage at) throws IOException {
    HdfsDataInputStream opened = open();
    LocatedBlock block = block(opened);
    DatanodeInfoWithStorage[] all = block.getLocations();
    for (int i = 0; i < all.length; i++) {
      if (all[i].getStorageID().equals(at.getStorageID())) {
        putFirst(block, i);
        break;
      }
    }
    return opened;
  }

  private static LocatedBlock block(HdfsDataInputStream of) throws IOException {
    return of.getAllBlocks().get(0);
  }

  /** HDFS's client tries replicas in this order; only for a stream that nobody reads just now. */
  static void putFirst(LocatedBlock block, int index) {
    if (index > 0) {
      DatanodeInfoWithStorage[] all = block.getLocations();
      DatanodeInfoWithStorage first = all[index];
      all[index] = all[0];
      all[0] = first;
      block.updateCachedStorageInfo();
    }
  }

  private HdfsDataInputStream stream(DatanodeInfoWithStorage at) throws IOException {
    HdfsDataInputStream stream = streams.get(at.getStorageID());
    return stream == null ? keep(at, open(at)) : stream;
  }

  private HdfsDataInputStream keep(DatanodeInfoWithStorage at, HdfsDataInputStream opened)
      throws IOException {
    HdfsDataInputStream before = streams.putIfAbsent(at.getStorageID(), opened);
    if (before != null) {
      opened.close();
    }
    if (ended) {
      closeStreams();
      throw new IOException(group.path() + " isn't read any more");
    }
    return before == null ? opened : before;
  }

  private void closeStreams() {
    for (String at : streams.keySet()) {
      IOUtils.closeStream(streams.remove(at));
    }
  }

  /**
   * All of a small member, which stays in memory.
   *
   * @param at the replica to read
   * @return null where it is large, or another thread reads it just now
   * @throws IOException if it can't be read, or isn't what was copied
   */
  byte[] loadSmall(int index, DatanodeInfoWithStorage at) throws IOException {
    return member(index).length() <= Math.min(PIECE, limits.aheadBytes) ? load(index, at) : null;
  }

  private byte[] load(int index, DatanodeInfoWithStorage at) throws IOException {
    Slot slot = slots[index];
    if (!begin(slot)) {
      return slot.bytes;
    }
    try {
      GroupFile.Member member = member(index);
      byte[] read = new byte[(int) member.length()];
      for (int done = 0; done < read.length && !ended; done += PIECE) {
        int piece = done;
        int length = Math.min(PIECE, read.length - done);
        loads.read(
            at,
            () -> {
              stream(at).readFully(member.offset() + piece, read, piece, length);
              return length;
            });
      }
      if (ended) {
        return null;
      }
      CRC32 crc = new CRC32();
      crc.update(read, 0, read.length);
      if (crc.getValue() != member.checksum()) {
        wrong = true;
        throw new IOException(group.path() + " has other bytes than were copied of " + member);
      }
      memory.keep(slot, read, limits.memoryBytes);
      if (ended) {
        memory.forget(slot);
      }
      return read;
    } finally {
      end(slot);
    }
  }

  private synchronized boolean begin(Slot slot) {
    boolean isFree = !slot.isRead && slot.bytes == null;
    slot.isRead |= isFree;
    return isFree;
  }

  private synchronized void end(Slot slot) {
    slot.isRead = false;
  }

  /**
   * Any bytes of the file, as one reader's positioned read.
   *
   * @param at the replica to read
   * @throws IOException if it can't be read
   */
  int read(DatanodeInfoWithStorage at, long from, byte[] buffer, int offset, int length)
      throws IOException {
    return loads.read(at, () -> stream(at).read(from, buffer, offset, length));
  }

  /** @throws IOException if something else was found in it than was copied */
  void check() throws IOException {
    if (wrong) {
      throw new IOException(group.path() + " has other bytes than were copied");
    }
  }

  /**
   * A member was asked for: has what follows it loaded beside, up to the bound, as far as it
   * isn't there.
   */
  void asked(int index) {
    memory.used(slots[index]);
    askedLast = index;
    synchronized (this) {
      if (isLoading || next() < 0) {
        return;
      }
      isLoading = memory.beside(this::loadAhead);
    }
  }

  private void loadAhead() {
    try {
      for (int index = nextOrDone(); index >= 0; index = nextOrDone()) {
        load(index, place());
      }
    } catch (IOException | RuntimeException e) {
      // Who asks for it is told, and goes to the original.
      done();
    } catch (Throwable e) {
      // Nothing may reach the host's handler of what nobody caught: some end the process.
      end();
      memory.forgetAll();
      done();
    }
  }

  /** Who asks meanwhile has seen that this thread loads: so it looks once more as it stops. */
  private synchronized int nextOrDone() {
    int next = next();
    isLoading = next >= 0;
    return next;
  }

  private synchronized void done() {
    isLoading = false;
  }

  /**
   * What follows the member that was asked for last, then that itself; -1 where all within the
   * bound is there.
   */
  private int next() {
    // What is kept in memory must not make each other go.
    long left = Math.min(limits.aheadBytes, limits.memoryBytes);
    int from = askedLast + 1;
    for (int i = 0; i < slots.length && !ended && !wrong; i++) {
      int index = (from + i) % slots.length;
      left -= member(index).length();
      if (left < 0) {
        return -1;
      }
      if (slots[index].bytes == null && !slots[index].isRead) {
        return index;
      }
    }
    return -1;
  }

  long id() {
    return group.id();
  }

  /** Something else was found in it than was copied. */
  boolean isWrong() {
    return wrong;
  }

  /** It is read no more; its readers take the original. */
  boolean isEnded() {
    return ended;
  }

  /** Nothing of it stays in memory or open, and nothing more is loaded. */
  void end() {
    ended = true;
    closeStreams();
    for (Slot slot : slots) {
      memory.forget(slot);
    }
  }
}
