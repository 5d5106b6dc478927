// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.classify.groups;

import io.thermocline.tiering.heat.Mix;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/**
 * How often pairs of slots were together: 20 bytes a place, at most two places a pair that is kept. Not thread-safe.
 *
 * <p>Where there are more pairs than may be kept, those that were together least go, half of them at least. The count of
 * a pair is exact since it was admitted, and so never too high; before, there were at most {@link #floor} more,
 * which is never above 2N/C for N times together and room for C pairs, as in {@link ObjectTable}.
 */
final class PairTable {
  private static final int SMALLEST = 1 << 12;
  private static final long LOW = 0xffffffffL;

  private final int most;
  // Two longs a place: key, then count and the number of the access at which it was last raised. A
  // key is the smaller slot, then the larger one, which is never 0; so 0 is an empty place.
  private long[] table = new long[2 * SMALLEST];
  private int[] missed = new int[SMALLEST];
  private int size;
  private int floor;

  /** What is done with each pair. */
  interface Each {
    void pair(int first, int second, int together);
  }

  PairTable(int most) {
    this.most = most;
  }

  /**
   * Two objects are together, unless the earlier access was counted with the later object before: each access counts
   * with each other object once, so that a pair is never together more often than either is accessed.
   *
   * @param earlier number of the other object's last access
   * @param now number of this access
   */
  void together(int a, int b, int earlier, int now) {
    int place = placeOf(key(a, b));
    if (table[place] == 0) {
      if (size >= most) {
        purge();
      }
      if (2 * (size + 1) > missed.length) {
        rebuild(2 * missed.length, IntUnaryOperator.identity(), Integer.MIN_VALUE);
      }
      place = placeOf(key(a, b));
      table[place] = key(a, b);
      missed[place >> 1] = floor;
      size++;
    } else if (earlier - (int) table[place + 1] <= 0) {
      return;
    }
    table[place + 1] = ((table[place + 1] >>> 32) + 1) << 32 | (now & LOW);
  }

  /** Takes what was counted elsewhere. */
  void load(int a, int b, int count) {
    together(a, b, 0, 0);
    table[placeOf(key(a, b)) + 1] = (long) count << 32;
  }

  /** 0 for strangers. */
  int together(int a, int b) {
    return (int) (table[placeOf(key(a, b)) + 1] >>> 32);
  }

  void each(Each each) {
    for (int place = 0; place < table.length; place += 2) {
      if (table[place] != 0) {
        each.pair((int) (table[place] >>> 32), (int) table[place], (int) (table[place + 1] >>> 32));
      }
    }
  }

  /** Slots have new numbers: pairs of which one is -1 go. */
  void renumber(int[] moved) {
    rebuild(missed.length, slot -> moved[slot], Integer.MIN_VALUE);
  }

  int size() {
    return size;
  }

  /** Most that a count can be too low. */
  int floor() {
    return floor;
  }

  /** Bytes of memory it takes. */
  long memory() {
    return 8L * table.length + 4L * missed.length;
  }

  private void purge() {
    int[] values = new int[size];
    int next = 0;
    for (int place = 0; place < table.length; place += 2) {
      if (table[place] != 0) {
        values[next++] = (int) (table[place + 1] >>> 32) + missed[place >> 1];
      }
    }
    Arrays.sort(values);
    floor = values[(size - 1) / 2];
    rebuild(missed.length, IntUnaryOperator.identity(), floor);
  }

  private void rebuild(int places, IntUnaryOperator moved, int above) {
    long[] old = table;
    int[] oldMissed = missed;
    table = new long[2 * places];
    missed = new int[places];
    size = 0;
    for (int from = 0; from < old.length; from += 2) {
      int count = (int) (old[from + 1] >>> 32) + oldMissed[from >> 1];
      if (old[from] == 0 || count <= above) {
        continue;
      }
      int first = moved.applyAsInt((int) (old[from] >>> 32));
      int second = moved.applyAsInt((int) old[from]);
      if (first >= 0 && second >= 0) {
        int place = placeOf(key(first, second));
        table[place] = key(first, second);
        table[place + 1] = old[from + 1];
        missed[place >> 1] = oldMissed[from >> 1];
        size++;
      }
    }
  }

  private static long key(int a, int b) {
    return a < b ? (long) a << 32 | b : (long) b << 32 | a;
  }

  /** Index in the table of the pair's place, or of the empty one where it would go. */
  private int placeOf(long key) {
    int mask = missed.length - 1;
    int place = (int) Mix.of(key) & mask;
    while (table[2 * place] != 0 && table[2 * place] != key) {
      place = (place + 1) & mask;
    }
    return 2 * place;
  }
}
