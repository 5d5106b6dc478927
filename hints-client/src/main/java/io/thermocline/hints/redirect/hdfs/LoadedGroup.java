// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.redirect.hdfs;

import io.thermocline.hints.redirect.GroupFile;
import java.io.IOException;
import java.util.zip.CRC32;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * A group file, member by member as far as they are in memory. What is asked for is read by who
 * asks; what follows it in the group is loaded by another thread meanwhile (PRS, section 3.1).
 * Nobody waits for anybody. Safe for any thread.
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
  private HdfsDataInputStream stream;
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
   * The block that all members lie in, with its replicas in the order in which they are tried.
   */
  LocatedBlock block() throws IOException {
    return stream().getAllBlocks().get(0);
  }

  HdfsDataInputStream open() throws IOException {
    return client.createWrappedInputStream(client.open(group.path()));
  }

  private synchronized HdfsDataInputStream stream() throws IOException {
    if (stream == null) {
      stream = open();
    }
    return stream;
  }

  /**
   * All of a small member, which stays in memory.
   *
   * @return null where it is large, or another thread reads it just now
   * @throws IOException if it can't be read, or isn't what was copied
   */
  byte[] load(int index) throws IOException {
    return member(index).length() <= Math.min(PIECE, limits.aheadBytes) ? read(index) : null;
  }

  private byte[] read(int index) throws IOException {
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
            first(),
            () -> {
              stream().readFully(member.offset() + piece, read, piece, length);
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

  private DatanodeInfoWithStorage first() throws IOException {
    return block().getLocations()[0];
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
   * @throws IOException if it can't be read, or something else was found in it than was copied
   */
  int read(FSDataInputStream from, long at, byte[] buffer, int offset, int length)
      throws IOException {
    return loads.read(first(), () -> from.read(at, buffer, offset, length));
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
      for (int index = next(); index >= 0; index = next()) {
        if (read(index) == null) {
          break;
        }
      }
    } catch (IOException | RuntimeException e) {
      // Who asks for it is told, and goes to the original.
    } finally {
      synchronized (this) {
        isLoading = false;
      }
    }
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

  boolean isEnded() {
    return ended;
  }

  /** Nothing of it stays in memory, and nothing more is loaded; who reads it may read on. */
  void end() {
    ended = true;
    for (Slot slot : slots) {
      memory.forget(slot);
    }
  }
}
