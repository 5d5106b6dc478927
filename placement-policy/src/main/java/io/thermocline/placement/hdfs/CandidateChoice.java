// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import io.thermocline.placement.choice.CandidateSets;
import io.thermocline.placement.choice.ChoiceEngine;
import io.thermocline.placement.choice.SaltedKeys;
import java.util.function.LongFunction;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;

/**
 * CHOICE inside the NameNode: makes some candidate sets of replicas for a call, and takes the one that a
 * policy scores best by what heartbeats said until the last refresh. Immutable.
 *
 * <p>Source: CHOICE, algorithm 1.
 */
final class CandidateChoice {
  /** Salts to try for each candidate; a small cluster has few sets, and its calls must not wait. */
  private static final int SALTS_PER_CANDIDATE = 8;

  private final int candidates;
  private final ChoiceEngine engine;

  CandidateChoice(ChoiceSettings settings) {
    this.candidates = settings.candidates();
    this.engine = settings.engine();
  }

  /** Whether there is anything to choose from. */
  boolean isOn() {
    return candidates > 1;
  }

  /**
   * The best of the first set and others.
   *
   * @param first complete
   * @param others makes the set of a key; it need not be complete
   */
  ReplicaChoice best(
      ReplicaChoice first, long key, PlacementCall call, LongFunction<ReplicaChoice> others) {
    StorageMetrics metrics = call.snapshot.metrics();
    if (metrics == null) {
      return first;
    }
    ReplicaChoice[] made = new ReplicaChoice[candidates];
    CandidateSets sets = new CandidateSets(candidates, call.wanted);
    int salts = SALTS_PER_CANDIDATE * candidates;
    for (int salt = 0; salt < salts && sets.count() < candidates; salt++) {
      long salted = SaltedKeys.salted(key, salt);
      ReplicaChoice one = salt == 0 ? first : others.apply(salted);
      if (one.outcome() == null
          && sets.add(salted, (same, devices, from, to) -> numbers(one, call, devices, from))) {
        made[sets.count() - 1] = one;
      }
    }
    int best = engine.best(sets, metrics.seenBy(call.local));
    return best == ChoiceEngine.NONE ? first : made[best];
  }

  private static int numbers(ReplicaChoice choice, PlacementCall call, int[] devices, int from) {
    DatanodeStorageInfo[] storages = choice.storages();
    for (int i = 0; i < call.wanted; i++) {
      devices[from + i] = call.snapshot.metrics().number(storages[call.chosen.size() + i]);
    }
    return call.wanted;
  }
}
