// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.redirect.hdfs;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.fs.ByteBufferPositionedReadable;
import org.apache.hadoop.fs.ByteBufferReadable;
import org.apache.hadoop.fs.CanSetDropBehind;
import org.apache.hadoop.fs.CanSetReadahead;
import org.apache.hadoop.fs.CanUnbuffer;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSExceptionMessages;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.StreamCapabilities;

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
        CanUnbuffer,
        StreamCapabilities {

  private static final List<String> CAPABILITIES =
      Arrays.asList(
          StreamCapabilities.READAHEAD,
          StreamCapabilities.DROPBEHIND,
          StreamCapabilities.UNBUFFER,
          StreamCapabilities.READBYTEBUFFER,
          StreamCapabilities.PREADBYTEBUFFER);

  private final FSDataInputStream original;

  private final SharedOriginal shared;
  private final List<CopiedPart> parts;
  private final long length;
  private final GroupReads owner;
  private final StreamedCopy copy = new StreamedCopy();
  private final PartReads reads;
  private volatile boolean failed;
  private long position;

  /**
   * @param parts in the order of the file
   * @param length of the file
   */
  MemberStream(
      FSDataInputStream original,
      List<CopiedPart> parts,
      long length,
      GroupReads owner,
      NodeLoads loads) {
    this.original = original;
    this.shared = new SharedOriginal(original);
    this.parts = parts;
    this.length = length;
    this.owner = owner;
    this.reads = new PartReads(shared, copy, owner, loads);
  }

  @Override
  public int read(long at, byte[] buffer, int offset, int count) throws IOException {
    return read(at, buffer, offset, count, shared::read, reads::read);
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
    if (copy.isClosed()) {
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
      if (at < part.end() && !failed && !part.group.isEnded()) {
        try {
          return ofCopies.read(part, at, buffer, offset, (int) Math.min(count, part.end() - at));
        } catch (IOException e) {
          reads.tellWhoIsToStop(e);
          fellBack(part);
        } catch (RuntimeException | LinkageError | OutOfMemoryError e) {
          fellBack(part);
        }
      }
    }
    return ofOriginal.read(at, buffer, offset, (int) Math.min(count, until - at));
  }

  private void fellBack(CopiedPart part) {
    // Of a group that another reader ended, that one has told.
    if (!part.group.isEnded()) {
      owner.fellBack(part.group);
    }
    failed = true;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] buffer, int offset, int count) throws IOException {
    int read = read(position, buffer, offset, count, shared::stream, reads::stream);
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
    if (copy.isClosed()) {
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

  /** As HDFS's: nothing that is passed over is read. */
  @Override
  public long skip(long count) throws IOException {
    if (count <= 0) {
      return count < 0 ? -1 : 0;
    }
    long from = position;
    seek(from + Math.min(count, length - from));
    return position - from;
  }

  @Override
  public long getPos() {
    return position;
  }

  @Override
  public boolean seekToNewSource(long target) throws IOException {
    seek(target);
    if (failed) {
      return original.seekToNewSource(target);
    }
    failed = true;
    return true;
  }

  @Override
  public int available() throws IOException {
    if (copy.isClosed()) {
      throw new IOException(FSExceptionMessages.STREAM_IS_CLOSED);
    }
    return (int) Math.min(Integer.MAX_VALUE, length - position);
  }

  @Override
  public void setReadahead(Long bytes) throws IOException {
    original.setReadahead(bytes);
    copy.setReadahead(bytes);
  }

  @Override
  public void setDropBehind(Boolean dropCache) throws IOException {
    original.setDropBehind(dropCache);
    copy.setDropBehind(dropCache);
  }

  @Override
  public void unbuffer() {
    original.unbuffer();
    copy.unbuffer();
  }

  @Override
  public boolean hasCapability(String capability) {
    return CAPABILITIES.contains(capability.toLowerCase(Locale.ROOT))
        && original.hasCapability(capability);
  }

  @Override
  public void close() throws IOException {
    try {
      copy.close();
    } finally {
      original.close();
    }
  }
}
