// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A path as UTF-8 bytes in somebody's buffer, or in its own where it had to be unescaped. Not thread-safe. */
final class PathCursor {

  /** Between two paths of a list. No name has a slash, so it can't be inside one but at its very end. */
  private static final byte[] SEPARATOR = ", /".getBytes(StandardCharsets.US_ASCII);

  private byte[] own = new byte[0];
  private byte[] bytes = own;
  private int from;
  private int to;

  void set(byte[] buffer, int start, int end) {
    bytes = buffer;
    from = start;
    to = end;
  }

  /** Keeps bytes that somebody will overwrite; returns where. */
  byte[] copy(byte[] others, int length) {
    if (own.length < length) {
      own = Arrays.copyOf(others, Math.max(length, 1024));
    } else {
      System.arraycopy(others, 0, own, 0, length);
    }
    return own;
  }

  void hash(long nameservice, PathHashes hashes) {
    hashes.set(nameservice, bytes, from, to);
  }

  boolean endsWith(byte[] suffix) {
    return to - from >= suffix.length
        && Arrays.equals(bytes, to - suffix.length, to, suffix, 0, suffix.length);
  }

  /** Of a list of paths as Java prints it, {@code [/a, /b]}, sets the other to the first. */
  boolean firstOfList(PathCursor element) {
    if (to - from < 3 || bytes[from] != '[' || bytes[to - 1] != ']') {
      return false;
    }
    from++;
    to--;
    return nextOfList(element);
  }

  /** Sets the other to the next element and takes it off; false where none is left. */
  boolean nextOfList(PathCursor element) {
    if (from >= to || bytes[from] != '/') {
      return false;
    }
    int separator = ByteSearch.indexOf(bytes, from, to, SEPARATOR);
    int end = separator < 0 ? to : separator;
    element.set(bytes, from, end);
    from = end + SEPARATOR.length - 1;
    return true;
  }

  @Override
  public String toString() {
    return new String(bytes, from, to - from, StandardCharsets.UTF_8);
  }
}
