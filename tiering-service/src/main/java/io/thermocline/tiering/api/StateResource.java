// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.thermocline.tiering.act.ExecutionControl;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;

/** The service as a whole: how it is, and whether it goes on. */
public final class StateResource implements Resource {

  private final Supplier<State> state;
  private final Supplier<ExecutionControl> control;

  /** How to stop. */
  public record StopCommand(
      Boolean dryRun,
      String why,
      String requestId,
      @JsonPropertyDescription(
              "FINISH: copies under way come to their end (default); ABANDON: HDFS settles them")
          ExecutionControl.Stop how)
      implements Change {}

  /** One of control's methods. */
  private interface Step {
    void take(String who, String why) throws IOException;
  }

  public StateResource(Supplier<State> state, Supplier<ExecutionControl> control) {
    this.state = state;
    this.control = control;
  }

  @Override
  public List<Route> routes() {
    return List.of(
        Route.get("/state", "What the service sees, knows and does.")
            .answers(State.class, request -> state.get()),
        Route.get("/control", "Whether the service may begin moves, and who paused or stopped it.")
            .answers(Control.class, request -> Control.of(control.get())),
        Route.post(
                "/control/pause",
                "The service begins nothing more until somebody resumes; the rest of the plan waits.",
                Command.class)
            .fails(ErrorCode.NOT_NOW)
            .answers(
                Accepted.class,
                request ->
                    steer(request, request.body(Command.class), "pause", control.get()::pause)),
        Route.post("/control/resume", "Goes on after a pause or a stop.", Command.class)
            .fails(ErrorCode.NOT_NOW)
            .answers(
                Accepted.class,
                request ->
                    steer(request, request.body(Command.class), "resume", control.get()::resume)),
        Route.post(
                "/control/stop",
                "Ends the plan under way, and begins no other until somebody resumes.",
                StopCommand.class)
            .fails(ErrorCode.NOT_NOW)
            .answers(Accepted.class, this::stop));
  }

  private Accepted stop(Request request) throws ApiException, IOException {
    StopCommand command = request.body(StopCommand.class);
    ExecutionControl.Stop how =
        command.how() == null ? ExecutionControl.Stop.FINISH : command.how();
    return steer(request, command, "stop", (who, why) -> control.get().stop(how, who, why));
  }

  private Accepted steer(Request request, Change change, String what, Step step)
      throws ApiException, IOException {
    ExecutionControl.State before = control.get().current().state();
    if (!change.isMeant()) {
      return Accepted.wouldBe(what + ": the service is " + before);
    }
    try {
      step.take(request.caller().name(), change.why());
    } catch (IllegalStateException e) {
      throw new ApiException(
          ErrorCode.NOT_NOW, e.getMessage(), "control", "wait until it has stopped, then resume");
    }
    return Accepted.done(what + ": the service is " + control.get().current().state());
  }
}
