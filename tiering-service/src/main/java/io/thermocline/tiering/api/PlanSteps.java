// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import io.thermocline.tiering.review.RefusedException;
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
}
