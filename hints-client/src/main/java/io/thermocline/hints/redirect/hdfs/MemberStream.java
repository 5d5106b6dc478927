// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.redirect.hdfs;

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
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
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;

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
  private final NodeLoads loads;
  private final StreamedCopy copy = new StreamedCopy();

  /** Where one goes on reading, and at which replica of the group; null: of the original. */
  private CopiedPart streamed;

  private DatanodeInfoWithStorage streamedAt;
  private volatile CopiedPart asked;
  private volatile boolean failed;
  private volatile boolean closed;
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
    this.loads = loads;
  }

  @Override
  public int read(long at, byte[] buffer, int offset, int count) throws IOException {
    return read(at, buffer, offset, count, shared::read, this::readCopy);
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
      if (at < part.end() && !failed && !part.group.isEnded()) {
        try {
          return ofCopies.read(part, at, buffer, offset, (int) Math.min(count, part.end() - at));
        } catch (IOException e) {
          tellWhoIsToStop(e);
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

  /** That the reader was interrupted, or has closed the stream, says nothing of any device. */
  private void tellWhoIsToStop(IOException e) throws IOException {
    boolean isInterrupted =
        e instanceof InterruptedIOException && !(e instanceof SocketTimeoutException);
    if (closed || isInterrupted || e instanceof ClosedByInterruptException) {
      throw e;
    }
  }

  private int readCopy(CopiedPart part, long at, byte[] buffer, int offset, int count)
      throws IOException {
    if (isInMemory(part, at, buffer, offset, count)) {
      return count;
    }
    DatanodeInfoWithStorage place = choose(part);
    if (place == null) {
      try {
        return loads.read(
            part.block.getLocations()[0], () -> shared.read(at, buffer, offset, count));
      } catch (IOException e) {
        // What was only to go faster: there is still the copy.
        tellWhoIsToStop(e);
        place = part.group.copy().place();
      }
    }
    if (isLoaded(part, place, at, buffer, offset, count)) {
      return count;
    }
    return some(part.group.copy().read(place, inGroup(part, at), buffer, offset, count));
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
    boolean begins = streamed != part;
    if (begins) {
      streamedAt = choose(part);
      streamed = part;
    }
    if (streamedAt == null) {
      try {
        return stream(
            begins, part.block.getLocations()[0], () -> shared.stream(at, buffer, offset, count));
      } catch (IOException e) {
        tellWhoIsToStop(e);
        streamedAt = part.group.copy().place();
        begins = true;
      }
    }
    DatanodeInfoWithStorage place = streamedAt;
    if (isLoaded(part, place, at, buffer, offset, count)) {
      return count;
    }
    long from = inGroup(part, at);
    return some(
        stream(begins, place, () -> copy.read(part.group, place, from, buffer, offset, count)));
  }

  private int stream(boolean begins, DatanodeInfoWithStorage at, NodeLoads.Reading reading)
      throws IOException {
    return begins ? loads.read(at, reading) : loads.goOn(at, reading);
  }

  /** The replica of the group to read; null where it is one of the original, tried first then. */
  private DatanodeInfoWithStorage choose(CopiedPart part) throws IOException {
    DatanodeInfoWithStorage[] ofCopy = part.group.copy().places();
    int best = owner.choose(ofCopy, part.block.getLocations());
    if (best < ofCopy.length) {
      return ofCopy[best];
    }
    shared.putFirst(part.block, best - ofCopy.length);
    return null;
  }

  private static int some(int read) throws EOFException {
    if (read <= 0) {
      throw new EOFException("the group file ends before its member does");
    }
    return read;
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

  private boolean isLoaded(
      CopiedPart part, DatanodeInfoWithStorage place, long at, byte[] buffer, int offset, int count)
      throws IOException {
    return isCopied(part.group.loadSmall(part.index, place), part, at, buffer, offset, count);
  }

  private static boolean isCopied(
      byte[] bytes, CopiedPart part, long at, byte[] buffer, int offset, int count) {
    if (bytes != null) {
      System.arraycopy(bytes, (int) (at - part.start()), buffer, offset, count);
    }
    return bytes != null;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] buffer, int offset, int count) throws IOException {
    int read = read(position, buffer, offset, count, shared::stream, this::streamCopy);
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
    if (closed) {
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
    closed = true;
    try {
      copy.close();
    } finally {
      original.close();
    }
  }
}
