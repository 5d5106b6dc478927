// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.pools;

import io.thermocline.tiering.classify.Classified;
import java.util.Locale;

/**
 * Where one chunk belongs, and why.
 *
 * @param pool name of it
 * @param from where it is now, or "" for a new chunk
 */
public record Placement(Classified classified, String pool, String from, Cause cause) {

  /** How the pool was found, in the order in which algorithm 1 tries. */
  public enum Cause {
    FIRST_PRIORITY("suits its pattern best"),
    FURTHER_PRIORITY("suits its pattern too, and the best had no room or performance left"),
    GREEDY("is the fastest with room and performance left, in the order of weights"),
    ROOM_LEFT("has room left, which its intensity asks for and no pattern that suits it better"),
    STAYS("has its room, which nothing heavier asks for: leaving it would only cost a move"),
    LAST_RESORT("has room; no pool has the performance left that it asks for");

    private final String words;

    Cause(String words) {
      this.words = words;
    }
  }

  /** Whether it has to be moved; a new chunk is only put there. */
  public boolean isMove() {
    return !from.isEmpty() && !from.equals(pool);
  }

  /** One sentence with the numbers it was decided by. */
  public String reason() {
    return String.format(
        Locale.ROOT,
        "%s %s: pattern %s of level %d, weight %.4g a second; %s%s",
        pool,
        cause.words,
        classified.group().name(),
        classified.level(),
        classified.weight(),
        from.isEmpty() ? "new" : isMove() ? "moves from " + from : "is there",
        classified.skipped().isEmpty() ? "" : "; not told by the source: " + classified.skipped());
  }
}
