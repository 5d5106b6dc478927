// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * How many copies may run at once for the sake of those who read: half as many where reads take
 * longer than a factor of what they take in quiet times, one more at each look where they don't,
 * and none for a while where a single one is too many. Pure, not thread-safe.
 */
final class ForegroundGuard {

  /*
   *            reads slow, more than one copy: half as many
   *                 +--+
   *                 v  |     reads slow with one copy
   *   COPYING (1..most) -----------------------------------> RESTING (0)
   *                 ^  |                                        |
   *                 +--+     after 3 looks, then 6, 12, ... 48  |
   *     reads as ever: one more                                 |
   *          ^--------------------------------------------------+
   *
   * A rest is long enough that what reads take without copies is heard anew. So readers who became
   * slower for a reason of their own hold copies back no longer than until that is known.
   *
   * DataNodes tell means of their last period of metrics, ten seconds by default, and no sooner than that.
   * So one look after copies ended is about a time with copies still, and says nothing for sure. Nor does one
   * beside copies of actions and groups, which aren't counted here.
   */

  /** Looks: the end of the copies, one for what DataNodes say late, one to hear how quiet is. */
  private static final int FIRST_REST = 3;

  private static final int LONGEST_REST = 48;

  /** Looks without copies after which nothing is said any more of how many readers bear. */
  private static final int FORGOTTEN = 12;

  private static final String COMING_BACK =
      "readers waited for copies: one more at each look where they don't any more";

  private final double factor;
  private final ReadTimes times = new ReadTimes();
  private int most = Integer.MAX_VALUE;
  private int rest;
  private int nextRest = FIRST_REST;
  private int looksSinceCopies = 2;
  private int quietLooks;
  private int looksWithoutReads;
  private long begun;
  private String why = "";

  /**
   * What follows from a look.
   *
   * @param copies at once at most; 0: none is to begin
   * @param slowed DataNodes whose reads are slow: one copy at a time
   * @param why there are fewer copies than could be, in words; empty where there aren't
   */
  record Verdict(int copies, Set<String> slowed, String why) {}

  /**
   * @param factor above 1; infinite: readers aren't minded
   */
  ForegroundGuard(double factor) {
    this.factor = factor;
  }

  boolean isOff() {
    return Double.isInfinite(factor);
  }

  /**
   * To be called at each look.
   *
   * @param reads what DataNodes say, by UUID
   * @param copies how they go now
   * @param areBeside whether copies of ours ran since the last look that {@code copies} doesn't count
   */
  Verdict look(Map<String, ReadTimes.Reads> reads, Throttle copies, boolean areBeside) {
    boolean isCopying = copies.begun() > begun || copies.running() > 0;
    begun = copies.begun();
    looksSinceCopies = isCopying || areBeside ? 0 : looksSinceCopies + 1;
    Set<String> slowed = Set.of();
    if (isCopying) {
      ReadTimes.Seen seen = times.copying(reads, factor);
      slowed = seen.slowed();
      if (rest == 0) {
        copied(seen, copies);
      }
    } else if (looksSinceCopies < 2) {
      times.skip(reads);
    } else {
      times.quiet(reads);
    }
    if (!isCopying && rest > 0 && --rest == 0) {
      most = 1;
      why = COMING_BACK;
    }
    quietLooks = isCopying || rest > 0 ? 0 : quietLooks + 1;
    if (quietLooks >= FORGOTTEN) {
      most = Integer.MAX_VALUE;
      nextRest = FIRST_REST;
      why = "";
    }
    return new Verdict(rest > 0 ? 0 : most, slowed, why);
  }

  private void copied(ReadTimes.Seen seen, Throttle copies) {
    OptionalDouble ratio = seen.ratio();
    if (ratio.isPresent() && ratio.getAsDouble() > factor) {
      int now = Math.min(most, Math.max(1, copies.peak()));
      if (now > 1) {
        most = now / 2;
      } else {
        rest = nextRest;
        nextRest = Math.min(LONGEST_REST, 2 * nextRest);
      }
      why =
          String.format(
              Locale.ROOT,
              "reads take %.1f times as long as without copies (act.throttle.foreground: %s): %s",
              ratio.getAsDouble(),
              factor,
              rest > 0 ? "none for a while" : "at most " + most + " at once");
      return;
    }
    // Where nobody reads, nobody waits; where some do and few, it isn't known yet. One look may
    // be too early.
    looksWithoutReads = seen.reads() > 0 ? 0 : looksWithoutReads + 1;
    boolean isWell = ratio.isPresent() || looksWithoutReads > 1;
    if (isWell && most < copies.most()) {
      nextRest = FIRST_REST;
      most++;
      why = COMING_BACK;
    }
    if (most >= copies.most()) {
      most = Integer.MAX_VALUE;
      why = "";
    }
  }
}
