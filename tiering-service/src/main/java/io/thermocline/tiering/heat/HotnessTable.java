// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * SUORA's hotness table (section 3.3): how often each data item was read, in a fixed amount of memory.
 * Four hash functions point into four rows of 32-bit counters (section 3.7); reads are counted by
 * atomic increments and never lost. Thread-safe.
 */
public final class HotnessTable {

  /*
   * A counting Bloom filter whose rows are separate, so that one item never hits one counter twice.
   * An item's counters are each at least what was added for it, because others can only add to them:
   * so the smallest of the four is an upper bound, and the closest one. The paper tests "all counts
   * at least v", which is the same as smallest at least v, and sorts cold data by the average.
   *
   * All four counters are incremented (plain update). Raising only the smallest would lower the error
   * (conservative update), but then subtracting is no longer exact, and section 3.4.1 subtracts.
   *
   * Exact is only the subtraction of what was added. Who knows just the estimate, as for a file that is
   * deleted, may take away what belongs to others that share the counters: they then read too cold by at
   * most the excess below.
   *
   * With w counters a row and n distinct items of total count N, the excess is at most e*N/w with
   * probability 1 - e^-4 (Cormode and Muthukrishnan, An improved data stream summary, 2005).
   */
  static final int HASHES = 4;

  private final AtomicIntegerArray[] rows = new AtomicIntegerArray[HASHES];
  private final int mask;

  /**
   * @param counters in each of the four rows, a power of two; memory is 16 bytes times this
   */
  public HotnessTable(int counters) {
    if (counters < 2 || Integer.bitCount(counters) != 1) {
      throw new IllegalArgumentException(
          "counters = " + counters + ": expected a power of two of at least 2");
    }
    for (int i = 0; i < HASHES; i++) {
      rows[i] = new AtomicIntegerArray(counters);
    }
    mask = counters - 1;
  }

  /**
   * Adds to all counters of an item; a counter that would overflow stays at its largest value.
   *
   * @param key a well-mixed 64-bit hash of the item, see {@link Keys}
   */
  public void add(long key, int amount) {
    for (int i = 0; i < HASHES; i++) {
      rows[i].accumulateAndGet(index(key, i), amount, HotnessTable::saturatingAdd);
    }
  }

  /** Takes away from all counters of an item, none of them going below 0 (section 3.4.1). */
  public void subtract(long key, int amount) {
    for (int i = 0; i < HASHES; i++) {
      rows[i].accumulateAndGet(index(key, i), amount, (count, less) -> Math.max(0, count - less));
    }
  }

  /** The smallest of the item's counters: what it was read, or somewhat more. */
  public int estimate(long key) {
    int smallest = Integer.MAX_VALUE;
    for (int i = 0; i < HASHES; i++) {
      smallest = Math.min(smallest, rows[i].get(index(key, i)));
    }
    return smallest;
  }

  /** The average of the item's counters, by which section 3.4.1 sorts cold data. */
  public double average(long key) {
    long sum = 0;
    for (int i = 0; i < HASHES; i++) {
      sum += rows[i].get(index(key, i));
    }
    return (double) sum / HASHES;
  }

  /**
   * Multiplies every counter, rounding down: what is no longer read cools.
   *
   * @param factor between 0 and 1
   */
  public void decay(double factor) {
    if (!(factor >= 0 && factor <= 1)) {
      throw new IllegalArgumentException("factor = " + factor + ": expected 0 to 1");
    }
    for (AtomicIntegerArray row : rows) {
      for (int i = 0; i < row.length(); i++) {
        if (row.get(i) != 0) {
          row.updateAndGet(i, count -> (int) (count * factor));
        }
      }
    }
  }

  /** Where hash function {@code i} points. Package-private: the golden test of figure 8 needs it. */
  int index(long key, int i) {
    // Double hashing: four positions from one 64-bit hash (Kirsch and Mitzenmacher, 2006). The step
    // is odd, so that it cannot be 0.
    int low = (int) key;
    int step = (int) (key >>> 32) | 1;
    return (low + i * step) & mask;
  }

  private static int saturatingAdd(int count, int more) {
    int sum = count + more;
    return sum < 0 ? Integer.MAX_VALUE : sum;
  }
}
