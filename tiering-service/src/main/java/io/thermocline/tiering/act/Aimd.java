// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * How many copies may run at once: one more after a round without congestion, half as many after
 * one with. Pure, not thread-safe.
 */
final class Aimd {

  /*
   * Congestion is seen in the copies' own times, as delay-based transports for background
   * traffic do (LEDBAT, RFC 6817): what waits in a queue of a device, a link or a processor
   * takes longer, and readers wait in the same queues. Where twice as many at once take twice as
   * long each, no more is copied than before, and readers wait for nothing. So there are more
   * only while copies take hardly longer than when there were the least.
   *
   * A round is as many copies of one sort as may run at once; its median counts, since single
   * copies scatter. What the least take is seen where the limit is there: at the beginning,
   * after congestion, and after some rounds anyway, when all is forgotten and it begins anew, as
   * BBR does to see its round trip time. After each congestion in a row it stays for twice as
   * many rounds before it tries more: else it would be too much for readers half of the time.
   */

  private static final double HARDLY_LONGER = 1.3;
  private static final double MUCH_LONGER = 1.6;
  private static final int ROUNDS_REMEMBERED = 100;
  private static final int LEAST_ROUND = 12;
  private static final int FIRST_REST = 2;
  private static final int LONGEST_REST = 16;

  private final int least;
  private final int most;
  private final Map<Integer, Round> rounds = new HashMap<>();
  private double limit;
  private boolean isStarting = true;
  private int ended;
  private long cuts;
  private int rest;
  private int nextRest = FIRST_REST;

  /** Begins with the least, and doubles until it meets congestion for the first time. */
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
    return (int) limit;
  }

  /** How often it met congestion. */
  long cuts() {
    return cuts;
  }

  /** Somebody says that it is too much. */
  void congested() {
    cuts++;
    isStarting = false;
    limit = Math.max(least, limit / 2);
    rest = nextRest;
    nextRest = Math.min(LONGEST_REST, nextRest * 2);
    rounds.values().forEach(round -> round.samples = 0);
  }

  /**
   * A copy ended well.
   *
   * @param sort copies of one sort take about as long when nothing is in their way
   * @param nanos that it took
   */
  void copied(int sort, long nanos) {
    Round round = rounds.computeIfAbsent(sort, first -> new Round(Math.max(LEAST_ROUND, most)));
    round.nanos[round.samples++] = nanos;
    if (round.samples < Math.max(LEAST_ROUND, limit())) {
      return;
    }
    boolean isLeast = limit() == least;
    double longer = round.end(isLeast);
    if (++ended > ROUNDS_REMEMBERED) {
      forget();
    } else if (isLeast) {
      tryMore();
    } else if (longer > MUCH_LONGER) {
      congested();
    } else if (longer < HARDLY_LONGER) {
      nextRest = FIRST_REST;
      tryMore();
    }
  }

  private void tryMore() {
    if (rest > 0) {
      rest--;
    } else {
      limit = Math.min(most, isStarting ? limit * 2 : limit + 1);
    }
  }

  private void forget() {
    ended = 0;
    rest = 0;
    limit = least;
    isStarting = true;
    rounds.clear();
  }

  /** Copies of one sort. */
  private static final class Round {
    private final long[] nanos;
    private int samples;
    private double ofLeast;

    Round(int most) {
      this.nanos = new long[most];
    }

    /**
     * @param isLeast whether as few as possible were under way
     * @return by how much its copies took longer than then
     */
    double end(boolean isLeast) {
      Arrays.sort(nanos, 0, samples);
      double median = Math.max(1, nanos[samples / 2]);
      samples = 0;
      if (ofLeast == 0) {
        ofLeast = median;
      } else if (isLeast) {
        ofLeast = (ofLeast + median) / 2;
      }
      return median / ofLeast;
    }
  }
}
