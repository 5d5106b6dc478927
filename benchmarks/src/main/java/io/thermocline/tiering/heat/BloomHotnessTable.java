// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * SUORA's own hotness table (sections 3.3 and 3.7): four hash functions point to 32-bit counters that
 * items share. Reads are counted by atomic increments and never lost. Thread-safe but for cooling, which
 * may lose reads that are counted meanwhile. The measure for {@link FingerprintHotnessTable}.
 */
public final class BloomHotnessTable implements HotnessTable {

  /*
   * A counting Bloom filter whose rows are separate, so that one item never hits one counter twice.
   * An item's counters are each at least what was added for it, because others can only add to them:
   * so the smallest of the four is an upper bound, and the closest one. The paper tests "all counts
   * at least v", which is the same as smallest at least v, and sorts cold data by the average.
   *
   * All four counters are incremented (plain update). Raising only the smallest would lower the error
   * (conservative update), but then subtracting is no longer exact, and section 3.4.1 subtracts.
   *
   * Exact is only the subtraction of what was added. Who knows just the estimate may take away what
   * belongs to others that share the counters.
   *
   * With w counters a row and n distinct items of total count N, the excess is at most e*N/w with
   * probability 1 - e^-4 (Cormode and Muthukrishnan, An improved data stream summary, 2005). Of items
   * that were never read, (1 - e^(-n/w))^4 seem read.
   */
  private static final int HASHES = 4;

  /**
   * What one read adds. Cooling rounds down, so that with 1 a single read would be gone at the first step.
   * 2^31 / 1024 are still two million reads.
   */
  private static final int UNIT = 1024;

  private final AtomicIntegerArray[] rows = new AtomicIntegerArray[HASHES];
  private final int width;
  private long step;

  /**
   * @param counters of all four rows together, at least 8; memory is 4 bytes times this
   * @param step of {@link Decay} to begin with
   */
  public BloomHotnessTable(int counters, long step) {
    if (counters < 2 * HASHES) {
      throw new IllegalArgumentException("counters = " + counters + ": expected at least 8");
    }
    width = counters / HASHES;
    for (int i = 0; i < HASHES; i++) {
      rows[i] = new AtomicIntegerArray(width);
    }
    this.step = step;
  }

  /** Adds to all counters of an item; a counter that would overflow stays at its largest value. */
  @Override
  public double add(long key, int reads) {
    int units = (int) Math.min(Integer.MAX_VALUE, (long) reads * UNIT);
    int smallest = Integer.MAX_VALUE;
    for (int i = 0; i < HASHES; i++) {
      smallest =
          Math.min(
              smallest,
              rows[i].accumulateAndGet(index(key, i), units, BloomHotnessTable::saturatingAdd));
    }
    return (double) smallest / UNIT;
  }

  /** Takes away from all counters of an item, none of them going below 0 (section 3.4.1). */
  public void subtract(long key, int reads) {
    int units = (int) Math.min(Integer.MAX_VALUE, (long) reads * UNIT);
    for (int i = 0; i < HASHES; i++) {
      rows[i].accumulateAndGet(index(key, i), units, (count, less) -> Math.max(0, count - less));
    }
  }

  /** The smallest of the item's counters: what it was read, or somewhat more. */
  @Override
  public double estimate(long key) {
    int smallest = Integer.MAX_VALUE;
    for (int i = 0; i < HASHES; i++) {
      smallest = Math.min(smallest, rows[i].get(index(key, i)));
    }
    return (double) smallest / UNIT;
  }

  /** The average of the item's counters, by which section 3.4.1 sorts cold data. */
  public double average(long key) {
    long sum = 0;
    for (int i = 0; i < HASHES; i++) {
      sum += rows[i].get(index(key, i));
    }
    return (double) sum / HASHES / UNIT;
  }

  /** Multiplies every counter, rounding down: all of the table, at each step. */
  @Override
  public void coolTo(long newStep) {
    if (newStep <= step) {
      return;
    }
    double factor = Decay.factor(newStep - step);
    for (AtomicIntegerArray row : rows) {
      for (int i = 0; i < row.length(); i++) {
        if (row.get(i) != 0) {
          row.updateAndGet(i, count -> (int) (count * factor));
        }
      }
    }
    step = newStep;
  }

  @Override
  public long bytes() {
    return 4L * HASHES * width;
  }

  /** Where hash function {@code i} points in its row. Package-private: golden tests need it. */
  int index(long key, int i) {
    // Double hashing: four positions from one 64-bit hash (Kirsch and Mitzenmacher, 2006). The step
    // is odd, so that it cannot be 0.
    long hash = key + i * (Long.rotateLeft(key, 32) | 1);
    return (int) Math.multiplyHigh(hash >>> 1, 2L * width);
  }

  private static int saturatingAdd(int count, int more) {
    int sum = count + more;
    return sum < 0 ? Integer.MAX_VALUE : sum;
  }
}
