// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.choice;

/**
 * What makes one candidate set better than another. Stateless or immutable, safe for any thread; must not
 * block, and on the NameNode's hot path should not allocate.
 *
 * <p>Source: CHOICE, section 3.3: an extensible interface. {@link PublishedPolicy} has the paper's own.
 */
public interface ChoicePolicy {
  /** Short and stable: what a configuration names. */
  String policyName();

  /** Which scores win. */
  Better better();

  /**
   * The score of one candidate.
   *
   * @return {@link MetricsView#UNKNOWN} where a value that it takes isn't known
   */
  double score(CandidateSets sets, int candidate, MetricsView metrics);

  /** What a score is, for people: for example {@code disk.used (share) of the fullest}. */
  String scoreIs();

  /** The direction of a score. */
  enum Better {
    LOWER("lowest"),
    HIGHER("highest");

    private final String superlative;

    Better(String superlative) {
      this.superlative = superlative;
    }

    boolean isBetter(double score, double other) {
      return this == LOWER ? score < other : score > other;
    }

    String superlative() {
      return superlative;
    }
  }
}
