// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.thermocline.tiering.act.ExecutionControl;
import java.time.Instant;

/** Whether the service may begin moves, and who paused or stopped it. */
public record Control(
    ExecutionControl.State state,
    @JsonPropertyDescription("empty where nobody said anything") String who,
    String why,
    Instant since,
    @JsonPropertyDescription(
            "why nothing may be begun now, or that the plan under way makes no progress; else empty")
        String obstacle) {

  /** As it is now. */
  public static Control of(ExecutionControl control) {
    ExecutionControl.Current now = control.current();
    return new Control(now.state(), now.who(), now.why(), now.since(), control.obstacle());
  }
}
