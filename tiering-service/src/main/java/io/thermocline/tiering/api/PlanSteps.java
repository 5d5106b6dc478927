// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import io.thermocline.tiering.review.RefusedException;
import io.thermocline.tiering.review.StoredPlan;
import java.io.IOException;

/** Who carries plans out. */
public interface PlanSteps {

  /**
   * Begins to carry out a plan that is approved.
   *
   * @return id of the task
   */
  long carryOut(long number, String who, String why)
      throws RefusedException, ApiException, IOException;

  /**
   * Ends a plan: one that waits is discarded; of one that is being carried out nothing more is begun.
   *
   * @return the plan; RUNNING until what is under way is at its end
   */
  StoredPlan cancel(long number, String who, String why) throws RefusedException, IOException;
}
