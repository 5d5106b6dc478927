// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * The life of a move. docs/concepts/acting.md draws it and says what leads where.
 *
 * <pre>
 *   PLANNED --> COPYING --> COPIED --> VISIBLE --> VERIFIED
 *      |           |           |         |
 *      |           +-----------+---------+--> FAILED
 *      +-----------+-----------+---------+--> OBSOLETE
 *      +--> CANCELLED
 * </pre>
 */
public enum MoveState {
  PLANNED,
  /** The target DataNode was asked to take the copy. */
  COPYING,
  /** The DataNode says it has it; the NameNode's word is still awaited. */
  COPIED,
  /**
   * HDFS shows the copy at its target: clients read it. That the source goes is still awaited.
   */
  VISIBLE,
  /** HDFS shows the copy at its target, none at its source, and as many copies as before. */
  VERIFIED,
  /** Not copied, or not shown so before its deadline. */
  FAILED,
  /** The file changed or went away since the plan, or the move waited too long to begin. */
  OBSOLETE,
  /** The service stopped, or something else is at work in the cluster, before it began. */
  CANCELLED;

  private static final Map<MoveState, Set<MoveState>> NEXT =
      Map.of(
          PLANNED, EnumSet.of(COPYING, OBSOLETE, CANCELLED),
          // Shown or verified at once: a copy whose answer was lost, and HDFS shows it.
          COPYING, EnumSet.of(COPIED, VISIBLE, VERIFIED, FAILED, OBSOLETE),
          // Verified at once: both at the same look, always so where the copy stays on its node.
          COPIED, EnumSet.of(VISIBLE, VERIFIED, FAILED, OBSOLETE),
          VISIBLE, EnumSet.of(VERIFIED, FAILED, OBSOLETE));

  /** The states that may follow this one. */
  Set<MoveState> next() {
    return NEXT.getOrDefault(this, Set.of());
  }

  /** Whether nothing comes after this state. */
  public boolean isFinal() {
    return next().isEmpty();
  }

  /**
   * The next state, if it may follow this one.
   *
   * @throws IllegalStateException if it may not: a defect of the caller
   */
  MoveState to(MoveState next) {
    if (!next().contains(next)) {
      throw new IllegalStateException("a move cannot go from " + this + " to " + next);
    }
    return next;
  }
}
