// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.redirect.hdfs;

import io.thermocline.hints.redirect.GroupFile;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.ByteBufferPositionedReadable;
import org.apache.hadoop.fs.ByteBufferReadable;
import org.apache.hadoop.fs.CanSetDropBehind;
import org.apache.hadoop.fs.CanSetReadahead;
import org.apache.hadoop.fs.CanUnbuffer;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSExceptionMessages;
import org.apache.hadoop.fs.FSInputStream;

/**
 * The bytes of an original out of its group file; out of the original from the first failure on. As all streams, not
 * for two threads at once but for positioned reads.
 */
final class MemberStream extends FSInputStream
    implements ByteBufferReadable,
        ByteBufferPositionedReadable,
        CanSetReadahead,
        CanSetDropBehind,
        CanUnbuffer {

  private final FSDataInputStream original;
  private final LoadedGroup group;
  private final GroupFile.Member member;
  private final GroupReads owner;
  private volatile FSDataInputStream copy;
  private volatile boolean failed;
  private volatile boolean closed;
  private long position;

  MemberStream(
      FSDataInputStream original, LoadedGroup group, GroupFile.Member member, GroupReads owner) {
    this.original = original;
    this.group = group;
    this.member = member;
    this.owner = owner;
  }

  @Override
  public int read(long at, byte[] buffer, int offset, int length) throws IOException {
    if (closed) {
      throw new IOException(FSExceptionMessages.STREAM_IS_CLOSED);
    }
    validatePositionedReadArgs(at, buffer, offset, length);
    if (length == 0) {
      return 0;
    }
    if (at >= member.length()) {
      return -1;
    }
    int count = (int) Math.min(length, member.length() - at);
    if (!failed) {
      try {
        return readCopy(at, buffer, offset, count);
      } catch (IOException | RuntimeException e) {
        failed = true;
        owner.fellBack(group);
      }
    }
    return original.read(at, buffer, offset, count);
  }

  private int readCopy(long at, byte[] buffer, int offset, int count) throws IOException {
    if (group.isLoadedWhole()) {
      if (group.bytes() == null && group.load()) {
        owner.loaded();
      }
      System.arraycopy(group.bytes(), (int) (member.offset() + at), buffer, offset, count);
      return count;
    }
    int read = copy().read(member.offset() + at, buffer, offset, count);
    if (read <= 0) {
      throw new EOFException("the group file ends before its member does");
    }
    return read;
  }

  private synchronized FSDataInputStream copy() throws IOException {
    if (copy == null) {
      copy = group.open();
    }
    return copy;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    int count = read(position, buffer, offset, length);
    position += Math.max(0, count);
    return count;
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
    if (to > member.length()) {
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
    return (int) Math.min(Integer.MAX_VALUE, member.length() - position);
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
      if (copy != null) {
        copy.close();
      }
    } finally {
      original.close();
    }
  }
}
