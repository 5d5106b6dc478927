// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * How many copies a DataNode may have at once: half as many where its copies take much longer than they did, and a quarter
 * more after each round in which they don't, up to a bound. Pure, not thread-safe.
 */
final class ConcurrencyController {

  /*
   * A round is two dozen copies of one sort, or twice as many as may run at once; its median counts, since single copies
   * scatter, and is compared with that of the round before with as many at once. So a device that is slow for good is
   * taken for what it is after one round. Copies that were under way when the number changed don't count.
   */

  private static final double MUCH_LONGER = 1.8;
  private static final int LEAST_ROUND = 24;

  private final int most;
  private final Map<Integer, Sort> sorts = new HashMap<>();
  private int limit;
  private int underWay;
  private long cuts;

  /** Begins with the most. */
  ConcurrencyController(int most) {
    if (most < 1) {
      throw new IllegalArgumentException(most + " copies at once: expected 1 or more");
    }
    this.most = most;
    this.limit = most;
  }

  int limit() {
    return limit;
  }

  /** How often it met congestion. */
  long cuts() {
    return cuts;
  }

  /** Somebody says that it is too much. */
  void congested() {
    cuts++;
    change(Math.max(1, limit / 2));
  }

  /**
   * A copy ended well.
   *
   * @param sort copies of one sort take about as long when nothing is in their way
   * @param nanos that it took
   */
  void copied(int sort, long nanos) {
    if (underWay > 0) {
      underWay--;
      return;
    }
    Sort round = sorts.computeIfAbsent(sort, first -> new Sort(Math.max(LEAST_ROUND, 2 * most)));
    round.nanos[round.samples++] = nanos;
    if (round.samples < Math.max(LEAST_ROUND, 2 * limit)) {
      return;
    }
    long median = round.end();
    Long before = round.last.put(limit, median);
    if (before != null && median > MUCH_LONGER * before) {
      congested();
    } else {
      change(Math.min(most, limit + Math.max(1, limit / 4)));
    }
  }

  private void change(int next) {
    if (next != limit) {
      underWay = limit;
      limit = next;
      sorts.values().forEach(sort -> sort.samples = 0);
    }
  }

  /** Copies of one sort. */
  private static final class Sort {
    private final long[] nanos;

    /** The median of the last round with so many allowed at once. */
    private final Map<Integer, Long> last = new HashMap<>();

    private int samples;

    Sort(int most) {
      this.nanos = new long[most];
    }

    long end() {
      Arrays.sort(nanos, 0, samples);
      long median = Math.max(1, nanos[samples / 2]);
      samples = 0;
      return median;
    }
  }
}
