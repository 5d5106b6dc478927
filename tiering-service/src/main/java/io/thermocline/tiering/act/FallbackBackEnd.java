// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import io.thermocline.tiering.plan.Plan;
import java.util.Map;
import java.util.Set;

/**
 * One that makes the moves of plans and can't be told which replica goes where, and another that
 * can, for what needs it. Both are told what to give way to.
 */
public record FallbackBackEnd(BackEnd plans, BackEnd exact) implements BackEnd {

  @Override
  public void execute(Plan plan, MoveListener listener) throws InterruptedException {
    plans.execute(plan, listener);
  }

  @Override
  public void giveWay(Set<String> busy, boolean isCongested) {
    plans.giveWay(busy, isCongested);
    exact.giveWay(busy, isCongested);
  }

  @Override
  public void without(Map<String, String> silent) {
    plans.without(silent);
    exact.without(silent);
  }

  @Override
  public void atMost(int copies, String why) {
    plans.atMost(copies, why);
    exact.atMost(copies, why);
  }

  @Override
  public void limit(ActLimits limits, Pacing pacing, Map<String, String> excluded) {
    plans.limit(limits, pacing, excluded);
    exact.limit(limits, pacing, excluded);
  }

  /** Of plans. */
  @Override
  public Throttle throttle() {
    return plans.throttle();
  }
}
