// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.plans;

import io.thermocline.tiering.act.ExecutionControl;
import io.thermocline.tiering.act.Throttle;
import io.thermocline.tiering.api.PlanResource;
import io.thermocline.tiering.app.records.Recovery;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.plan.FileChange;
import io.thermocline.tiering.plan.GroupChange;
import io.thermocline.tiering.plan.Plan;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Has plans carried out below some paths, and only says what it would do elsewhere. */
public final class PartlyApplied implements PlanHandler {

  private final PlanHandler shadow;
  private final PlanHandler apply;
  private final Predicate<String> applied;

  /**
   * @param applied paths where plans are carried out
   */
  public PartlyApplied(PlanHandler shadow, PlanHandler apply, Predicate<String> applied) {
    this.shadow = shadow;
    this.apply = apply;
    this.applied = applied;
  }

  @Override
  public void handle(Plan plan) throws IOException, InterruptedException {
    // First what is quick: carrying out can take hours.
    shadow.handle(part(plan, applied.negate()));
    apply.handle(part(plan, applied));
  }

  /** What is about these paths; a policy on a directory that reaches further goes on the files. */
  private Plan part(Plan plan, Predicate<String> paths) {
    return new Plan(
        plan.number(),
        plan.files().stream()
            .filter(file -> paths.test(file.path()))
            .map(file -> paths.test(file.policyPath()) ? file : onFile(file))
            .toList(),
        plan.actions().stream().filter(action -> paths.test(action.path())).toList(),
        plan.groups().stream().filter(group -> isAbout(group, paths)).toList(),
        plan.unplaced().stream().filter(later -> paths.test(path(later.decision()))).toList());
  }

  /** A group whose members are on either side is in neither part; all groups that there are were made here. */
  private boolean isAbout(GroupChange group, Predicate<String> paths) {
    return group.kind() == GroupChange.Kind.DISSOLVE
        ? paths == applied
        : group.members().stream().allMatch(member -> paths.test(member.path()));
  }

  private static Plan.FileMoves onFile(Plan.FileMoves file) {
    return new Plan.FileMoves(file.decision(), file.storagePolicy(), file.moves());
  }

  private static String path(Decision decision) {
    return decision.hot().file().path();
  }

  @Override
  public Optional<String> objection(String path) {
    return applied.test(path) ? apply.objection(path) : Optional.empty();
  }

  @Override
  public boolean isWaitedFor(String path) {
    return applied.test(path) && apply.isWaitedFor(path);
  }

  @Override
  public Optional<String> objection(FileChange change) {
    return applied.test(change.path()) ? apply.objection(change) : Optional.empty();
  }

  @Override
  public void stop() {
    shadow.stop();
    apply.stop();
  }

  @Override
  public Throttle throttle() {
    return apply.throttle();
  }

  @Override
  public List<PlanResource.MoveState> recentMoves() {
    return apply.recentMoves();
  }

  @Override
  public ExecutionControl control() {
    return apply.control();
  }

  @Override
  public void tick() {
    apply.tick();
  }

  @Override
  public int waiting() {
    return apply.waiting();
  }

  @Override
  public boolean isFenced() {
    return apply.isFenced();
  }

  @Override
  public Recovery recovery() {
    return apply.recovery();
  }

  @Override
  public UndoResult undo(long plan, String who, String why)
      throws IOException, InterruptedException {
    return apply.undo(plan, who, why);
  }

  @Override
  public UndoResult previewUndo(long plan, int most) throws IOException {
    return apply.previewUndo(plan, most);
  }

  @Override
  public void countIn(MoveCounts next) {
    apply.countIn(next);
  }

  @Override
  public ServiceStatus.Moves moves() {
    return apply.moves();
  }
}
