// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import java.util.Arrays;

/**
 * The directories below which something was read lately: tells the renames that take heat along from
 * those of fresh or unread data, which are most. One thread. Errs by yes only, in about 1 % while no more
 * directories are read in a generation than it was made for.
 */
final class ReadDirectories {

  /*
   * Two Bloom filters, of this generation and of the one before. A file is entered when it is first read
   * and, so that files that stay warm are in each generation, at every 32nd read of any file, on average.
   * So a directory is missed where nothing below it was read for the first time in two generations (six to
   * twelve half-lives), and n reads of what was known are none of those sampled: (31/32)^n.
   */
  private static final int BITS_PER_DIRECTORY = 10;
  private static final int HASHES = 6;
  private static final long SAMPLE_MASK = 31;

  private final long mask;
  private long[] current;
  private long[] previous;
  private long since;
  private long random;

  /**
   * @param directories it is made for; memory is 2.5 to 5 bytes each
   */
  ReadDirectories(int directories, long step) {
    long bits = Long.highestOneBit((long) directories * BITS_PER_DIRECTORY * 2 - 1);
    this.mask = Math.max(bits, Long.SIZE) - 1;
    this.current = new long[(int) ((mask + 1) / Long.SIZE)];
    this.previous = new long[current.length];
    this.since = step;
  }

  /** Whether this read, not the first of its file, is one of those to be entered. */
  boolean samples() {
    random += Mix.GAMMA;
    return (Mix.of(random) & SAMPLE_MASK) == 0;
  }

  /** Enters all directories above a file. */
  void addAbove(String file) {
    long[] hashes = PathPrefixes.of(file);
    for (int i = 0; i < hashes.length - 1; i++) {
      set(hashes[i]);
    }
  }

  /** Enters a directory and all above it. */
  void add(String directory) {
    for (long hash : PathPrefixes.of(directory)) {
      set(hash);
    }
  }

  boolean contains(String directory) {
    long hash = PathPrefixes.whole(directory);
    return isSet(current, hash) || isSet(previous, hash);
  }

  /** Begins a generation where the current one is old enough. */
  void coolTo(long step) {
    if (step - since >= Lineage.IN_FORCE_STEPS) {
      long[] oldest = previous;
      previous = current;
      Arrays.fill(oldest, 0);
      current = oldest;
      since = step;
    }
  }

  private void set(long hash) {
    long next = hash;
    long stride = Long.rotateLeft(hash, 32) | 1;
    for (int i = 0; i < HASHES; i++) {
      int bit = (int) (next & mask);
      current[bit >>> 6] |= 1L << bit;
      next += stride;
    }
  }

  private boolean isSet(long[] filter, long hash) {
    long next = hash;
    long stride = Long.rotateLeft(hash, 32) | 1;
    for (int i = 0; i < HASHES; i++) {
      int bit = (int) (next & mask);
      if ((filter[bit >>> 6] & 1L << bit) == 0) {
        return false;
      }
      next += stride;
    }
    return true;
  }

  SavedState freeze() {
    long[] numbers = {current.length, since, random};
    long[] now = current.clone();
    long[] before = previous.clone();
    return sink -> {
      for (long number : numbers) {
        sink.number(number);
      }
      sink.words(now);
      sink.words(before);
    };
  }

  static ReadDirectories restore(StateSource source) {
    return new ReadDirectories(source);
  }

  private ReadDirectories(StateSource source) {
    int words = source.size(1 << 24);
    if (Integer.bitCount(words) != 1) {
      throw new IllegalStateException(words + " words: expected a power of two");
    }
    mask = (long) words * Long.SIZE - 1;
    since = source.number();
    random = source.number();
    current = new long[words];
    previous = new long[words];
    source.words(current);
    source.words(previous);
  }
}
