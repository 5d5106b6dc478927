// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.redirect.hdfs;

import io.thermocline.hints.redirect.GroupFile;
import java.io.IOException;
import java.util.zip.CRC32;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;

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
  private final GroupCopy copy;
  private final GroupReads.Limits limits;
  private final GroupMemory memory;
  private final Slot[] slots;

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

  /**
   * @param copy closed with this
   */
  LoadedGroup(GroupFile group, GroupCopy copy, GroupReads.Limits limits, GroupMemory memory) {
    this.group = group;
    this.copy = copy;
    this.limits = limits;
    this.memory = memory;
    this.slots = new Slot[group.members().size()];
    for (int i = 0; i < slots.length; i++) {
      slots[i] = new Slot();
    }
  }

  /** To be read where it isn't in memory. */
  GroupCopy copy() {
    return copy;
  }

  GroupFile.Member member(int index) {
    return group.members().get(index);
  }

  /** Those of a member; null where they aren't in memory. */
  byte[] bytes(int index) {
    return slots[index].bytes;
  }

  /**
   * All of a small member, which stays in memory.
   *
   * @param at the replica to read
   * @return null where it is large, or another thread reads it just now
   * @throws IOException if it can't be read, or isn't what was copied
   */
  byte[] loadSmall(int index, DatanodeInfoWithStorage at) throws IOException {
    boolean isSmall = member(index).length() <= Math.min(PIECE, limits.aheadBytes);
    return isSmall && !memory.isGivenUp() ? load(index, at) : null;
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
        copy.readFully(at, member.offset() + done, read, done, Math.min(PIECE, read.length - done));
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
    } catch (OutOfMemoryError e) {
      memory.giveUp();
      throw e;
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
        load(index, copy.place());
      }
    } catch (IOException | RuntimeException e) {
      // Who asks for it is told, and goes to the original.
      done();
    } catch (Throwable e) {
      done();
      memory.giveUp();
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
    copy.close();
    for (Slot slot : slots) {
      memory.forget(slot);
    }
  }
}
