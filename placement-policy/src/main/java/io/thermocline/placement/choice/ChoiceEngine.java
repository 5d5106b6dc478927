// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.choice;

import java.util.Objects;

/**
 * Picks one of the candidates by a policy. Immutable, safe for any thread.
 *
 * <p>Among the sets with most devices the first stands, unless the policy scores it and scores another
 * one better; of equals the first is taken.
 */
public final class ChoiceEngine {
  // So a server of which nothing is known gets what the hash gives it, no more and no less: where
  // it is in the first set, that set stands, and a later set with it is passed over. A node that
  // hasn't said anything yet is neither flooded nor starved.

  /** What {@link #best} says where there are no candidates. */
  public static final int NONE = -1;

  private final ChoicePolicy policy;

  public ChoiceEngine(ChoicePolicy policy) {
    this.policy = Objects.requireNonNull(policy, "policy");
  }

  public ChoicePolicy policy() {
    return policy;
  }

  /** Number of the best set, or {@link #NONE}. Allocates nothing unless the policy does. */
  public int best(CandidateSets sets, MetricsView metrics) {
    int first = firstOfMostDevices(sets);
    if (first == NONE || sets.count() == 1) {
      return first;
    }
    double bestScore = policy.score(sets, first, metrics);
    if (Double.isNaN(bestScore)) {
      return first;
    }
    int best = first;
    for (int candidate = first + 1; candidate < sets.count(); candidate++) {
      if (sets.size(candidate) == sets.size(first)) {
        double score = policy.score(sets, candidate, metrics);
        if (policy.better().isBetter(score, bestScore)) {
          best = candidate;
          bestScore = score;
        }
      }
    }
    return best;
  }

  /**
   * The same with its reason and numbers.
   *
   * @throws IllegalArgumentException if there are no candidates
   */
  public Choice choose(CandidateSets sets, MetricsView metrics) {
    int chosen = best(sets, metrics);
    if (chosen == NONE) {
      throw new IllegalArgumentException("no candidates to choose from");
    }
    double[] scores = new double[sets.count()];
    int[][] devices = new int[sets.count()][];
    for (int candidate = 0; candidate < scores.length; candidate++) {
      scores[candidate] = policy.score(sets, candidate, metrics);
      devices[candidate] = sets.set(candidate);
    }
    return new Choice(policy, chosen, devices, scores);
  }

  private static int firstOfMostDevices(CandidateSets sets) {
    int first = NONE;
    for (int candidate = 0; candidate < sets.count(); candidate++) {
      if (first == NONE || sets.size(candidate) > sets.size(first)) {
        first = candidate;
      }
    }
    return first;
  }
}
