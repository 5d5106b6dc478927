// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.Optional;

/** What a request that changes something is answered with. */
public record Accepted(
    @JsonPropertyDescription("whether nothing was changed") boolean dryRun,
    @JsonPropertyDescription("what was done, or would be done, in words") String what,
    @JsonPropertyDescription("id of the task that does it, to follow; absent where all is done")
        Optional<Long> task) {

  public static Accepted wouldBe(String what) {
    return new Accepted(true, what, Optional.empty());
  }

  public static Accepted done(String what) {
    return new Accepted(false, what, Optional.empty());
  }

  public static Accepted by(long task, String what) {
    return new Accepted(false, what, Optional.of(task));
  }
}
