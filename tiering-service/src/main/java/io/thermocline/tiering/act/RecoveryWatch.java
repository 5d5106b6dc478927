// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.time.Duration;

/**
 * Whether HDFS is making replicas that are missing, by the number of such blocks alone. Many of them can't be made, or are none
 * of HDFS's business: a user may ask for more replicas than there are DataNodes. Such a number doesn't fall. By one thread.
 *
 * <pre>
 *                more than the bound                   no new lowest for the patience
 *   CALM  ------------------------------>  RECOVERING  --------------------------->  STUCK
 *    ^                                       |      ^                                |  |
 *    |                                       |      +-- a tenth above the highest, --+  |
 *    |                                       |          or below the lowest             |
 *    +---------- not more than the bound for the patience ------------------------------+
 * </pre>
 *
 * <p>What comes and goes, such as files of jobs with many replicas, is stuck too after that time: it has no new lowest, and
 * after the highest of that time no new highest.
 */
final class RecoveryWatch {

  /** From which on a number is another one: what a DataNode held, beside what was stuck before. */
  private static final double CHANGE = 0.1;

  /** What a number of blocks means. */
  enum State {
    CALM,
    RECOVERING,
    STUCK
  }

  private final long bound;
  private final long patienceMillis;
  private State state = State.CALM;
  private long lowest;
  private long highest;

  /** Since the last new lowest. */
  private long highestSince;

  /** When the wait that goes on, or went on last, began. */
  private long waitsSinceMillis;

  /** When there was the last new lowest, or a new highest began all over again. */
  private long progressMillis;

  /** Since when the number is within the bound; negative: it isn't. */
  private long calmMillis = -1;

  /**
   * @param bound blocks that are nothing to wait for
   * @param patience without progress
   */
  RecoveryWatch(long bound, Duration patience) {
    this.bound = bound;
    this.patienceMillis = patience.toMillis();
  }

  /**
   * @param blocks with too few replicas
   * @return CALM also while they are within the bound for now
   */
  State look(long blocks, long nowMillis) {
    if (blocks <= bound) {
      calmMillis = calmMillis < 0 ? nowMillis : calmMillis;
      if (nowMillis - calmMillis >= patienceMillis) {
        state = State.CALM;
      }
      return State.CALM;
    }
    calmMillis = -1;
    boolean waited = state == State.RECOVERING;
    if (state == State.CALM || blocks > highest * (1 + CHANGE)) {
      state = State.RECOVERING;
      highest = blocks;
      progress(blocks, nowMillis);
    } else if (state == State.RECOVERING ? blocks < lowest : blocks <= lowest * (1 - CHANGE)) {
      state = State.RECOVERING;
      progress(blocks, nowMillis);
    }
    if (state == State.RECOVERING && !waited) {
      waitsSinceMillis = nowMillis;
    }
    highestSince = Math.max(highestSince, blocks);
    if (state == State.RECOVERING && nowMillis - progressMillis >= patienceMillis) {
      state = State.STUCK;
      highest = highestSince;
    }
    return state;
  }

  /** While RECOVERING: since when. */
  long waitsSinceMillis() {
    return waitsSinceMillis;
  }

  /** While RECOVERING: until when, without progress. */
  long waitsUntilMillis() {
    return progressMillis + patienceMillis;
  }

  private void progress(long blocks, long nowMillis) {
    lowest = blocks;
    highestSince = blocks;
    progressMillis = nowMillis;
  }
}
