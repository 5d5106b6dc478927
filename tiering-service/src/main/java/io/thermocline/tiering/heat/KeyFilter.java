// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import java.util.Arrays;

/**
 * Bloom filter of keys. Errs by yes only, in about 0.5 % with as many keys as it was made for. One thread changes
 * it; any may ask, and may miss a key that is just being added.
 */
final class KeyFilter {

  /*
   * The four bits of a key lie in one word, so that a question costs one miss of the cache (Putze, Sanders and
   * Singler, 2007). Words are chosen by the high half of the key, bits by the low one.
   */
  private static final int BITS_PER_KEY = 16;

  private final long[] words;

  /**
   * @param keys it is made for; memory is 2 bytes each
   */
  KeyFilter(long keys) {
    this.words = new long[(int) Math.min(1 << 27, keys * BITS_PER_KEY / Long.SIZE + 1)];
  }

  private KeyFilter(StateSource source) {
    this.words = new long[source.size(1 << 27)];
    if (words.length == 0) {
      throw new IllegalStateException("a filter without words");
    }
    source.words(words);
  }

  void add(long key) {
    words[word(key)] |= bits(key);
  }

  boolean mayContain(long key) {
    long bits = bits(key);
    return (words[word(key)] & bits) == bits;
  }

  void clear() {
    Arrays.fill(words, 0);
  }

  private int word(long key) {
    return (int) Math.multiplyHigh(key >>> 1, 2L * words.length);
  }

  private static long bits(long key) {
    return 1L << key | 1L << (key >>> 6) | 1L << (key >>> 12) | 1L << (key >>> 18);
  }

  SavedState freeze() {
    long[] now = words.clone();
    return sink -> {
      sink.number(now.length);
      sink.words(now);
    };
  }

  static KeyFilter restore(StateSource source) {
    return new KeyFilter(source);
  }
}
