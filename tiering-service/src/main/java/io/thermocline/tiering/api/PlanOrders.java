// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.io.IOException;
import java.util.Optional;

/** Makes plans that somebody asks for, by the limits of any other plan. */
public interface PlanOrders {

  /** What became of it. */
  record Ordered(
      @JsonPropertyDescription("whether nothing was changed") boolean dryRun,
      @JsonPropertyDescription("the plan, or why there is none, in words") String what,
      @JsonPropertyDescription("its number; absent where there is none") Optional<Long> plan) {}

  /** What becomes of a plan that is made now, in words; or why none can be made. Changes nothing. */
  String prospect();

  /**
   * Makes a plan between two others, and returns when it is made, not carried out.
   *
   * @throws IllegalStateException where none can be made now
   * @throws IOException where HDFS can't be asked, or the journal can't be written
   */
  Ordered planNow(String who, String why) throws IOException, InterruptedException;
}
