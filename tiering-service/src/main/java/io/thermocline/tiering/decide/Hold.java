// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.placement.model.StorageType;

/**
 * What keeps a file from being moved, or has it moved. Immutable.
 *
 * @param rise whether its copies may go to faster types
 * @param fall whether they may go to slower ones
 * @param atLeast the slowest type that its fastest copy may lie on; null: any
 * @param atMost the fastest one; null: any
 * @param reason what forbids or bounds it; empty where nothing does
 */
public record Hold(boolean rise, boolean fall, Bound atLeast, Bound atMost, String reason) {
  public static final Hold NONE = new Hold(true, true, "");

  /** Who set a bound. */
  public record Bound(StorageType type, String by) {}

  /** Between any types. */
  public Hold(boolean rise, boolean fall, String reason) {
    this(rise, fall, null, null, reason);
  }

  /** It stays as it is. */
  public static Hold still(String reason) {
    return new Hold(false, false, reason);
  }

  /** The same, within bounds. */
  public Hold between(Bound slowest, Bound fastest) {
    String words =
        (slowest == null ? "" : "at least " + slowest.type() + " by " + slowest.by())
            + (slowest == null || fastest == null ? "" : ", ")
            + (fastest == null ? "" : "at most " + fastest.type() + " by " + fastest.by());
    return new Hold(rise, fall, slowest, fastest, reason.isEmpty() ? words : reason + "; " + words);
  }

  /** Whether none of its copies may be moved. */
  public boolean isStill() {
    return !rise && !fall;
  }

  /** Whether the fastest copy may go from one type to another, or stay where both are one. */
  boolean allows(StorageType from, StorageType to) {
    int way = to.compareTo(from);
    return (way == 0 || (way > 0 ? rise : fall))
        && (atMost == null || to.compareTo(atMost.type()) <= 0 || way < 0)
        && (atLeast == null || to.compareTo(atLeast.type()) >= 0 || way > 0);
  }

  /** Whether it may not go below a type. */
  boolean keepsOn(StorageType type) {
    return atLeast != null && type.compareTo(atLeast.type()) <= 0;
  }
}
