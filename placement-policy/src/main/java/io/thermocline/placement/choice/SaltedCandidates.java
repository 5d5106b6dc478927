// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.choice;

/**
 * The candidate placements of a key by salted hashing. The same key and placement give the same
 * candidates, for any client at any time. Stateless.
 *
 * <p>Source: CHOICE, section 4.4, algorithm 1. There a candidate is a placement group and the collision
 * is of group ids; here it is the set of devices itself.
 */
public final class SaltedCandidates {
  // The algorithm tries salts until it has k candidates, without end where there aren't k: three
  // devices have one set of three. A bound ends it. Where a set is hard to reach, a candidate may
  // be missing, the same one for everybody.
  private static final int SALTS_PER_CANDIDATE = 32;

  private SaltedCandidates() {}

  /**
   * Fills the sets anew. The first is the key's plain placement. A salt whose set is there already, or
   * that places nothing, is skipped.
   *
   * @return how many there are: fewer than k where the devices don't give so many
   */
  public static int fill(long key, ReplicaPlacement placement, CandidateSets sets) {
    sets.clear();
    int salts = sets.capacity() == 1 ? 1 : SALTS_PER_CANDIDATE * sets.capacity();
    for (int salt = 0; salt < salts && sets.count() < sets.capacity(); salt++) {
      sets.add(SaltedKeys.salted(key, salt), placement);
    }
    return sets.count();
  }
}
