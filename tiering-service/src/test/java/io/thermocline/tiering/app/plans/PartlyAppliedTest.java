// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.plans;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.act.ExecutionControl;
import io.thermocline.tiering.app.records.Recovery;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.Gate;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.Target;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.ActionChange;
import io.thermocline.tiering.plan.Plan;
import io.thermocline.tiering.process.PathSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PartlyAppliedTest {

  private final Recorded shadow = new Recorded();
  private final Recorded apply = new Recorded();
  private final PlanHandler handler =
      new PartlyApplied(shadow, apply, new PathSet(List.of("/w/a"))::contains);

  @Test
  void onlyWhatLiesBelowIsCarriedOut() throws Exception {
    handler.handle(
        new Plan(
            3,
            List.of(file("/w/a/x", "/w/a"), file("/w/ab", "/w/ab"), file("/w/a", "/w")),
            List.of(new ActionChange(decision("/w/a/y")), new ActionChange(decision("/w/b"))),
            List.of(new Plan.Unplaced(decision("/w/c"), "no room"))));

    Plan applied = apply.plans.get(0);
    assertEquals(List.of("/w/a/x", "/w/a"), applied.files().stream().map(f -> f.path()).toList());
    assertEquals(
        List.of("/w/a", "/w/a"),
        applied.files().stream().map(Plan.FileMoves::policyPath).toList(),
        "no policy is set above the path");
    assertEquals("/w/a/y", applied.actions().get(0).path());
    assertEquals(List.of(), applied.unplaced());
    Plan imagined = shadow.plans.get(0);
    assertEquals(List.of("/w/ab"), imagined.files().stream().map(f -> f.path()).toList());
    assertEquals(1, imagined.actions().size());
    assertEquals(1, imagined.unplaced().size());
  }

  private static Plan.FileMoves file(String path, String policyPath) {
    return new Plan.FileMoves(decision(path), "ONE_SSD", policyPath, List.of());
  }

  private static Decision decision(String path) {
    return new Decision(
        new HotFile(new FileView(path, 1, 1, 0, List.of()), 1),
        StorageType.DISK,
        new Target(List.of(StorageType.SSD), "ONE_SSD"),
        Decision.Cause.PROMOTED,
        "hot",
        new Gate.Benefit(1, 1, 1));
  }

  private static final class Recorded implements PlanHandler {
    private final List<Plan> plans = new ArrayList<>();

    @Override
    public void handle(Plan plan) {
      plans.add(plan);
    }

    @Override
    public void stop() {}

    @Override
    public void tick() {}

    @Override
    public boolean isFenced() {
      return false;
    }

    @Override
    public Recovery recovery() {
      return null;
    }

    @Override
    public UndoResult undo(long plan, String who, String why) {
      return new UndoResult(plan, 0, List.of(), 0, Map.of());
    }

    @Override
    public UndoResult previewUndo(long plan, int most) {
      return undo(plan, "", "");
    }

    @Override
    public ServiceStatus.Moves moves() {
      return ServiceStatus.Moves.NONE;
    }

    @Override
    public ExecutionControl control() {
      throw new UnsupportedOperationException("nobody steers here");
    }
  }
}
