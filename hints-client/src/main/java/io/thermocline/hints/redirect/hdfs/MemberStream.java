// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.redirect.hdfs;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.ByteBufferPositionedReadable;
import org.apache.hadoop.fs.ByteBufferReadable;
import org.apache.hadoop.fs.CanSetDropBehind;
import org.apache.hadoop.fs.CanSetReadahead;
import org.apache.hadoop.fs.CanUnbuffer;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSExceptionMessages;
import org.apache.hadoop.fs.FSInputStream;

/**
 * The bytes of an original: of its blocks that have a copy in a group, out of that; out of the
 * original from the first failure on, and where the copy's device has too much to do. As all
 * streams, not for two threads at once but for positioned reads.
 */
final class MemberStream extends FSInputStream
    implements ByteBufferReadable,
        ByteBufferPositionedReadable,
        CanSetReadahead,
        CanSetDropBehind,
        CanUnbuffer {

  private final FSDataInputStream original;
  private final List<CopiedPart> parts;
  private final long length;
  private final GroupReads owner;
  private final Map<LoadedGroup, FSDataInputStream> copies = new HashMap<>();
  private CopiedPart streamed;
  private boolean isStreamedFromOriginal;
  private volatile CopiedPart asked;
  private volatile boolean failed;
  private volatile boolean closed;
  private long position;

  /**
   * @param parts in the order of the file
   * @param length of the file
   */
  MemberStream(FSDataInputStream original, List<CopiedPart> parts, long length, GroupReads owner) {
    this.original = original;
    this.parts = parts;
    this.length = length;
    this.owner = owner;
  }

  @Override
  public int read(long at, byte[] buffer, int offset, int count) throws IOException {
    return read(at, buffer, offset, count, original::read, this::readCopy);
  }

  /**
   * From somewhere into a part of an array: as many bytes as there are at once, -1 at the end.
   */
  @FunctionalInterface
  private interface Source {
    int read(long at, byte[] buffer, int offset, int count) throws IOException;
  }

  /** Where a block with a copy is read. */
  @FunctionalInterface
  private interface Copies {
    int read(CopiedPart part, long at, byte[] buffer, int offset, int count) throws IOException;
  }

  private int read(
      long at, byte[] buffer, int offset, int count, Source ofOriginal, Copies ofCopies)
      throws IOException {
    if (closed) {
      throw new IOException(FSExceptionMessages.STREAM_IS_CLOSED);
    }
    validatePositionedReadArgs(at, buffer, offset, count);
    if (count == 0) {
      return 0;
    }
    long until = Long.MAX_VALUE;
    for (CopiedPart part : parts) {
      if (at < part.start()) {
        until = part.start();
        break;
      }
      if (at < part.end() && !failed) {
        try {
          return ofCopies.read(part, at, buffer, offset, (int) Math.min(count, part.end() - at));
        } catch (IOException | RuntimeException e) {
          failed = true;
          owner.fellBack(part.group);
        }
      }
    }
    return ofOriginal.read(at, buffer, offset, (int) Math.min(count, until - at));
  }

  private int readCopy(CopiedPart part, long at, byte[] buffer, int offset, int count)
      throws IOException {
    if (isInMemory(part, at, buffer, offset, count)) {
      return count;
    }
    if (owner.prefersOriginal(part)) {
      try {
        return owner.readOriginal(part, () -> original.read(at, buffer, offset, count));
      } catch (IOException e) {
        // What was only to go faster: there is still the copy.
      }
    }
    if (isLoaded(part, at, buffer, offset, count)) {
      return count;
    }
    return some(part.group.read(copy(part.group), inGroup(part, at), buffer, offset, count));
  }

  /**
   * As one goes on reading, it is read where it was begun: another connection costs more than it
   * brings.
   */
  private int streamCopy(CopiedPart part, long at, byte[] buffer, int offset, int count)
      throws IOException {
    if (isInMemory(part, at, buffer, offset, count)) {
      return count;
    }
    if (streamed != part) {
      streamed = part;
      isStreamedFromOriginal = owner.prefersOriginal(part);
    }
    if (isStreamedFromOriginal) {
      try {
        return streamOriginal(at, buffer, offset, count);
      } catch (IOException e) {
        isStreamedFromOriginal = false;
      }
    }
    if (isLoaded(part, at, buffer, offset, count)) {
      return count;
    }
    FSDataInputStream copy = copy(part.group);
    copy.seek(inGroup(part, at));
    return some(copy.read(buffer, offset, count));
  }

  private static int some(int read) throws EOFException {
    if (read <= 0) {
      throw new EOFException("the group file ends before its member does");
    }
    return read;
  }

  private int streamOriginal(long at, byte[] buffer, int offset, int count) throws IOException {
    original.seek(at);
    return original.read(buffer, offset, count);
  }

  private static long inGroup(CopiedPart part, long at) {
    return part.member().offset() + at - part.start();
  }

  private boolean isInMemory(CopiedPart part, long at, byte[] buffer, int offset, int count)
      throws IOException {
    if (asked != part) {
      asked = part;
      part.group.asked(part.index);
    }
    part.group.check();
    return isCopied(part.group.bytes(part.index), part, at, buffer, offset, count);
  }

  private boolean isLoaded(CopiedPart part, long at, byte[] buffer, int offset, int count)
      throws IOException {
    return isCopied(part.group.load(part.index), part, at, buffer, offset, count);
  }

  private static boolean isCopied(
      byte[] bytes, CopiedPart part, long at, byte[] buffer, int offset, int count) {
    if (bytes != null) {
      System.arraycopy(bytes, (int) (at - part.start()), buffer, offset, count);
    }
    return bytes != null;
  }

  private synchronized FSDataInputStream copy(LoadedGroup group) throws IOException {
    FSDataInputStream copy = copies.get(group);
    if (copy == null) {
      copy = group.open();
      copies.put(group, copy);
    }
    return copy;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] buffer, int offset, int count) throws IOException {
    int read = read(position, buffer, offset, count, this::streamOriginal, this::streamCopy);
    position += Math.max(0, read);
    return read;
  }

  @Override
  public int read(ByteBuffer buffer) throws IOException {
    int count = read(position, buffer);
    position += Math.max(0, count);
    return count;
  }

  @Override
  public int read(long at, ByteBuffer buffer) throws IOException {
    byte[] bytes = new byte[Math.min(buffer.remaining(), 1 << 16)];
    int count = read(at, bytes, 0, bytes.length);
    if (count > 0) {
      buffer.put(bytes, 0, count);
    }
    return count;
  }

  @Override
  public void readFully(long at, ByteBuffer buffer) throws IOException {
    long next = at;
    while (buffer.hasRemaining()) {
      int count = read(next, buffer);
      if (count < 0) {
        throw new EOFException(FSExceptionMessages.EOF_IN_READ_FULLY);
      }
      next += count;
    }
  }

  @Override
  public void seek(long to) throws IOException {
    if (closed) {
      throw new IOException(FSExceptionMessages.STREAM_IS_CLOSED);
    }
    if (to < 0) {
      throw new EOFException(FSExceptionMessages.NEGATIVE_SEEK);
    }
    if (to > length) {
      throw new EOFException(FSExceptionMessages.CANNOT_SEEK_PAST_EOF);
    }
    position = to;
  }

  @Override
  public long getPos() {
    return position;
  }

  @Override
  public boolean seekToNewSource(long target) {
    failed = true;
    return true;
  }

  @Override
  public int available() throws IOException {
    if (closed) {
      throw new IOException(FSExceptionMessages.STREAM_IS_CLOSED);
    }
    return (int) Math.min(Integer.MAX_VALUE, length - position);
  }

  @Override
  public void setReadahead(Long bytes) throws IOException {
    original.setReadahead(bytes);
  }

  @Override
  public void setDropBehind(Boolean dropCache) throws IOException {
    original.setDropBehind(dropCache);
  }

  @Override
  public void unbuffer() {
    original.unbuffer();
  }

  @Override
  public void close() throws IOException {
    closed = true;
    try {
      synchronized (this) {
        for (FSDataInputStream copy : copies.values()) {
          copy.close();
        }
      }
    } finally {
      original.close();
    }
  }
}
