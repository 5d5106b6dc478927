// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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
   * So 64 bytes become 64 bits without a branch, 1 for each separator: words at first, in a loop
   * that the compiler makes vectors of, then masks. Then the places of the first four bits are
   * written down whether there are as many or not (Langdale and Lemire, Parsing gigabytes of JSON
   * per second, 2019, section 3.1.1).
   */

  /** Bytes that are looked at together. */
  private static final int BLOCK = Long.SIZE;

  private static final int WORDS = BLOCK / Long.BYTES;

  private static final int AT_LEAST = 4;

  private static final long HIGHS = 0x8080808080808080L;
  private static final long NINES = ByteSearch.pattern('\t');
  private static final long ELEVENS = ByteSearch.pattern((char) ('\n' + 1));

  /** Bytes of which the separators are marked at once, as words. */
  private final long[] words = new long[1024];

  private ByteBuffer view = ByteBuffer.allocate(0);

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
    while (to - at >= BLOCK) {
      int count = Math.min(words.length, (to - at) / BLOCK * WORDS);
      view(bytes).position(at).asLongBuffer().get(words, 0, count);
      mark(words, count);
      for (int i = 0; i < count; i += WORDS) {
        found = write(at, mask(i), found);
        at += BLOCK;
      }
    }
    for (; at < to; at++) {
      if (bytes[at] == '\t' || bytes[at] == '\n') {
        places[found++] = at;
      }
    }
    countNewlines(bytes, count, found);
    count = found;
  }

  /** The bytes of a buffer, which mostly is the one of the last time. */
  private ByteBuffer view(byte[] bytes) {
    if (view.array() != bytes) {
      view = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
    return view;
  }

  /**
   * Puts in the place of each word a bit for each of its bytes, 1 where it is a tab or a
   * newline. Of the kind of loop that the compiler makes vectors of.
   */
  private static void mark(long[] words, int count) {
    for (int i = 0; i < count; i++) {
      long word = words[i];
      // With its high bit set no byte borrows from the next one.
      long high = word | HIGHS;
      long bits = (high - NINES & ~(high - ELEVENS | word) & HIGHS) >>> 7;
      // From the lowest of each byte to next to each other: of two, of four, of eight bytes.
      bits |= bits >>> 7;
      bits |= bits >>> 14;
      words[i] = (bits | bits >>> 28) & 0xff;
    }
  }

  /** The bits of eight words. */
  private long mask(int first) {
    return words[first]
        | words[first + 1] << 8
        | words[first + 2] << 16
        | words[first + 3] << 24
        | words[first + 4] << 32
        | words[first + 5] << 40
        | words[first + 6] << 48
        | words[first + 7] << 56;
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

  /** Notes which of some separators are newlines: also without a branch. */
  private void countNewlines(byte[] bytes, int from, int to) {
    if (newlines.length < lines + (to - from) + 1) {
      newlines = Arrays.copyOf(newlines, Math.max(lines + (to - from) + 1, 2 * newlines.length));
    }
    int ended = lines;
    for (int i = from; i < to; i++) {
      newlines[ended] = i;
      // 9 or 10.
      ended += bytes[places[i]] - '\t';
    }
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
