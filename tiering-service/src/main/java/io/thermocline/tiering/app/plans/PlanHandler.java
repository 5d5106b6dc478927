// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.plans;

import io.thermocline.tiering.act.ExecutionControl;
import io.thermocline.tiering.act.Throttle;
import io.thermocline.tiering.api.PlanResource;
import io.thermocline.tiering.app.records.Recovery;
import io.thermocline.tiering.plan.FileChange;
import io.thermocline.tiering.plan.Plan;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** What becomes of a plan: {@link ApplyMode} carries it out, {@link ShadowMode} only says it. */
public interface PlanHandler {

  /** Returns when nothing of the plan is under way any more. */
  void handle(Plan plan) throws IOException, InterruptedException;

  /** Why a file isn't to be planned for; empty where it may be. */
  default Optional<String> objection(String path) {
    return Optional.empty();
  }

  /** Whether what is against planning for a file ends by itself: its last move is under way or is tried again. */
  default boolean isWaitedFor(String path) {
    return false;
  }

  /** Why a change would not be made; empty where it would. */
  default Optional<String> objection(FileChange change) {
    return Optional.empty();
  }

  /** Begins nothing more. */
  void stop();

  ServiceStatus.Moves moves();

  /** By how much copies give way to what else goes on. */
  default Throttle throttle() {
    return Throttle.NONE;
  }

  /** Counts the moves of the next plan here too. */
  default void countIn(MoveCounts next) {
    // Where nothing is moved, nothing is counted.
  }

  /** The last ones, newest first. */
  default List<PlanResource.MoveState> recentMoves() {
    return List.of();
  }

  /** To be called every second or so. */
  void tick();

  /** Entries of the journal that can't be written yet. */
  default int waiting() {
    return 0;
  }

  /** Whether another service writes the journal by now. */
  boolean isFenced();

  /** What is left of before a restart. */
  Recovery recovery();

  /** As {@link Undo#run}. */
  UndoResult undo(long plan, String who, String why) throws IOException, InterruptedException;

  /** As {@link Undo#preview}. */
  UndoResult previewUndo(long plan, int most) throws IOException;

  /** Who may pause and stop it. */
  ExecutionControl control();
}
