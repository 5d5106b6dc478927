// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Finds and compares bytes eight at a time. Stateless. */
final class ByteSearch {

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long ONES = 0x0101010101010101L;
  private static final long HIGHS = 0x8080808080808080L;

  private ByteSearch() {}

  /** The eight bytes from here, the first in the lowest place. */
  static long longAt(byte[] bytes, int at) {
    return (long) LONGS.get(bytes, at);
  }

  static int intAt(byte[] bytes, int at) {
    return (int) INTS.get(bytes, at);
  }

  /** Up to eight bytes as {@link #longAt} would give them, with zeros for those from {@code to} on. */
  static long wordAt(byte[] bytes, int from, int to) {
    int length = to - from;
    if (length >= Long.BYTES) {
      return longAt(bytes, from);
    }
    if (length <= 0) {
      return 0;
    }
    if (from + Long.BYTES <= bytes.length) {
      return head(longAt(bytes, from), length);
    }
    long word = 0;
    for (int i = to - 1; i >= from; i--) {
      word = word << Byte.SIZE | (bytes[i] & 0xff);
    }
    return word;
  }

  /** The first so many of eight bytes, at most seven, with zeros for the others. */
  static long head(long word, int length) {
    return word & (1L << Byte.SIZE * length) - 1;
  }

  /** A letter eight times, for {@link #first}. */
  static long pattern(char wanted) {
    return ONES * wanted;
  }

  /** Which of eight bytes is the first that a pattern wants: 0 to 7, or 8 where none is. */
  static int first(long word, long pattern) {
    return Long.numberOfTrailingZeros(found(word, pattern)) >>> 3;
  }

  /** Which of eight bytes is the first that one of four patterns wants, or 8. */
  static int first(long word, long pattern1, long pattern2, long pattern3, long pattern4) {
    long found =
        found(word, pattern1)
            | found(word, pattern2)
            | found(word, pattern3)
            | found(word, pattern4);
    return Long.numberOfTrailingZeros(found) >>> 3;
  }

  /** A bit for each of the 64 bytes from here, 1 where it is one that a pattern wants and before the end. */
  static long mask(byte[] bytes, int from, int to, long pattern) {
    long mask = 0;
    if (from + Long.SIZE <= bytes.length) {
      mask =
          bits(all(longAt(bytes, from), pattern))
              | bits(all(longAt(bytes, from + 8), pattern)) << 8
              | bits(all(longAt(bytes, from + 16), pattern)) << 16
              | bits(all(longAt(bytes, from + 24), pattern)) << 24
              | bits(all(longAt(bytes, from + 32), pattern)) << 32
              | bits(all(longAt(bytes, from + 40), pattern)) << 40
              | bits(all(longAt(bytes, from + 48), pattern)) << 48
              | bits(all(longAt(bytes, from + 56), pattern)) << 56;
    } else {
      for (int at = from; at < bytes.length; at++) {
        mask |= bytes[at] == (byte) pattern ? 1L << at - from : 0;
      }
    }
    return to - from < Long.SIZE ? mask & (1L << to - from) - 1 : mask;
  }

  /** The high bits of the bytes that a pattern wants. */
  private static long all(long word, long pattern) {
    // Of a byte that differs the sum, or its high bit, is at least 128. No carry leaves a byte.
    long difference = word ^ pattern;
    return ~((difference & ~HIGHS) + ~HIGHS | difference) & HIGHS;
  }

  /** The high bit of the first byte that a pattern wants, and perhaps of some behind it; 0 where none is. */
  private static long found(long word, long pattern) {
    // A byte that is zero, and no byte below it, gets its high bit (Warren, Hacker's Delight,
    // 6-1).
    long difference = word ^ pattern;
    return (difference - ONES) & ~difference & HIGHS;
  }

  /** Where a byte stands first, or -1. */
  static int indexOf(byte[] bytes, int from, int to, char wanted) {
    long pattern = pattern(wanted);
    int at = from;
    // One branch for 32 bytes: where in them a byte is can't be guessed, so it is calculated.
    for (; at <= to - 4 * Long.BYTES; at += 4 * Long.BYTES) {
      long found0 = found(longAt(bytes, at), pattern);
      long found1 = found(longAt(bytes, at + 8), pattern);
      long found2 = found(longAt(bytes, at + 16), pattern);
      long found3 = found(longAt(bytes, at + 24), pattern);
      if ((found0 | found1 | found2 | found3) != 0) {
        long places = bits(found0) | bits(found1) << 8 | bits(found2) << 16 | bits(found3) << 24;
        return at + Long.numberOfTrailingZeros(places);
      }
    }
    for (; at <= to - Long.BYTES; at += Long.BYTES) {
      int found = first(longAt(bytes, at), pattern);
      if (found < Long.BYTES) {
        return at + found;
      }
    }
    if (to - from >= Long.BYTES) {
      // The last eight: those of them that were looked at before are not wanted.
      int found = first(longAt(bytes, to - Long.BYTES), pattern);
      return found < Long.BYTES ? to - Long.BYTES + found : -1;
    }
    for (; at < to; at++) {
      if (bytes[at] == wanted) {
        return at;
      }
    }
    return -1;
  }

  /** The high bits of eight bytes, next to each other. */
  private static long bits(long highs) {
    // Each bit is moved to its place in the highest byte, and no two sums of the others meet.
    return (highs >>> 7) * 0x0102040810204080L >>> 56;
  }

  static boolean startsWith(byte[] bytes, int from, int to, byte[] prefix) {
    if (to - from < prefix.length) {
      return false;
    }
    for (int i = 0; i < prefix.length; i++) {
      if (bytes[from + i] != prefix[i]) {
        return false;
      }
    }
    return true;
  }

  /** Where a text stands first, or -1. For what is looked for in few lines: byte by byte. */
  static int indexOf(byte[] bytes, int from, int to, byte[] wanted) {
    int at = from;
    while (true) {
      at = indexOf(bytes, at, to - wanted.length + 1, (char) wanted[0]);
      if (at < 0 || startsWith(bytes, at, to, wanted)) {
        return at;
      }
      at++;
    }
  }
}
