// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.choice;

import java.util.Locale;

/** One candidate that was chosen, with the reason and the numbers. Immutable. */
public final class Choice {
  private final ChoicePolicy policy;
  private final int chosen;
  private final int[][] devices;
  private final double[] scores;

  Choice(ChoicePolicy policy, int chosen, int[][] devices, double[] scores) {
    this.policy = policy;
    this.chosen = chosen;
    this.devices = devices;
    this.scores = scores;
  }

  /** Number of the chosen candidate; 0 is the plain placement. */
  public int candidate() {
    return chosen;
  }

  /** Devices of a candidate, the first replica's first. */
  public int[] devices(int candidate) {
    return devices[candidate].clone();
  }

  /** Devices of the chosen candidate, the first replica's first. */
  public int[] devices() {
    return devices(chosen);
  }

  /** Score of a candidate; {@link MetricsView#UNKNOWN} where a value was missing. */
  public double score(int candidate) {
    return scores[candidate];
  }

  public Reason reason() {
    int most = 0;
    int ofMost = 0;
    for (int[] set : devices) {
      if (set.length > most) {
        most = set.length;
        ofMost = 0;
      }
      if (set.length == most) {
        ofMost++;
      }
    }
    if (devices.length == 1) {
      return Reason.ONLY_CANDIDATE;
    }
    if (ofMost == 1) {
      return Reason.MOST_REPLICAS;
    }
    if (Double.isNaN(scores[chosen])) {
      return Reason.METRIC_UNKNOWN;
    }
    for (int other = 0; other < scores.length; other++) {
      if (other != chosen && devices[other].length == most && !(isWorse(scores[other]))) {
        return Reason.FIRST_OF_EQUALS;
      }
    }
    return Reason.BEST_SCORE;
  }

  /** An unknown score is worse: it can't win. */
  private boolean isWorse(double score) {
    return Double.isNaN(score) || policy.better().isBetter(scores[chosen], score);
  }

  /** One sentence. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append("candidate ").append(chosen).append(" of ").append(devices.length);
    text.append(" by policy ").append(policy.policyName()).append(": ").append(reason().words);
    text.append("; ").append(policy.scoreIs()).append(", ").append(policy.better().superlative());
    text.append(" wins:");
    for (double score : scores) {
      text.append(' ');
      text.append(Double.isNaN(score) ? "unknown" : String.format(Locale.ROOT, "%.4g", score));
    }
    return text.toString();
  }

  /** Why a candidate was chosen. */
  public enum Reason {
    ONLY_CANDIDATE("there is no other"),
    MOST_REPLICAS("no other set has as many devices"),
    BEST_SCORE("its score is the best"),
    FIRST_OF_EQUALS("no other score is better, and it comes first"),
    METRIC_UNKNOWN("the metric isn't known of all of its servers, so the hash decides");

    private final String words;

    Reason(String words) {
      this.words = words;
    }
  }
}
