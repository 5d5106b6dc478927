// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.io.IOException;
import java.util.Arrays;

/** Bytes of a file that were read and not yet taken, as lines. Not thread-safe. */
final class LineBuffer {

  /** Small enough for a core's cache, so that parsing finds the bytes there. */
  static final int CHUNK = 64 * 1024;

  /** Lines that are looked at together, at most. */
  static final int AHEAD = 127;

  /** Bytes whose separators are found at once: some sixty lines. */
  private static final int SPAN = 20 * 1024;

  /** Bytes of the longest line, its newline included. A longer one is skipped, except for its end. */
  private static final int LONGEST_LINE = 8 * 1024 * 1024;

  /** The words that are read at the end go past the limit. */
  private byte[] bytes = new byte[CHUNK + Long.BYTES];

  /** Offset in the file of the first byte. */
  private long base;

  /** Offset in the file of the line whose first bytes were skipped; negative where there is none. */
  private long cutOffset = -1;

  private boolean isCut;

  private int next;
  private int scanned;

  /** From {@code next}, or some before it, to where they were looked for. */
  private final Separators separators = new Separators();

  /** Of the lines that the separators end, how many were taken. */
  private int linesTaken;

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
    linesTaken = 0;
    cutOffset = -1;
    separators.clear();
  }

  /** Takes the next line that is whole, or the end of one that is too long; false where there is none. */
  boolean takeLine() {
    if (ahead() == 0) {
      findSeparators();
    }
    if (ahead() > 0) {
      int end = aheadEnd(0);
      separators.select(tabsFrom(linesTaken), separators.newline(linesTaken));
      linesTaken++;
      take(end, end + 1);
      return true;
    }
    if (cutOffset >= 0 || limit - next >= LONGEST_LINE) {
      skip();
    }
    return false;
  }

  /** Forgets all that was read of a line that is too long. Its offset stays that of the line. */
  private void skip() {
    cutOffset = offset();
    taken += limit - next;
    next = limit;
    separators.clear();
    linesTaken = 0;
  }

  /** Until at least one line is whole, where one is. */
  private void findSeparators() {
    separators.dropLines();
    linesTaken = 0;
    while (ahead() == 0 && scanned < limit) {
      int to = Math.min(limit, scanned + SPAN);
      separators.find(bytes, scanned, to);
      scanned = to;
    }
  }

  /** How many of the lines that come next stay in their places until the last of them was taken. */
  int ahead() {
    return separators.lines() - linesTaken;
  }

  /** Where the line begins that is taken after so many others. */
  int aheadFrom(int others) {
    return others == 0 ? next : aheadEnd(others - 1) + 1;
  }

  /** Behind that line, its newline left out. */
  int aheadTo(int others) {
    return withoutReturn(aheadFrom(others), aheadEnd(others));
  }

  private int aheadEnd(int others) {
    return separators.place(separators.newline(linesTaken + others));
  }

  /** Selects the tabs of that line. */
  Separators aheadTabs(int others) {
    int line = linesTaken + others;
    separators.select(tabsFrom(line), separators.newline(line));
    return separators;
  }

  private int tabsFrom(int line) {
    return line == 0 ? 0 : separators.newline(line - 1) + 1;
  }

  /** Takes what is left without a newline; false where there is nothing. */
  boolean takeRest() {
    if (next == limit && cutOffset < 0) {
      return false;
    }
    takeAll();
    return true;
  }

  private void takeAll() {
    separators.select(tabsFrom(linesTaken), separators.count());
    take(limit, limit);
  }

  private void take(int end, int after) {
    lineFrom = next;
    lineTo = withoutReturn(next, end);
    taken += after - next;
    next = after;
    isCut = cutOffset >= 0;
    cutOffset = -1;
  }

  /** Whether the line that was taken last is only the end of one that was too long. */
  boolean isCut() {
    return isCut;
  }

  private int withoutReturn(int from, int end) {
    return end > from && bytes[end - 1] == '\r' ? end - 1 : end;
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
      separators.dropLines();
      separators.shift(next);
      linesTaken = 0;
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

  /** With the tabs of the line that was taken last selected, until others are. */
  Separators tabs() {
    return separators;
  }

  /** Offset in the file of what follows the line that was taken last. */
  long offset() {
    return cutOffset >= 0 ? cutOffset : base + next;
  }

  /** Offset in the file of what is read next. */
  long end() {
    return base + limit;
  }

  /** Bytes of all lines that were taken, and of those that were skipped. */
  long taken() {
    return taken;
  }
}
