// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.util.Arrays;

/**
 * Undoes what a NameNode does to a path for its audit log: the escapes of Java (commons-lang's
 * escapeJava), from bytes to UTF-8 bytes. Keeps one buffer; not thread-safe.
 *
 * <p>An escape that isn't one loses its backslash, as with commons-text; a broken unicode escape
 * stays as it is. Half of a surrogate pair becomes a question mark, as when Java encodes it.
 */
final class Unescape {

  private byte[] out = new byte[1024];
  private int length;

  /** Unescapes a range; the result is in {@link #bytes()} up to {@link #length()}. */
  void run(byte[] in, int from, int to) {
    length = 0;
    // No escape is shorter than what it stands for: a unicode escape has six bytes for three.
    if (out.length < to - from) {
      out = Arrays.copyOf(out, to - from);
    }
    int at = from;
    while (at < to) {
      byte b = in[at];
      if (b != '\\') {
        out[length++] = b;
        at++;
      } else {
        at = escape(in, at, to);
      }
    }
  }

  byte[] bytes() {
    return out;
  }

  int length() {
    return length;
  }

  /** At a backslash; returns where to go on. */
  private int escape(byte[] in, int at, int to) {
    if (at + 1 == to) {
      return to;
    }
    byte b = in[at + 1];
    switch (b) {
      case 'u' -> {
        return unicode(in, at, to);
      }
      case '0', '1', '2', '3', '4', '5', '6', '7' -> {
        return octal(in, at + 1, to);
      }
      case 't' -> out[length++] = '\t';
      case 'n' -> out[length++] = '\n';
      case 'r' -> out[length++] = '\r';
      case 'b' -> out[length++] = '\b';
      case 'f' -> out[length++] = '\f';
      default -> out[length++] = b;
    }
    return at + 2;
  }

  private int unicode(byte[] in, int at, int to) {
    int digits = digits(in, at, to);
    int unit = digits < 0 ? -1 : hex(in, digits, to);
    if (unit < 0) {
      out[length++] = '\\';
      return at + 1;
    }
    int next = digits + 4;
    if (!Character.isSurrogate((char) unit)) {
      encode(unit);
      return next;
    }
    int second = digits(in, next, to);
    int low = second < 0 ? -1 : hex(in, second, to);
    if (low >= 0 && Character.isSurrogatePair((char) unit, (char) low)) {
      encode(Character.toCodePoint((char) unit, (char) low));
      return second + 4;
    }
    out[length++] = '?';
    return next;
  }

  /** Where the hexadecimal digits of the unicode escape that is here begin, or -1. */
  private static int digits(byte[] in, int at, int to) {
    if (at + 1 >= to || in[at] != '\\' || in[at + 1] != 'u') {
      return -1;
    }
    int digits = at + 2;
    while (digits < to && in[digits] == 'u') {
      digits++;
    }
    return digits;
  }

  private static int hex(byte[] in, int at, int to) {
    if (at + 4 > to) {
      return -1;
    }
    int value = 0;
    for (int i = at; i < at + 4; i++) {
      // Not for a negative byte: Character.digit knows digits beyond ASCII.
      int digit = in[i] < 0 ? -1 : Character.digit(in[i], 16);
      if (digit < 0) {
        return -1;
      }
      value = value << 4 | digit;
    }
    return value;
  }

  private int octal(byte[] in, int at, int to) {
    int most = Math.min(to, at + (in[at] <= '3' ? 3 : 2));
    int value = 0;
    int end = at;
    while (end < most && in[end] >= '0' && in[end] <= '7') {
      value = value << 3 | (in[end] - '0');
      end++;
    }
    encode(value);
    return end;
  }

  private void encode(int codePoint) {
    if (codePoint < 0x80) {
      out[length++] = (byte) codePoint;
    } else if (codePoint < 0x800) {
      out[length++] = (byte) (0xc0 | codePoint >> 6);
      out[length++] = (byte) (0x80 | codePoint & 0x3f);
    } else if (codePoint < 0x10000) {
      out[length++] = (byte) (0xe0 | codePoint >> 12);
      out[length++] = (byte) (0x80 | codePoint >> 6 & 0x3f);
      out[length++] = (byte) (0x80 | codePoint & 0x3f);
    } else {
      out[length++] = (byte) (0xf0 | codePoint >> 18);
      out[length++] = (byte) (0x80 | codePoint >> 12 & 0x3f);
      out[length++] = (byte) (0x80 | codePoint >> 6 & 0x3f);
      out[length++] = (byte) (0x80 | codePoint & 0x3f);
    }
  }
}
