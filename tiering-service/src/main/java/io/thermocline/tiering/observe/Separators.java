// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.util.Arrays;

/**
 * Where tabs and newlines stand in a buffer, in their order: found in one pass, so that neither
 * the ends of lines nor those of fields are looked for again. Those of one line are {@linkplain
 * #select selected}. Not thread-safe.
 */
final class Separators {

  /*
   * Problem. A field's length can't be guessed, so a loop that looks for its end ends
   * in a branch that the processor guesses wrong: some ten in each line, and each costs
   * as much as looking at 64 bytes.
   *
   * So 64 bytes become 64 bits without a branch, 1 for each byte below 11, which in text
   * are tabs and newlines alone. Then the places of the first four bits are written down
   * whether there are as many or not (Langdale and Lemire, Parsing gigabytes of JSON per
   * second, 2019, section 3.1.1), and at last what is no separator is dropped.
   */

  /** Bytes that are looked at together. */
  private static final int BLOCK = Long.SIZE;

  private static final int AT_LEAST = 4;

  private static final long HIGHS = 0x8080808080808080L;
  private static final long ELEVENS = ByteSearch.pattern((char) ('\n' + 1));

  private int[] places = new int[1024];
  private int count;

  /** Of each newline, which of the places is its own. */
  private int[] newlines = new int[128];

  private int lines;

  private int firstTab;
  private int tabsTo;

  void clear() {
    count = 0;
    lines = 0;
  }

  /** Adds those of a range of a buffer, which is behind all that were added. */
  void find(byte[] bytes, int from, int to) {
    int found = count;
    int most = found + (to - from) + AT_LEAST;
    if (places.length < most) {
      places = Arrays.copyOf(places, Math.max(most, 2 * places.length));
    }
    int at = from;
    for (; at <= to - BLOCK; at += BLOCK) {
      long mask =
          below11(ByteSearch.longAt(bytes, at))
              | below11(ByteSearch.longAt(bytes, at + 8)) << 8
              | below11(ByteSearch.longAt(bytes, at + 16)) << 16
              | below11(ByteSearch.longAt(bytes, at + 24)) << 24
              | below11(ByteSearch.longAt(bytes, at + 32)) << 32
              | below11(ByteSearch.longAt(bytes, at + 40)) << 40
              | below11(ByteSearch.longAt(bytes, at + 48)) << 48
              | below11(ByteSearch.longAt(bytes, at + 56)) << 56;
      found = write(at, mask, found);
    }
    for (; at < to; at++) {
      if (bytes[at] == '\t' || bytes[at] == '\n') {
        places[found++] = at;
      }
    }
    keepSeparators(bytes, count, found);
  }

  /** A bit for each of eight bytes, 1 where the byte is 0 to 10. */
  private static long below11(long word) {
    // With its high bit set no byte borrows from the next one. The multiplication moves each bit
    // to its place in the highest byte, and no two sums of the others meet.
    long high = ~((word | HIGHS) - ELEVENS | word) & HIGHS;
    return (high >>> 7) * 0x0102040810204080L >>> 56;
  }

  /** Writes down where the bits of a mask stand; returns behind the last of them. */
  private int write(int at, long mask, int found) {
    long rest = mask;
    for (int i = 0; i < AT_LEAST; i++) {
      places[found + i] = at + Long.numberOfTrailingZeros(rest);
      rest &= rest - 1;
    }
    int end = found + Long.bitCount(mask);
    for (int i = found + AT_LEAST; i < end; i++) {
      places[i] = at + Long.numberOfTrailingZeros(rest);
      rest &= rest - 1;
    }
    return end;
  }

  /** Keeps tabs and newlines of what was found, and counts the latter: also without a branch. */
  private void keepSeparators(byte[] bytes, int from, int to) {
    if (newlines.length < lines + (to - from) + 1) {
      newlines = Arrays.copyOf(newlines, Math.max(lines + (to - from) + 1, 2 * newlines.length));
    }
    int kept = from;
    int ended = lines;
    for (int i = from; i < to; i++) {
      int place = places[i];
      int b = bytes[place];
      places[kept] = place;
      newlines[ended] = kept;
      // Of 0 to 10, 9 and 10 have the bit of 8 and another one.
      int isNewline = b >> 3 & b >> 1 & 1;
      kept += isNewline | b >> 3 & b & 1;
      ended += isNewline;
    }
    count = kept;
    lines = ended;
  }

  /** How many newlines there are. */
  int lines() {
    return lines;
  }

  /** Which of the separators is the newline that ends so manieth a line. */
  int newline(int line) {
    return newlines[line];
  }

  /** How many separators there are. */
  int count() {
    return count;
  }

  /** Where one of them stands. */
  int place(int separator) {
    return places[separator];
  }

  /** Takes some as the tabs of the line that is to be parsed. */
  void select(int first, int to) {
    firstTab = first;
    tabsTo = to;
  }

  /** Finds the tabs of a line that is in no {@link LineBuffer}, and takes them. */
  void findTabs(byte[] bytes, int from, int to) {
    clear();
    for (int at = from; (at = ByteSearch.indexOf(bytes, at, to, '\t')) >= 0; at++) {
      if (count == places.length) {
        places = Arrays.copyOf(places, 2 * count);
      }
      places[count++] = at;
    }
    select(0, count);
  }

  /** Of all; those from {@link #firstTab} to before {@link #tabsTo} are selected. */
  int[] places() {
    return places;
  }

  int firstTab() {
    return firstTab;
  }

  int tabsTo() {
    return tabsTo;
  }

  /** Leaves those behind the last newline. */
  void dropLines() {
    if (lines > 0) {
      int first = newlines[lines - 1] + 1;
      System.arraycopy(places, first, places, 0, count - first);
      count -= first;
      lines = 0;
    }
  }

  /** The buffer's bytes were moved towards its start. */
  void shift(int by) {
    for (int i = 0; i < count; i++) {
      places[i] -= by;
    }
  }
}
