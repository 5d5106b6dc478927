// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.policy;

import io.thermocline.tiering.sim.FileAccess;
import io.thermocline.tiering.sim.Moves;
import io.thermocline.tiering.sim.TierState;
import io.thermocline.tiering.sim.TieringPolicy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * The two rules of the Smart Storage Management's examples: {@code accessCount(5m) > 3 | allssd}, and what
 * wasn't accessed for long goes to the slowest tier. Rules know no capacity: what has no room isn't moved.
 */
final class CountAndAge implements TieringPolicy {
  private static final long WINDOW_MICROS = 300_000_000L;
  private static final int MORE_THAN = 3;

  private final long archiveAfterMicros;
  private final int[] recent;
  private final Deque<FileAccess> window = new ArrayDeque<>();

  /** Time of the last access of each file that isn't archived, the longest unaccessed first. */
  private final Map<Integer, Long> lastAccess = new LinkedHashMap<>();

  CountAndAge(int files, long archiveAfterMicros) {
    recent = new int[files];
    this.archiveAfterMicros = archiveAfterMicros;
  }

  @Override
  public void onAccess(FileAccess access, TierState tiers) {
    window.add(access);
    recent[access.file()]++;
    lastAccess.remove(access.file());
    lastAccess.put(access.file(), access.atMicros());
  }

  @Override
  public void react(FileAccess access, TierState tiers, Moves moves) {
    rebalance(tiers, moves);
  }

  @Override
  public void rebalance(TierState tiers, Moves moves) {
    archive(tiers, moves);
    while (!window.isEmpty() && window.peek().atMicros() <= tiers.nowMicros() - WINDOW_MICROS) {
      recent[window.remove().file()]--;
    }
    Set<Integer> often = new LinkedHashSet<>();
    for (FileAccess access : window) {
      if (recent[access.file()] > MORE_THAN && tiers.tierOf(access.file()) != tiers.fastest()) {
        often.add(access.file());
      }
    }
    often.forEach(file -> moves.move(file, tiers.fastest()));
  }

  private void archive(TierState tiers, Moves moves) {
    Iterator<Map.Entry<Integer, Long>> oldest = lastAccess.entrySet().iterator();
    while (oldest.hasNext()) {
      Map.Entry<Integer, Long> file = oldest.next();
      if (file.getValue() > tiers.nowMicros() - archiveAfterMicros) {
        return;
      }
      if (tiers.tierOf(file.getKey()) == 0) {
        oldest.remove();
      } else {
        moves.move(file.getKey(), 0);
      }
    }
  }
}
