// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.policy;

import io.thermocline.tiering.decide.admission.AdmissionModel;
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

/** What {@link AdmissionModel} says is worth its room and its move, with nothing else of the service. */
final class ByAdmissionModel implements TieringPolicy {
  private static final double MICROS = 1e6;

  /** As many as the service follows. */
  private static final int MOST_FILES = 1 << 20;

  private final AdmissionModel model;
  private final Set<Integer> candidates = new LinkedHashSet<>();

  private record Ranked(int file, double density) {}

  private static final Comparator<Ranked> LEAST_FIRST =
      Comparator.comparingDouble(Ranked::density).thenComparingInt(Ranked::file);

  /**
   * @param capacity of the fastest tier in bytes
   */
  ByAdmissionModel(long capacity) {
    model = new AdmissionModel(Math.max(1, capacity), MOST_FILES);
  }

  @Override
  public void onAccess(FileAccess access, TierState tiers) {
    int file = access.file();
    model.read(file, tiers.bytes(file), access.atMicros() / MICROS);
    if (tiers.tierOf(file) != tiers.fastest()
        && model.estimate(file, seconds(tiers)).isAdmitted()) {
      candidates.add(file);
    }
  }

  @Override
  public void react(FileAccess access, TierState tiers, Moves moves) {
    int file = access.file();
    if (candidates.remove(file)
        && tiers.bytes(file) <= tiers.capacity(tiers.fastest())
        && makesRoom(file, model.density(file, seconds(tiers)), tiers, moves)) {
      moves.move(file, tiers.fastest());
      model.moved(file);
    }
  }

  private boolean makesRoom(int file, double density, TierState tiers, Moves moves) {
    long missing = tiers.bytes(file) - tiers.free(tiers.fastest());
    if (missing <= 0) {
      return true;
    }
    PriorityQueue<Ranked> residents = residents(tiers);
    List<Ranked> losers = new ArrayList<>();
    while (missing > 0) {
      Ranked least = residents.remove();
      if (least.density() >= density) {
        return false;
      }
      losers.add(least);
      missing -= tiers.bytes(least.file());
    }
    losers.forEach(loser -> moves.move(loser.file(), tiers.home()));
    model.displaced(losers.get(losers.size() - 1).density());
    return true;
  }

  private PriorityQueue<Ranked> residents(TierState tiers) {
    List<Ranked> residents = new ArrayList<>();
    for (int i = 0; i < tiers.filesOn(tiers.fastest()); i++) {
      residents.add(ranked(tiers.fileOn(tiers.fastest(), i), tiers));
    }
    PriorityQueue<Ranked> queue = new PriorityQueue<>(Math.max(1, residents.size()), LEAST_FIRST);
    queue.addAll(residents);
    return queue;
  }

  private Ranked ranked(int file, TierState tiers) {
    return new Ranked(file, model.density(file, seconds(tiers)));
  }

  private static double seconds(TierState tiers) {
    return tiers.nowMicros() / MICROS;
  }

  @Override
  public void rebalance(TierState tiers, Moves moves) {
    candidates.removeIf(file -> tiers.tierOf(file) == tiers.fastest() || tiers.isMoving(file));
    List<Ranked> ranking = new ArrayList<>(residents(tiers));
    candidates.forEach(file -> ranking.add(ranked(file, tiers)));
    ranking.sort(LEAST_FIRST.reversed());
    FastTierFill fill = FastTierFill.of(ranking.stream().map(Ranked::file).toList(), tiers, 1);
    candidates.retainAll(new HashSet<>(fill.wanted()));
    fill.request(moves, file -> model.displaced(ranked(file, tiers).density()));
  }
}
