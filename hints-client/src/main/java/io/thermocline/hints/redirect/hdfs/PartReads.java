// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.redirect.hdfs;

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;

/**
 * Where one reader gets the bytes of blocks with a copy from: memory, a replica of the group, or
 * the original while all of those have too much to do.
 */
final class PartReads {
  private final SharedOriginal shared;
  private final StreamedCopy copy;
  private final GroupReads owner;
  private final NodeLoads loads;

  /** Where one goes on reading, and at which replica of the group; null: of the original. */
  private CopiedPart streamed;

  private DatanodeInfoWithStorage streamedAt;
  private volatile CopiedPart asked;

  PartReads(SharedOriginal shared, StreamedCopy copy, GroupReads owner, NodeLoads loads) {
    this.shared = shared;
    this.copy = copy;
    this.owner = owner;
    this.loads = loads;
  }

  /** That the reader was interrupted, or has closed the stream, says nothing of any device. */
  void tellWhoIsToStop(IOException e) throws IOException {
    boolean isInterrupted =
        e instanceof InterruptedIOException && !(e instanceof SocketTimeoutException);
    if (copy.isClosed() || isInterrupted || e instanceof ClosedByInterruptException) {
      throw e;
    }
  }

  /** For any number of threads. */
  int read(CopiedPart part, long at, byte[] buffer, int offset, int count) throws IOException {
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
   * brings. For one thread at once.
   */
  int stream(CopiedPart part, long at, byte[] buffer, int offset, int count) throws IOException {
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
        return goOn(
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
        goOn(begins, place, () -> copy.read(part.group, place, from, buffer, offset, count)));
  }

  private int goOn(boolean begins, DatanodeInfoWithStorage at, NodeLoads.Reading reading)
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
}
