// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.policy;

import io.thermocline.tiering.sim.Moves;
import io.thermocline.tiering.sim.TierState;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Fills the fastest tier from a ranking on: a file that doesn't fit into what is left is passed over. What is
 * there and not wanted leaves only where its room is needed, the lowest ranked first.
 */
final class FastTierFill {
  private final TierState tiers;
  private final List<Integer> wanted = new ArrayList<>();
  private final List<Integer> unwanted = new ArrayList<>();
  private final long unfilled;

  private FastTierFill(TierState tiers, long unfilled) {
    this.tiers = tiers;
    this.unfilled = unfilled;
  }

  /**
   * @param ranking the most wanted first; files on the fastest tier that aren't in it leave first
   * @param share of the fastest tier that may be filled, above 0, to 1
   */
  static FastTierFill of(List<Integer> ranking, TierState tiers, double share) {
    int fast = tiers.fastest();
    long unfilled = tiers.capacity(fast) - (long) (share * tiers.capacity(fast));
    FastTierFill fill = new FastTierFill(tiers, unfilled);
    BitSet there = new BitSet();
    // What is being copied there has its room already.
    long left = tiers.free(fast) - unfilled;
    for (int i = 0; i < tiers.filesOn(fast); i++) {
      int file = tiers.fileOn(fast, i);
      there.set(file);
      left += tiers.bytes(file);
    }
    for (int file : ranking) {
      if (tiers.bytes(file) <= left) {
        left -= tiers.bytes(file);
        fill.wanted.add(file);
      } else if (there.get(file)) {
        fill.unwanted.add(file);
      }
      there.clear(file);
    }
    there.stream().forEach(fill.unwanted::add);
    return fill;
  }

  /** What is to be on the fastest tier, the most wanted first. */
  List<Integer> wanted() {
    return wanted;
  }

  /**
   * Asks for the moves.
   *
   * @param displaced is told of each file that is to leave
   */
  void request(Moves moves, IntConsumer displaced) {
    int fast = tiers.fastest();
    long free = tiers.free(fast) - unfilled;
    int last = unwanted.size() - 1;
    for (int file : wanted) {
      if (tiers.tierOf(file) == fast || tiers.isMoving(file)) {
        continue;
      }
      while (free < tiers.bytes(file) && last >= 0) {
        int leaving = unwanted.get(last--);
        if (moves.move(leaving, tiers.home())) {
          free += tiers.bytes(leaving);
          displaced.accept(leaving);
        }
      }
      if (free >= tiers.bytes(file) && moves.move(file, fast)) {
        free -= tiers.bytes(file);
      }
    }
  }
}
