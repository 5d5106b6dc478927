// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.tiering.act.Steering;
import io.thermocline.tiering.plan.Plan;
import java.io.IOException;

/** What becomes of a plan: {@link ApplyMode} carries it out, {@link ShadowMode} only says it. */
interface PlanHandler {

  /** Returns when nothing of the plan is under way any more. */
  void handle(Plan plan) throws IOException, InterruptedException;

  /** Begins nothing more. */
  void stop();

  ServiceStatus.Moves moves();

  /** To be called every second or so. */
  void tick();

  /** Whether another service writes the journal by now. */
  boolean isFenced();

  /** What is left of before a restart. */
  Recovery recovery();

  /** As {@link Undo#run}. */
  UndoResult undo(long plan, String who) throws IOException, InterruptedException;

  /** As {@link Undo#preview}. */
  UndoResult previewUndo(long plan) throws IOException;

  /** Who may pause and stop it. */
  Steering steering();
}
