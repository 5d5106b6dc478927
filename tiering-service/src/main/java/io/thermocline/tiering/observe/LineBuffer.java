// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.io.IOException;
import java.util.Arrays;

/** Bytes of a file that were read and not yet taken, as lines. Not thread-safe. */
final class LineBuffer {

  /** Small enough for a core's cache, so that parsing finds the bytes there. */
  static final int CHUNK = 256 * 1024;

  /** A line longer than this is cut. */
  private static final int LONGEST_LINE = 8 * 1024 * 1024;

  /** The words that are read at the end go past the limit. */
  private byte[] bytes = new byte[CHUNK + Long.BYTES];

  /** Offset in the file of the first byte. */
  private long base;

  private int next;
  private int scanned;
  private int limit;
  private int lineFrom;
  private int lineTo;
  private long taken;

  /** Forgets all: what is read next stands at this offset of a file. */
  void reset(long offset) {
    base = offset;
    next = 0;
    scanned = 0;
    limit = 0;
  }

  /** Takes the next line that is whole, or too long to wait for its end; false where there is none. */
  boolean takeLine() {
    int end = ByteSearch.indexOf(bytes, scanned, limit, '\n');
    if (end >= 0) {
      take(end, end + 1);
      scanned = next;
      return true;
    }
    scanned = limit;
    if (limit - next >= LONGEST_LINE) {
      take(limit, limit);
      return true;
    }
    return false;
  }

  /** Takes what is left without a newline; false where there is nothing. */
  boolean takeRest() {
    if (next == limit) {
      return false;
    }
    take(limit, limit);
    return true;
  }

  private void take(int end, int after) {
    lineFrom = next;
    lineTo = end > next && bytes[end - 1] == '\r' ? end - 1 : end;
    taken += after - next;
    next = after;
  }

  /** Whether something was read since the last search for a line. */
  boolean hasUnseen() {
    return scanned < limit;
  }

  /**
   * Reads on from a file, at its place.
   *
   * @return how many bytes are {@linkplain #add to be added}; 0 or less at the present end
   */
  int read(LogFile file) throws IOException {
    if (next > 0) {
      System.arraycopy(bytes, next, bytes, 0, limit - next);
      base += next;
      limit -= next;
      scanned -= next;
      next = 0;
    }
    if (limit == bytes.length - Long.BYTES) {
      bytes = Arrays.copyOf(bytes, 2 * (bytes.length - Long.BYTES) + Long.BYTES);
    }
    return file.read(bytes, limit, bytes.length - Long.BYTES - limit);
  }

  /** The bytes that were read last are good. */
  void add(int count) {
    limit += count;
  }

  /** Copies the first of the bytes that were read last and not yet added. */
  void copyRead(byte[] to, int at, int count) {
    System.arraycopy(bytes, limit, to, at, count);
  }

  byte[] bytes() {
    return bytes;
  }

  int lineFrom() {
    return lineFrom;
  }

  /** Behind the line that was taken last, its newline left out. */
  int lineTo() {
    return lineTo;
  }

  /** Offset in the file of what follows the line that was taken last. */
  long offset() {
    return base + next;
  }

  /** Offset in the file of what is read next. */
  long end() {
    return base + limit;
  }

  /** Bytes of all lines that were taken. */
  long taken() {
    return taken;
  }
}
