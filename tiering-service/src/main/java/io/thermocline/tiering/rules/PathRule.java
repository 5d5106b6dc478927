// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.rules;

import io.thermocline.placement.model.StorageType;
import java.util.Optional;

/**
 * One rule. Immutable.
 *
 * @param place of it in words: its file and line
 * @param priority the higher wins
 * @param says exactly one
 */
public record PathRule(String name, String place, int priority, Match match, Says says) {

  /** What a rule says of the files that it is about. */
  public sealed interface Says {}

  /** Whether files take part. */
  public enum Scope implements Says {
    /** They are moved as decisions have it. */
    MANAGED,
    /** They are seen and counted, and never moved. */
    PINNED,
    /** They aren't looked at. */
    IGNORED
  }

  /** Where the fastest copy lies at the slowest, and at the fastest; one of both at least. */
  public record Place(Optional<StorageType> atLeast, Optional<StorageType> atMost)
      implements Says {}

  /** When they may be moved. */
  public record MoveOnly(Window window, String words) implements Says {}

  /**
   * Whether both would speak of a file differently: then one needs a higher priority. Rules of
   * different kinds
   * don't, nor do those that say the same.
   */
  boolean contradicts(PathRule other, Effort effort) {
    if (says.equals(other.says) || !match.overlaps(other.match, effort)) {
      return false;
    }
    if (says instanceof Place mine && other.says instanceof Place theirs) {
      return differ(mine.atLeast, theirs.atLeast)
          || differ(mine.atMost, theirs.atMost)
          || crosses(mine.atLeast, theirs.atMost)
          || crosses(theirs.atLeast, mine.atMost);
    }
    return says.getClass() == other.says.getClass();
  }

  private static boolean differ(Optional<StorageType> mine, Optional<StorageType> theirs) {
    return mine.isPresent() && theirs.isPresent() && !mine.equals(theirs);
  }

  /** Whether a floor is above a ceiling. */
  public static boolean crosses(Optional<StorageType> atLeast, Optional<StorageType> atMost) {
    return atLeast.isPresent() && atMost.isPresent() && atLeast.get().compareTo(atMost.get()) > 0;
  }

  /** For reasons. */
  @Override
  public String toString() {
    return "rule '" + name + "' (" + place + ")";
  }
}
