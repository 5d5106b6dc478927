// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * The life of a move.
 *
 * <pre>
 *   PLANNED --> COPYING --> COPIED --> VERIFIED
 *      |           |           |
 *      |           +-----------+--> FAILED      HDFS does not show it before its deadline
 *      +--> OBSOLETE                            the file changed or went away since the plan
 *      +--> CANCELLED                           the service stopped before it began
 * </pre>
 */
public enum MoveState {
  PLANNED,
  /** The target DataNode was asked to take the copy. */
  COPYING,
  /** The DataNode says it has it; the NameNode's word is still awaited. */
  COPIED,
  /** HDFS shows the copy at its target, none at its source, and as many copies as before. */
  VERIFIED,
  FAILED,
  OBSOLETE,
  CANCELLED;

  private static final Map<MoveState, Set<MoveState>> NEXT =
      Map.of(
          PLANNED, EnumSet.of(COPYING, OBSOLETE, CANCELLED),
          COPYING, EnumSet.of(COPIED, FAILED, OBSOLETE, VERIFIED),
          COPIED, EnumSet.of(VERIFIED, FAILED, OBSOLETE));

  /** Whether nothing comes after this state. */
  public boolean isFinal() {
    return !NEXT.containsKey(this);
  }

  /**
   * The next state, if it may follow this one.
   *
   * @throws IllegalStateException if it may not: a defect of the caller
   */
  MoveState to(MoveState next) {
    if (isFinal() || !NEXT.get(this).contains(next)) {
      throw new IllegalStateException("a move cannot go from " + this + " to " + next);
    }
    return next;
  }
}
