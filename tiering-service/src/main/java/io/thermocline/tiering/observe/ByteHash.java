// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

/** A 64-bit hash of bytes in a buffer, eight at a time. Stateless. */
final class ByteHash {
  private static final long FACTOR = 0x9fb21c651e98df25L;

  private ByteHash() {}

  /**
   * The hash of bytes.
   *
   * @param seed tells apart what the same bytes may stand for
   */
  static long of(long seed, byte[] bytes, int from, int to) {
    return mix(unmixed(seed, bytes, from, to));
  }

  /** The same without the mixing at the end: to be mixed with more. */
  static long unmixed(long seed, byte[] bytes, int from, int to) {
    // The length keeps "a" + "b" apart from "" + "ab", and the last step's zeros from bytes that
    // are 0.
    long hash = seed + (to - from);
    int at = from;
    for (; at <= to - Long.BYTES; at += Long.BYTES) {
      hash = add(hash, ByteSearch.longAt(bytes, at));
    }
    return at < to ? add(hash, ByteSearch.wordAt(bytes, at, to)) : hash;
  }

  /** Takes eight more bytes in. */
  static long add(long hash, long word) {
    long product = (hash ^ word) * FACTOR;
    // Folding the high half down keeps the last bytes of a step from touching high bits alone.
    return product ^ (product >>> 32);
  }

  /** The end of splitmix64: every bit of the result depends on every bit that is given. */
  static long mix(long value) {
    long hash = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
    hash = (hash ^ (hash >>> 27)) * 0x94d049bb133111ebL;
    return hash ^ (hash >>> 31);
  }
}
