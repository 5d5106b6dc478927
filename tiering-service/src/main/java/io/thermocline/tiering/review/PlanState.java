// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.review;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * Where a plan is on its way.
 *
 * <pre>
 *  REPORTED                WAITING --> APPROVED --> RUNNING --> DONE
 *    |                        |            |           |
 *    +--> STALE, DISCARDED <--+------------+           +------> INTERRUPTED
 * </pre>
 */
public enum PlanState {
  /** In shadow mode: nobody executes it. */
  REPORTED,
  /** For as many people to approve as there must be. */
  WAITING,
  /** May be carried out. */
  APPROVED,
  RUNNING,
  /** Nothing of it is under way any more; its moves say what became of each. */
  DONE,
  /** The service ended, or was stopped, before the plan was done. */
  INTERRUPTED,
  /** Somebody didn't want it. */
  DISCARDED,
  /** Another plan was made since, or it is too old. */
  STALE;

  private static final Set<PlanState> ENDS = EnumSet.of(STALE, DISCARDED);

  private static final Map<PlanState, Set<PlanState>> NEXT =
      Map.of(
          REPORTED, ENDS,
          WAITING, EnumSet.of(APPROVED, STALE, DISCARDED),
          APPROVED, EnumSet.of(RUNNING, STALE, DISCARDED),
          RUNNING, EnumSet.of(DONE, INTERRUPTED));

  public boolean isFinal() {
    return !NEXT.containsKey(this);
  }

  /** Whether it is the plan that people are asked about. */
  public boolean isOpen() {
    return this == REPORTED || this == WAITING || this == APPROVED;
  }

  /** By its name in a journal, also of an earlier version. */
  public static PlanState named(String name) {
    return name.equals("SAID") ? REPORTED : valueOf(name);
  }

  boolean mayBecome(PlanState next) {
    return NEXT.getOrDefault(this, Set.of()).contains(next);
  }
}
