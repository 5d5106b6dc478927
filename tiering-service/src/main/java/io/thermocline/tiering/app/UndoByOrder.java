// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.tiering.api.Tasks;
import io.thermocline.tiering.api.Undoing;
import io.thermocline.tiering.app.plans.MoveCounts;
import io.thermocline.tiering.app.plans.UndoResult;
import java.io.IOException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Has the service take plans back, for those who ask over REST. */
record UndoByOrder(TieringService service) implements Undoing {

  @Override
  public long lastPlan() {
    return service.lastPlan();
  }

  @Override
  public Undone preview(long plan, int most) throws IOException, InterruptedException {
    return shown(service.previewUndo(plan, most));
  }

  @Override
  public Undone undo(long plan, String who, String why, Consumer<Supplier<Tasks.Progress>> progress)
      throws IOException, InterruptedException {
    MoveCounts counts = new MoveCounts();
    progress.accept(() -> counts.progress(0));
    return shown(service.undo(plan, who, why, counts));
  }

  private static Undone shown(UndoResult result) {
    return new Undone(result.plan(), result.paths(), result.moves(), result.refused());
  }
}
