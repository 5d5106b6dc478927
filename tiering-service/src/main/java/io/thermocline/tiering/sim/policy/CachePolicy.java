// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.policy;

import io.thermocline.tiering.sim.FileAccess;
import io.thermocline.tiering.sim.Moves;
import io.thermocline.tiering.sim.TierState;
import io.thermocline.tiering.sim.TieringPolicy;
import java.util.ArrayList;
import java.util.List;

/**
 * A cache of whole files that decides with each access, and whose content is what the fastest tier is to hold. Where
 * moves take their time, they follow it.
 */
final class CachePolicy implements TieringPolicy {

  /** Which files a cache holds. */
  interface Cache {

    /**
     * A file was accessed that fits into the cache.
     *
     * @param bytes of the file
     * @param evicted is told of each file that leaves
     */
    void accessed(int file, long bytes, List<Integer> evicted);

    /** What it holds, what it would evict last first. */
    List<Integer> content();
  }

  /** Of a capacity in bytes. */
  @FunctionalInterface
  interface Kind {
    Cache of(long capacity);
  }

  private final Cache cache;
  private final long capacity;
  private final List<Integer> evicted = new ArrayList<>();

  CachePolicy(Kind kind, long capacity) {
    this.cache = kind.of(capacity);
    this.capacity = capacity;
  }

  @Override
  public void onAccess(FileAccess access, TierState tiers) {
    long bytes = tiers.bytes(access.file());
    evicted.clear();
    if (bytes <= capacity) {
      cache.accessed(access.file(), bytes, evicted);
    }
  }

  @Override
  public void react(FileAccess access, TierState tiers, Moves moves) {
    evicted.forEach(file -> moves.move(file, tiers.home()));
    int file = access.file();
    if (tiers.tierOf(file) != tiers.fastest() && tiers.bytes(file) <= capacity) {
      moves.move(file, tiers.fastest());
    }
  }

  @Override
  public void rebalance(TierState tiers, Moves moves) {
    FastTierFill.of(cache.content(), tiers, 1).request(moves, file -> {});
  }
}
