// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import io.thermocline.tiering.plan.Plan;
import java.util.Map;
import java.util.Set;

/** Who makes the moves of plans. One plan at a time. */
public interface BackEnd {

  /** Returns when every move of the plan is shown to clients, or at its end. */
  void execute(Plan plan, MoveListener listener) throws InterruptedException;

  /**
   * Gives way to what others do.
   *
   * @param busy UUIDs of DataNodes that have enough to do
   * @param isCongested whether all of it should be slower for a while
   */
  void giveWay(Set<String> busy, boolean isCongested);

  /**
   * Begins nothing with DataNodes that are silent, until it is called again.
   *
   * @param silent by UUID, each with its name and for how long, in words
   */
  default void without(Map<String, String> silent) {}

  /**
   * Has no more copies at once, until it is called again; all by themselves where another decides
   * how many.
   *
   * @param why in words; empty where they are as many as may be
   */
  default void atMost(int copies, String why) {}

  /**
   * Goes on within other limits, also with the plan that is being carried out.
   *
   * @param excluded DataNodes that nothing more is begun with: a name by UUID
   */
  default void limit(ActLimits limits, Pacing pacing, Map<String, String> excluded) {}

  /** Who brings exact replicas to exact storages, and gives way as this does. */
  default BackEnd exact() {
    return this;
  }

  /** By how much it gives way; from any thread. */
  default Throttle throttle() {
    return Throttle.NONE;
  }
}
