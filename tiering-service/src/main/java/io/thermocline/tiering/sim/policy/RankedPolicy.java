// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.policy;

import io.thermocline.tiering.sim.FileAccess;
import io.thermocline.tiering.sim.Moves;
import io.thermocline.tiering.sim.TierState;
import io.thermocline.tiering.sim.TieringPolicy;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Cache policies: what is accessed enters the fastest tier, and what has least merit leaves it. Live, what
 * was accessed since the last decision competes with what is there, and what has most merit fills the tier.
 */
final class RankedPolicy implements TieringPolicy {

  /** A file with its merit; of equal ones the one that was accessed later has more. */
  private record Entry(double merit, long order, int file) {}

  private static final Comparator<Entry> LEAST_FIRST =
      Comparator.comparingDouble(Entry::merit).thenComparingLong(Entry::order);

  private final Merit merit;
  private final Entry[] entries;

  /** Of files that are on the fastest tier, or may enter it. */
  private final TreeSet<Entry> ranked = new TreeSet<>(LEAST_FIRST);

  private long count;

  /**
   * @param files how many the trace has
   */
  RankedPolicy(Merit merit, int files) {
    this.merit = merit;
    entries = new Entry[files];
  }

  @Override
  public void onAccess(FileAccess access, TierState tiers) {
    int file = access.file();
    boolean known = entries[file] != null && ranked.remove(entries[file]);
    entries[file] = new Entry(merit.accessed(access, tiers), ++count, file);
    if (known || merit.admits(access, tiers)) {
      ranked.add(entries[file]);
    }
  }

  @Override
  public void react(FileAccess access, TierState tiers, Moves moves) {
    Entry entry = entries[access.file()];
    if (tiers.tierOf(entry.file()) != tiers.fastest()
        && ranked.remove(entry)
        && tiers.bytes(entry.file()) <= tiers.capacity(tiers.fastest())
        && makesRoom(entry, tiers, moves)
        && moves.move(entry.file(), tiers.fastest())) {
      ranked.add(entry);
    }
  }

  private boolean makesRoom(Entry newcomer, TierState tiers, Moves moves) {
    int fast = tiers.fastest();
    long after = tiers.used(fast) + tiers.bytes(newcomer.file());
    if (after <= merit.upperWatermark() * tiers.capacity(fast)) {
      return true;
    }
    double excess = after - merit.lowerWatermark() * tiers.capacity(fast);
    if (merit.entry() == Merit.Entry.BEATS_SUM && !beatsSum(newcomer, excess, tiers)) {
      return false;
    }
    while (excess > 0 && !ranked.isEmpty()) {
      Entry least = ranked.first();
      if (merit.entry() == Merit.Entry.BEATS_EACH && least.merit() > newcomer.merit()) {
        return false;
      }
      ranked.remove(least);
      excess -= tiers.bytes(least.file());
      moves.move(least.file(), tiers.home());
      merit.displaced(least.merit());
    }
    return true;
  }

  private boolean beatsSum(Entry newcomer, double excess, TierState tiers) {
    double left = merit.now(newcomer.merit(), tiers.nowMicros());
    double room = 0;
    for (Entry least : ranked) {
      if (room >= excess || left <= 0) {
        break;
      }
      room += tiers.bytes(least.file());
      left -= merit.now(least.merit(), tiers.nowMicros());
    }
    return left > 0;
  }

  @Override
  public void rebalance(TierState tiers, Moves moves) {
    List<Integer> ranking = ranked.descendingSet().stream().map(Entry::file).toList();
    FastTierFill fill = FastTierFill.of(ranking, tiers, merit.upperWatermark());
    fill.request(moves, this::leaves);
    Set<Integer> wanted = new HashSet<>(fill.wanted());
    ranked.removeIf(
        entry ->
            tiers.tierOf(entry.file()) != tiers.fastest()
                && !tiers.isMoving(entry.file())
                && !wanted.contains(entry.file()));
  }

  private void leaves(int file) {
    merit.displaced(entries[file].merit());
    // It may come back only after another access.
    ranked.remove(entries[file]);
  }
}
