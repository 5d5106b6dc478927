// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.pools;

import io.thermocline.tiering.classify.WeightScale;
import java.util.List;
import java.util.Set;

/**
 * Every chunk of a snapshot in one pool, each once. Immutable.
 *
 * @param placements in the order in which they were decided
 * @param levels how many levels of the classifier it took
 * @param complete whether all chunks got a pool that suits their pattern, so that nothing was placed greedily
 * @param tooSmall pools that were the best for a chunk and couldn't take it, at the last level asked
 * @param pools what they hold of the chunks, the fastest first
 * @param scale by which weights were compared with the library's thresholds
 * @param notes what was left out and why; empty where nothing was
 */
public record PoolAssignment(
    List<Placement> placements,
    int levels,
    boolean complete,
    Set<String> tooSmall,
    List<PoolUse> pools,
    WeightScale scale,
    List<String> notes) {

  /**
   * A pool once all is where it was placed (equation 3.5).
   *
   * @param bytes of chunks
   * @param load share of the peak performance that they ask for
   */
  public record PoolUse(Pool pool, long bytes, double load) {}

  public PoolAssignment {
    placements = List.copyOf(placements);
    tooSmall = Set.copyOf(tooSmall);
    pools = List.copyOf(pools);
    notes = List.copyOf(notes);
  }

  PoolAssignment withNotes(List<String> others) {
    return new PoolAssignment(placements, levels, complete, tooSmall, pools, scale, others);
  }

  /** Bytes of one copy of all that moves. */
  public long bytesToMove() {
    return placements.stream()
        .filter(Placement::isMove)
        .mapToLong(one -> one.classified().activity().chunk().bytes())
        .sum();
  }
}
