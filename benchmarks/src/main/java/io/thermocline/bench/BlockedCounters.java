// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

/**
 * A blocked Count-Min sketch with conservative update: an item's four counters of 16 bits lie in one cache
 * line, and only the smallest of them are raised. One thread.
 */
final class BlockedCounters implements HeatPeer {
  private static final int HASHES = 4;
  private static final int LINE = 32;
  private static final int MOST = 0xFFFF;

  private final short[] counters;
  private final int lines;

  BlockedCounters(long bytes) {
    this.lines = (int) (bytes / (LINE * Short.BYTES));
    this.counters = new short[lines * LINE];
  }

  @Override
  public void add(long key, int reads) {
    int line = line(key);
    int target = Math.min(MOST, smallest(line, key) + reads);
    for (int i = 0; i < HASHES; i++) {
      int at = at(line, key, i);
      if ((counters[at] & MOST) < target) {
        counters[at] = (short) target;
      }
    }
  }

  @Override
  public double estimate(long key) {
    return smallest(line(key), key);
  }

  @Override
  public long bytes() {
    return (long) counters.length * Short.BYTES;
  }

  private int smallest(int line, long key) {
    int smallest = MOST;
    for (int i = 0; i < HASHES; i++) {
      smallest = Math.min(smallest, counters[at(line, key, i)] & MOST);
    }
    return smallest;
  }

  private int line(long key) {
    return (int) Math.multiplyHigh(key >>> 1, 2L * lines) * LINE;
  }

  /** Each hash has its eighth of the line to itself. */
  private static int at(int line, long key, int hash) {
    return line + hash * (LINE / HASHES) + ((int) (key >>> hash * 3) & 7);
  }
}
