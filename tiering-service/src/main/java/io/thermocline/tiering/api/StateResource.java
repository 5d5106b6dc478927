// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.thermocline.tiering.act.Steering;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;

/** The service as a whole: how it is, and whether it goes on. */
public final class StateResource implements Resource {

  private final Supplier<State> state;
  private final Supplier<Steering> steering;

  /** How to stop. */
  public record StopCommand(
      Boolean dryRun,
      String why,
      String requestId,
      @JsonPropertyDescription(
              "FINISH: copies under way come to their end (default); ABANDON: HDFS settles them")
          Steering.Stop how)
      implements Change {}

  /** One of steering's methods. */
  private interface Step {
    void take(String who, String why) throws IOException;
  }

  public StateResource(Supplier<State> state, Supplier<Steering> steering) {
    this.state = state;
    this.steering = steering;
  }

  @Override
  public List<Route> routes() {
    return List.of(
        Route.get("/state", "What the service sees, knows and does.")
            .answers(State.class, request -> state.get()),
        Route.get("/steering", "Whether the service may begin moves, and who paused or stopped it.")
            .answers(Steered.class, request -> Steered.of(steering.get())),
        Route.post(
                "/steering/pause",
                "The service begins nothing more until somebody resumes; the rest of the plan waits.",
                Command.class)
            .fails(ErrorCode.NOT_NOW)
            .answers(
                Accepted.class,
                request ->
                    steer(request, request.body(Command.class), "pause", steering.get()::pause)),
        Route.post("/steering/resume", "Goes on after a pause or a stop.", Command.class)
            .fails(ErrorCode.NOT_NOW)
            .answers(
                Accepted.class,
                request ->
                    steer(request, request.body(Command.class), "resume", steering.get()::resume)),
        Route.post(
                "/steering/stop",
                "Ends the plan under way, and begins no other until somebody resumes.",
                StopCommand.class)
            .fails(ErrorCode.NOT_NOW)
            .answers(Accepted.class, this::stop));
  }

  private Accepted stop(Request request) throws ApiException, IOException {
    StopCommand command = request.body(StopCommand.class);
    Steering.Stop how = command.how() == null ? Steering.Stop.FINISH : command.how();
    return steer(request, command, "stop", (who, why) -> steering.get().stop(how, who, why));
  }

  private Accepted steer(Request request, Change change, String what, Step step)
      throws ApiException, IOException {
    Steering.State before = steering.get().current().state();
    if (!change.isMeant()) {
      return Accepted.wouldBe(what + ": the service is " + before);
    }
    try {
      step.take(request.caller().name(), change.why());
    } catch (IllegalStateException e) {
      throw new ApiException(
          ErrorCode.NOT_NOW, e.getMessage(), "steering", "wait until it has stopped, then resume");
    }
    return Accepted.done(what + ": the service is " + steering.get().current().state());
  }
}
