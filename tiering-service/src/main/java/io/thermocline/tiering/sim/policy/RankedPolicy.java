// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.policy;

import io.thermocline.tiering.sim.FileAccess;
import io.thermocline.tiering.sim.Moves;
import io.thermocline.tiering.sim.TierState;
import io.thermocline.tiering.sim.TieringPolicy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * Cache policies: what is accessed enters the fastest tier, and what is worth least leaves it. Live, what
 * was accessed since the last decision competes with what is there, and the most worth fills the tier.
 */
final class RankedPolicy implements TieringPolicy {

  /** A file with its worth at some time; a newer entry of the file voids it. */
  private record Entry(double worth, long order, int file) {}

  private static final Comparator<Entry> LEAST_FIRST =
      Comparator.comparingDouble(Entry::worth).thenComparingLong(Entry::order);

  private final Worth worth;
  private final double[] worths;
  private final long[] orders;
  private final PriorityQueue<Entry> residents = new PriorityQueue<>(LEAST_FIRST);
  private final Set<Integer> candidates = new LinkedHashSet<>();
  private long count;

  /**
   * @param files how many the trace has
   */
  RankedPolicy(Worth worth, int files) {
    this.worth = worth;
    worths = new double[files];
    orders = new long[files];
  }

  @Override
  public void onAccess(FileAccess access, TierState tiers) {
    int file = access.file();
    worths[file] = worth.accessed(access, tiers);
    orders[file] = ++count;
    if (tiers.tierOf(file) == tiers.fastest()) {
      residents.add(entry(file));
    } else if (worth.admits(access, tiers)) {
      candidates.add(file);
    }
  }

  private Entry entry(int file) {
    return new Entry(worths[file], orders[file], file);
  }

  @Override
  public void react(FileAccess access, TierState tiers, Moves moves) {
    int file = access.file();
    if (candidates.remove(file)
        && tiers.bytes(file) <= tiers.capacity(tiers.fastest())
        && makesRoom(file, tiers, moves)
        && moves.move(file, tiers.fastest())) {
      residents.add(entry(file));
    }
  }

  private boolean makesRoom(int file, TierState tiers, Moves moves) {
    if (worth.entry() == Worth.Entry.BEATS_SUM && !beatsSum(file, tiers)) {
      return false;
    }
    while (tiers.free(tiers.fastest()) < tiers.bytes(file)) {
      Entry least = residents.remove();
      if (isVoid(least, tiers)) {
        continue;
      }
      if (worth.entry() == Worth.Entry.BEATS_EACH && least.worth() > worths[file]) {
        residents.add(least);
        return false;
      }
      moves.move(least.file(), tiers.home());
      worth.displaced(least.worth());
    }
    return true;
  }

  private boolean isVoid(Entry entry, TierState tiers) {
    return orders[entry.file()] != entry.order() || tiers.tierOf(entry.file()) != tiers.fastest();
  }

  private boolean beatsSum(int file, TierState tiers) {
    List<Entry> passed = new ArrayList<>();
    double sum = 0;
    long room = tiers.free(tiers.fastest());
    while (room < tiers.bytes(file)) {
      Entry least = residents.remove();
      if (!isVoid(least, tiers)) {
        passed.add(least);
        sum += worth.now(least.worth(), tiers.nowMicros());
        room += tiers.bytes(least.file());
      }
    }
    residents.addAll(passed);
    return passed.isEmpty() || worth.now(worths[file], tiers.nowMicros()) > sum;
  }

  @Override
  public void rebalance(TierState tiers, Moves moves) {
    residents.clear();
    candidates.removeIf(file -> tiers.tierOf(file) == tiers.fastest() || tiers.isMoving(file));
    List<Integer> ranking = new ArrayList<>(candidates);
    for (int i = 0; i < tiers.filesOn(tiers.fastest()); i++) {
      ranking.add(tiers.fileOn(tiers.fastest(), i));
    }
    ranking.sort(
        Comparator.<Integer>comparingDouble(f -> -worths[f]).thenComparing(f -> -orders[f]));
    FastTierFill fill = FastTierFill.of(ranking, tiers);
    candidates.retainAll(new HashSet<>(fill.wanted()));
    fill.request(moves, left -> worth.displaced(worths[left]));
  }
}
