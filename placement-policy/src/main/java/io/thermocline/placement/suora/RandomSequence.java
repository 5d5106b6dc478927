// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.suora;

import io.thermocline.placement.model.StorageType;
import java.util.Arrays;

/**
 * The random number sequence R of a data id: the numbers that are tried one after the other on a
 * number line until one lies in a segment. Two sequences of the same key and seed are the same. Not
 * thread-safe: a sequence is cheap, make one per placement.
 *
 * <p>One seed for all buckets gives the paper's placement, in which a move between buckets goes on
 * with the same numbers (figure 6). On HDFS a node has storages in several buckets and one seed would
 * pick the same host in each: {@link #inBucket} gives each bucket its own.
 *
 * <p>Source: SUORA, sections 3.1.2 and 3.5; ASURA for the extension of the range.
 */
public final class RandomSequence {
  // The range has to grow with the line, and a key must then move only to what is new. Generator
  // k covers [0, 16 * 2^k). Where it gives a number below the range of generator k-1, that number
  // is replaced by the next one of the sequence composed of the generators below. So the sequence
  // of level k, with its numbers of [w, 2w) left out, is exactly the sequence of level k-1: a
  // longer line only puts numbers in between, which hit nothing but new segments, and a shorter
  // one only takes them out. A number takes under two draws of generators on average, whatever
  // the level.

  /** w of the first generator; section 4.2. */
  private static final int FIRST_RANGE = 16;

  /** Enough for {@link SegmentTable#MAX_CELLS} cells. */
  private static final int LEVELS = 21;

  private final long key;
  private final long seed;
  private final boolean hashed;
  private NumberSource[] generators;

  private RandomSequence(long key, long seed) {
    this.key = key;
    this.seed = seed;
    this.hashed = true;
    this.generators = new NumberSource[4];
  }

  private RandomSequence(NumberSource[] generators) {
    this.key = 0;
    this.seed = 0;
    this.hashed = false;
    this.generators = generators;
  }

  /** The sequence of a data id, from its start. Keys need not be mixed: 1, 2, 3 will do. */
  public static RandomSequence of(long key, long seed) {
    return new RandomSequence(key, seed);
  }

  /** The sequence of a data id in that type's bucket, which has a seed of its own. */
  public static RandomSequence inBucket(long key, StorageType bucket) {
    return of(key, bucket.bucket());
  }

  /**
   * A sequence from given generators.
   *
   * @param generators in ascending order of their ranges
   * @throws IllegalArgumentException if there are none or the ranges don't ascend
   */
  public static RandomSequence of(NumberSource... generators) {
    if (generators.length == 0) {
      throw new IllegalArgumentException("a sequence needs a generator");
    }
    for (int k = 1; k < generators.length; k++) {
      if (generators[k].range() <= generators[k - 1].range()) {
        throw new IllegalArgumentException(
            "ranges must ascend, got "
                + generators[k].range()
                + " after "
                + generators[k - 1].range());
      }
    }
    return new RandomSequence(generators.clone());
  }

  /**
   * The next number of the sequence for a line.
   *
   * @param end end of the line; the number lies in {@code [0, w)} with the smallest w at least end.
   *     Ask for one line at a time: numbers already taken aren't given again.
   * @throws IllegalArgumentException if no generator covers the line
   */
  public double next(double end) {
    return nextAt(levelCovering(end));
  }

  /** The number of the first generator that covers a line of that end. */
  int levelCovering(double end) {
    if (hashed) {
      return hashedLevelCovering(end);
    }
    for (int k = 0; k < generators.length; k++) {
      if (end <= generators[k].range()) {
        return k;
      }
    }
    throw noneCovers(end);
  }

  /** The number of the first hashed generator that covers a line of that end. */
  static int hashedLevelCovering(double end) {
    if (end <= FIRST_RANGE) {
      return 0;
    }
    if (end <= SegmentTable.MAX_CELLS) {
      // Number of bits of ceil(end / 16) - 1, in integers.
      return Integer.SIZE - Integer.numberOfLeadingZeros(((int) Math.ceil(end) - 1) >> 4);
    }
    throw noneCovers(end);
  }

  private static IllegalArgumentException noneCovers(double end) {
    return new IllegalArgumentException("no generator covers a line that ends at " + end);
  }

  /** The next number of the sequence composed of generators 0 to {@code level}. */
  double nextAt(int level) {
    for (int k = level; k > 0; k--) {
      double r = generator(k).next();
      if (r >= (hashed ? rangeOf(k - 1) : generators[k - 1].range())) {
        return r;
      }
    }
    return generator(0).next();
  }

  /** Range of the hashed generator k. */
  static double rangeOf(int k) {
    return (double) ((long) FIRST_RANGE << k);
  }

  private NumberSource generator(int k) {
    if (k >= generators.length) {
      generators = Arrays.copyOf(generators, LEVELS);
    }
    NumberSource generator = generators[k];
    if (generator == null) {
      generator = new HashedNumbers(key, seed, k);
      generators[k] = generator;
    }
    return generator;
  }
}
