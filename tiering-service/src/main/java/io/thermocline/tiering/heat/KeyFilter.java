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
   * Singler, 2007). Eight words, about a line of the cache, are chosen by where the key belongs, for instance its
   * directory: who asks for many keys that belong together finds them in the cache. Where far more than usual
   * belong together, the filter says yes more often there.
   */
  private static final int BITS_PER_KEY = 16;

  private static final int LINE = 8;
  private static final int MOST_WORDS = 1 << 27;

  private final long[] words;

  /**
   * @param keys it is made for; memory is 2 bytes each
   */
  KeyFilter(long keys) {
    this(LINE * (int) (1 + Math.min(MOST_WORDS, keys * BITS_PER_KEY / Long.SIZE) / LINE));
  }

  private KeyFilter(int words) {
    this.words = new long[words];
  }

  /**
   * Adds a key.
   *
   * @param where it belongs: well mixed, too
   */
  void add(long where, long key) {
    words[word(where, key)] |= bits(key);
  }

  boolean mayContain(long where, long key) {
    long bits = bits(key);
    return (words[word(where, key)] & bits) == bits;
  }

  /** Reads what {@link #mayContain} will. */
  long fetch(long where, long key) {
    return words[word(where, key)];
  }

  void clear() {
    Arrays.fill(words, 0);
  }

  private int word(long where, long key) {
    int line = (int) Math.multiplyHigh(where >>> 1, 2L * (words.length / LINE));
    return LINE * line + (int) (key >>> 24 & LINE - 1);
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
    int words = source.size(MOST_WORDS + LINE);
    if (words == 0 || words % LINE != 0) {
      throw new IllegalStateException(words + " words of a filter");
    }
    KeyFilter filter = new KeyFilter(words);
    source.words(filter.words);
    return filter;
  }
}
