// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import java.util.List;
import java.util.function.Function;

/** How it came to what {@link State} says. */
public final class HistoryResource implements Resource {

  private final History history;

  public HistoryResource(History history) {
    this.history = history;
  }

  @Override
  public List<Route> routes() {
    return List.of(
        Route.get("/history", "Samples since the start, oldest first, taken with plans.")
            .answersPage(
                History.Sample.class,
                request -> Page.of(request, history.samples(), Function.identity())));
  }
}
