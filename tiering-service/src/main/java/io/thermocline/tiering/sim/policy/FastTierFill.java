// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.policy;

import io.thermocline.tiering.sim.Moves;
import io.thermocline.tiering.sim.TierState;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntConsumer;

/**
 * Fills the fastest tier from a ranking on: a file that doesn't fit into what is left is passed over. What is
 * there and not wanted leaves only where its room is needed, the lowest ranked first.
 */
final class FastTierFill {
  private final TierState tiers;
  private final List<Integer> wanted = new ArrayList<>();
  private final List<Integer> unwanted = new ArrayList<>();

  private FastTierFill(TierState tiers) {
    this.tiers = tiers;
  }

  /**
   * @param ranking the most wanted first; files on the fastest tier that aren't in it leave first
   */
  static FastTierFill of(List<Integer> ranking, TierState tiers) {
    FastTierFill fill = new FastTierFill(tiers);
    int fast = tiers.fastest();
    Set<Integer> there = new HashSet<>();
    for (int i = 0; i < tiers.filesOn(fast); i++) {
      there.add(tiers.fileOn(fast, i));
    }
    // What is being copied there has its room already.
    long left = tiers.free(fast) + there.stream().mapToLong(tiers::bytes).sum();
    for (int file : ranking) {
      boolean isThere = there.remove(file);
      if (tiers.bytes(file) <= left) {
        left -= tiers.bytes(file);
        fill.wanted.add(file);
      } else if (isThere) {
        fill.unwanted.add(file);
      }
    }
    fill.unwanted.addAll(there);
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
    long free = tiers.free(fast);
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
