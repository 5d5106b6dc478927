// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.nio.charset.StandardCharsets;

/** The 64-bit key of a path of a nameservice: the same from a string as from the UTF-8 bytes of a log. */
public final class PathKey {
  private static final long START = 0xcbf29ce484222325L;
  private static final long FACTOR = 0x9fb21c651e98df25L;

  private PathKey() {}

  /** What the keys of a nameservice start from. */
  public static long nameservice(String name) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    return add(START, bytes, 0, bytes.length);
  }

  /** The key of a path, given what {@link #nameservice} said. */
  public static long of(long nameservice, String path) {
    byte[] bytes = path.getBytes(StandardCharsets.UTF_8);
    return of(nameservice, bytes, 0, bytes.length);
  }

  /** The key of a path that stands, unescaped and as UTF-8, in a buffer. */
  public static long of(long nameservice, byte[] bytes, int from, int to) {
    return mix(add(nameservice, bytes, from, to));
  }

  /** The end of splitmix64: every bit of the result depends on every bit that is given. */
  static long mix(long value) {
    long hash = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
    hash = (hash ^ (hash >>> 27)) * 0x94d049bb133111ebL;
    return hash ^ (hash >>> 31);
  }

  private static long add(long start, byte[] bytes, int from, int to) {
    // The length keeps "a" + "b" apart from "" + "ab", and the last step's zeros from bytes that
    // are 0.
    long hash = start + (to - from);
    int at = from;
    // Folding the high half down keeps the last bytes of a step from touching high bits alone.
    for (; at <= to - Long.BYTES; at += Long.BYTES) {
      long product = (hash ^ ByteSearch.longAt(bytes, at)) * FACTOR;
      hash = product ^ (product >>> 32);
    }
    if (at < to) {
      long product = (hash ^ ByteSearch.wordAt(bytes, at, to)) * FACTOR;
      hash = product ^ (product >>> 32);
    }
    return hash;
  }
}
