// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.policy;

import io.thermocline.tiering.sim.FileAccess;
import io.thermocline.tiering.sim.TierState;

/**
 * How much a file deserves its place on the fast tier: higher stays. It changes only when the file is accessed. What ages
 * does so for all files alike, and so is kept in a form in which the order of two files doesn't change by
 * itself.
 */
interface Merit {

  /** The file's merit after this access. */
  double accessed(FileAccess access, TierState tiers);

  /** Whether the file may enter the fast tier, after this access. */
  default boolean admits(FileAccess access, TierState tiers) {
    return true;
  }

  /** A file of this merit left the fast tier for another. */
  default void displaced(double merit) {}

  /** Whether a file may take the place of others. */
  default Entry entry() {
    return Entry.ALWAYS;
  }

  /** Of a merit that is kept as the logarithm of what ages: what it is now. */
  default double now(double merit, long nowMicros) {
    return merit;
  }

  /** Above this share of the fastest tier, files leave it, 0 to 1. */
  default double upperWatermark() {
    return 1;
  }

  /** Down to this share of the fastest tier, the newcomer counted, 0 to the upper one. */
  default double lowerWatermark() {
    return upperWatermark();
  }

  /** What a newcomer needs to displace others. */
  enum Entry {
    /** Nothing. */
    ALWAYS,
    /** As much merit as each that it displaces; those that it got past are gone in any case. */
    BEATS_EACH,
    /** More merit than all that it displaces together. */
    BEATS_SUM
  }
}
