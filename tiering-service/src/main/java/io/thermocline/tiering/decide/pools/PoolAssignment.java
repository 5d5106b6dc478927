// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.pools;

import java.util.List;
import java.util.Set;

/**
 * Every chunk of a snapshot in one pool, each once. Immutable.
 *
 * @param placements in the order in which they were decided
 * @param levels how many levels of the classifier it took
 * @param complete whether all chunks got a pool that suits their pattern, so that nothing was placed greedily
 * @param tooSmall pools that were the best for a chunk and couldn't take it, at the last level asked
 * @param notes what was left out and why; empty where nothing was
 */
public record PoolAssignment(
    List<Placement> placements,
    int levels,
    boolean complete,
    Set<String> tooSmall,
    List<String> notes) {

  public PoolAssignment {
    placements = List.copyOf(placements);
    tooSmall = Set.copyOf(tooSmall);
    notes = List.copyOf(notes);
  }

  /** Bytes of one copy of all that moves. */
  public long bytesToMove() {
    return placements.stream()
        .filter(Placement::isMove)
        .mapToLong(one -> one.classified().activity().chunk().bytes())
        .sum();
  }
}
