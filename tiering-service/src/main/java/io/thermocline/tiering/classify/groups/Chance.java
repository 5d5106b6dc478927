// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.classify.groups;

/** How often two objects are together by chance, and whether they are so more often than that. */
final class Chance {
  private final double level;
  private final long reads;
  private final long millis;
  private final double windows;
  private final long pairs;

  /**
   * @param level that any pair of strangers passes for one that belongs together: 0 to 1; 1: everything does
   * @param reads of all objects
   * @param millis that they took
   * @param windowMillis how far apart reads may be
   * @param pairs that were looked at
   */
  Chance(double level, long reads, long millis, long windowMillis, long pairs) {
    this.level = level;
    this.reads = reads;
    this.millis = Math.max(1, millis);
    this.windows = 2.0 * windowMillis;
    this.pairs = Math.max(1, pairs);
  }

  /**
   * Of two objects without anything to do with each other.
   *
   * @param met how often the first was together with others
   * @param reads of the first
   * @param otherReads of the second
   * @return the smaller of two estimates: that those whom the first meets are drawn from all reads, which knows that readers are
   *     apart; and that reads of the second come at any time, which knows that reads come in bursts
   */
  double expected(int met, int reads, int otherReads) {
    double byMeetings = (double) met * otherReads / Math.max(1, this.reads - reads);
    double byRates = reads * (otherReads * windows / millis);
    return Math.min(reads, Math.min(byMeetings, byRates));
  }

  /**
   * Whether being together so often of so many reads is more than chance, when all pairs that were looked at are
   * held against it: n KL(k/n, p) against ln(pairs / level), after Chernoff (1952) and Bonferroni.
   *
   * @param expected times together by chance
   */
  boolean excluded(int together, int reads, double expected) {
    if (level >= 1) {
      return true;
    }
    double share = (double) together / reads;
    double chance = -Math.expm1(-expected / reads);
    if (share <= chance) {
      return false;
    }
    double divergence = share * Math.log(share / chance);
    if (share < 1) {
      divergence += (1 - share) * Math.log((1 - share) / (1 - chance));
    }
    return reads * divergence >= Math.log(pairs / level);
  }
}
