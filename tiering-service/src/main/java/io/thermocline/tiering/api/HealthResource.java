// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** For those who start, stop and balance services: without saying who they are. */
public final class HealthResource implements Resource {

  private final Supplier<Optional<String>> obstacle;

  /** The answer of both. */
  public record Health(
      @JsonPropertyDescription("\"fine\": what isn't is an error with its message")
          String health) {}

  /**
   * @param obstacle what keeps the service from deciding, or a plan from its end; empty: nothing
   */
  public HealthResource(Supplier<Optional<String>> obstacle) {
    this.obstacle = obstacle;
  }

  @Override
  public List<Route> routes() {
    return List.of(
        Route.get("/health/live", "Whether the process answers.")
            .open()
            .answers(Health.class, request -> new Health("fine")),
        Route.get(
                "/health/ready", "Whether the service sees enough to decide, and its plan goes on.")
            .open()
            .fails(ErrorCode.NOT_READY)
            .answers(Health.class, request -> ready()));
  }

  private Health ready() throws ApiException {
    Optional<String> why = obstacle.get();
    if (why.isPresent()) {
      throw new ApiException(
          ErrorCode.NOT_READY,
          why.get(),
          "the service",
          "wait, or look at " + ApiServer.ROOT + "/state");
    }
    return new Health("fine");
  }
}
