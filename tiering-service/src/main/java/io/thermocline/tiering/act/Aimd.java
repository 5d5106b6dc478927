// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * How many copies may run at once: as many as copy more than half of them would, and half as
 * many where copies take much longer than they did. Pure, not thread-safe.
 */
final class Aimd {

  /*
   * So many at once, each taking so long, are so many a second (Little's law). How many they were is
   * counted, since fewer may have been than might: DataNodes and bandwidth bound them too. Up to the point
   * where a device, a link or a processor is full, twice as many at once copy more; above, each
   * only takes longer, and so does whatever readers wait for there. That point is looked for as a
   * climber would: a step, on in the same direction where that was better, back where it wasn't.
   * After each step in vain it rests, for twice as many rounds each time, and then tries the
   * other direction.
   *
   * Others who come to use the same show in copies that take much longer than as many took before:
   * then there are half as many, until that has lasted so long that it is how things are.
   *
   * A round is two dozen copies of one sort, or twice as many as may run at once; its median
   * counts, since single copies scatter. Those that were under way when the number changed don't.
   */

  /** What twice as many at once have to copy more, as a share; less for a smaller step. */
  private static final double WORTH_A_STEP = 0.15;

  private static final double MUCH_LONGER = 1.8;
  private static final int LEAST_ROUND = 24;
  private static final int FIRST_REST = 2;
  private static final int LONGEST_REST = 16;

  private final int least;
  private final int most;
  private final Map<Integer, Sort> sorts = new HashMap<>();
  private int limit;
  private int underWay;
  private long cuts;
  private int rest;
  private int nextRest = FIRST_REST;
  private boolean isUpNext = true;

  /** Before the step that is being tried; 0 where none is. */
  private int before;

  /** Begins with the least. */
  Aimd(int least, int most) {
    if (least < 1 || least > most) {
      throw new IllegalArgumentException(
          "copies at once from " + least + " to " + most + ": expected 1 or more, in order");
    }
    this.least = least;
    this.most = most;
    this.limit = least;
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
    before = 0;
    isUpNext = true;
    rest();
    change(Math.max(least, limit / 2));
  }

  /**
   * A copy ended well.
   *
   * @param sort copies of one sort take about as long when nothing is in their way
   * @param nanos that it took
   * @param atOnce how many were under way, it among them
   */
  void copied(int sort, long nanos, int atOnce) {
    if (underWay > 0) {
      underWay--;
      return;
    }
    Sort round = sorts.computeIfAbsent(sort, first -> new Sort(Math.max(LEAST_ROUND, 2 * most)));
    round.nanos[round.samples++] = nanos;
    round.atOnce += atOnce;
    if (round.samples < Math.max(LEAST_ROUND, 2 * limit)) {
      return;
    }
    Round now = round.end();
    Round last = round.last.getOrDefault(limit, now);
    round.last.put(limit, now);
    if (now.nanos() > MUCH_LONGER * last.nanos()) {
      congested();
    } else if (before != 0) {
      tried(round);
    } else if (rest > 0) {
      rest--;
    } else {
      step();
    }
  }

  /** Goes on in the direction that brought something, and back where it didn't. */
  private void tried(Sort sort) {
    if ((limit > before) == sort.isWorth(Math.min(before, limit), Math.max(before, limit))) {
      nextRest = FIRST_REST;
      step();
    } else {
      int back = before;
      before = 0;
      isUpNext = !isUpNext;
      rest();
      change(back);
    }
  }

  private void step() {
    int next = isUpNext ? Math.min(most, 2 * limit) : Math.max(least, below());
    if (next == limit) {
      isUpNext = !isUpNext;
      before = 0;
      rest();
    } else {
      before = limit;
      change(next);
    }
  }

  private int below() {
    int below = least;
    while (2 * below < limit) {
      below *= 2;
    }
    return below;
  }

  private void rest() {
    rest = nextRest;
    nextRest = Math.min(LONGEST_REST, nextRest * 2);
  }

  private void change(int next) {
    if (next != limit) {
      underWay = limit;
      limit = next;
      sorts.values().forEach(Sort::forget);
    }
  }

  /**
   * @param nanos that a copy took, the median
   * @param rate copies made in a nanosecond
   */
  private record Round(double nanos, double rate) {}

  /** Copies of one sort. */
  private static final class Sort {
    private final long[] nanos;

    /** The last round with so many allowed at once. */
    private final Map<Integer, Round> last = new HashMap<>();

    private int samples;
    private long atOnce;

    Sort(int most) {
      this.nanos = new long[most];
    }

    /** Whether more at once copy enough more than fewer; where that isn't known, yes. */
    boolean isWorth(int fewer, int more) {
      double step = (double) more / fewer;
      return !last.containsKey(fewer)
          || !last.containsKey(more)
          || last.get(more).rate() >= last.get(fewer).rate() * (1 + WORTH_A_STEP * (step - 1));
    }

    Round end() {
      Arrays.sort(nanos, 0, samples);
      double median = Math.max(1, nanos[samples / 2]);
      Round round = new Round(median, (double) atOnce / samples / median);
      forget();
      return round;
    }

    void forget() {
      samples = 0;
      atOnce = 0;
    }
  }
}
