// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import java.util.List;
import java.util.function.Function;

/** What takes its time, and what has become of it. */
public final class TaskResource implements Resource {

  private static final Param ID = Param.number("id", "the task's id");

  private final Tasks tasks;

  public TaskResource(Tasks tasks) {
    this.tasks = tasks;
  }

  @Override
  public List<Route> routes() {
    return List.of(
        Route.get("/tasks", "What the service is doing and did last, newest first.")
            .answersPage(Task.class, request -> Page.of(request, tasks.all(), Function.identity())),
        Route.get("/tasks/{id}", "One of them.")
            .takes(ID)
            .fails(ErrorCode.NO_SUCH_TASK)
            .answers(Task.class, this::task));
  }

  private Task task(Request request) throws ApiException {
    int id = request.integer(ID);
    return tasks
        .get(id)
        .orElseThrow(
            () ->
                new ApiException(
                    ErrorCode.NO_SUCH_TASK,
                    "there is no task " + id,
                    "id",
                    ApiServer.ROOT + "/tasks lists those that are known"));
  }
}
