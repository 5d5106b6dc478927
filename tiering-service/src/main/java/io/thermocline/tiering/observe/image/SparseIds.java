// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe.image;

import java.util.Arrays;

/**
 * A set of inode ids, and of each its rank: how many smaller ones are in it. A bit for each id of each range of 65,536
 * in which there is any, and six hundredths of that for ranks; ids are given out in sequence, so most ranges are
 * nearly full. Not thread-safe.
 */
final class SparseIds {

  /** More than any NameNode has given out: at 100,000 a second, it takes four months. */
  static final long LARGEST = (1L << 40) - 1;

  private static final int PAGE_BITS = 16;
  private static final int WORDS = 1 << (PAGE_BITS - 6);
  private static final int WORDS_IN_BLOCK = 8;
  private static final int BLOCKS = WORDS / WORDS_IN_BLOCK;

  private long[][] pages = new long[64][];
  private int[][] ranks;
  private int size;

  /** Before {@link #rankable}. */
  void add(long id) {
    if (id < 0 || id > LARGEST) {
      throw new IllegalArgumentException("no inode id: " + id);
    }
    int page = (int) (id >>> PAGE_BITS);
    if (page >= pages.length) {
      pages = Arrays.copyOf(pages, Math.max(page + 1, pages.length * 2));
    }
    long[] words = pages[page];
    if (words == null) {
      words = new long[WORDS];
      pages[page] = words;
    }
    int word = (int) (id >>> 6) & (WORDS - 1);
    long bit = 1L << id;
    if ((words[word] & bit) == 0) {
      words[word] |= bit;
      if (++size < 0) {
        throw new IllegalArgumentException("more than " + Integer.MAX_VALUE + " inodes");
      }
    }
  }

  int size() {
    return size;
  }

  /** Nothing is added after this. */
  void rankable() {
    ranks = new int[pages.length][];
    int rank = 0;
    for (int page = 0; page < pages.length; page++) {
      long[] words = pages[page];
      if (words == null) {
        continue;
      }
      int[] blocks = new int[BLOCKS];
      for (int word = 0; word < WORDS; word++) {
        if (word % WORDS_IN_BLOCK == 0) {
          blocks[word / WORDS_IN_BLOCK] = rank;
        }
        rank += Long.bitCount(words[word]);
      }
      ranks[page] = blocks;
    }
  }

  /** From 0; -1 where it isn't in the set. */
  int rank(long id) {
    long at = id >>> PAGE_BITS;
    if (at >= pages.length || pages[(int) at] == null) {
      return -1;
    }
    long[] words = pages[(int) at];
    int word = (int) (id >>> 6) & (WORDS - 1);
    long bit = 1L << id;
    if ((words[word] & bit) == 0) {
      return -1;
    }
    int rank = ranks[(int) at][word / WORDS_IN_BLOCK];
    for (int i = word & -WORDS_IN_BLOCK; i < word; i++) {
      rank += Long.bitCount(words[i]);
    }
    return rank + Long.bitCount(words[word] & (bit - 1));
  }
}
