// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.review;

import io.thermocline.tiering.plan.Plan;
import io.thermocline.tiering.plan.PlanSpace;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A plan with what became of it so far. Immutable.
 *
 * @param made when it was made first
 * @param confirmed when the same plan was made last
 * @param since when it came into its state
 * @param note why it is in its state
 * @param moves of copies, or copies of actions
 * @param bytes of them; 0 where it isn't known any more
 * @param unplaced decisions that no move could be found for
 * @param plan while it may still be carried out
 */
public record StoredPlan(
    long number,
    PlanState state,
    Instant made,
    Instant confirmed,
    Instant since,
    String note,
    List<Approval> approvals,
    List<PlannedFile> files,
    int moves,
    long bytes,
    int unplaced,
    Optional<Plan> plan,
    PlanDetails details) {

  public StoredPlan {
    approvals = List.copyOf(approvals);
    files = List.copyOf(files);
  }

  /** One that was made now. */
  public static StoredPlan of(Plan plan, PlanState state, Instant now) {
    List<PlannedFile> files =
        Stream.of(
                plan.files().stream()
                    .map(
                        file ->
                            PlannedFile.of(
                                file.decision(),
                                file.moves().size(),
                                file.moves().stream().mapToLong(move -> move.bytes()).sum())),
                plan.actions().stream()
                    .map(
                        action ->
                            PlannedFile.of(action.decision(), action.copies(), action.bytes())),
                plan.groups().stream().map(PlannedFile::of))
            .flatMap(each -> each)
            .toList();
    return new StoredPlan(
        plan.number(),
        state,
        now,
        now,
        now,
        "",
        List.of(),
        files,
        plan.copies(),
        plan.bytes(),
        plan.unplaced().size(),
        Optional.of(plan),
        PlanDetails.of(plan));
  }

  /** The same, with what it does to the space of storages now. */
  StoredPlan with(List<PlanSpace> now) {
    return new StoredPlan(
        number,
        state,
        made,
        confirmed,
        since,
        note,
        approvals,
        files,
        moves,
        bytes,
        unplaced,
        plan,
        details.with(now));
  }

  StoredPlan become(PlanState next, String why, Instant now) {
    if (!state.mayBecome(next)) {
      throw new IllegalStateException("plan " + number + " is " + state + ": can't be " + next);
    }
    return new StoredPlan(
        number,
        next,
        made,
        confirmed,
        now,
        why,
        approvals,
        files,
        moves,
        bytes,
        unplaced,
        next.isFinal() ? Optional.empty() : plan,
        details);
  }

  /** Whether somebody asked for these files and this type: no other plan does the same in its place. */
  boolean isOrdered() {
    return plan.map(StoredPlan::isOrdered).orElse(false);
  }

  static boolean isOrdered(Plan plan) {
    return !plan.files().isEmpty()
        && plan.files().stream().allMatch(file -> file.decision().cause().isOrdered());
  }

  /** The same, with other words. */
  StoredPlan noted(String words) {
    return new StoredPlan(
        number, state, made, confirmed, since, words, approvals, files, moves, bytes, unplaced,
        plan, details);
  }

  /** With the places of the same plan as it was made now. */
  StoredPlan confirmed(Plan same, Instant now) {
    return new StoredPlan(
        number,
        state,
        made,
        now,
        since,
        note,
        approvals,
        files,
        moves,
        bytes,
        unplaced,
        Optional.of(same.numbered(number)),
        PlanDetails.of(same));
  }

  StoredPlan with(Approval approval) {
    List<Approval> all = new ArrayList<>(approvals);
    all.add(approval);
    return new StoredPlan(
        number, state, made, confirmed, since, note, all, files, moves, bytes, unplaced, plan,
        details);
  }

  /**
   * Whether a plan does the same: copies of the same blocks from type to type under the same policies, the same
   * actions and groups. On which nodes may differ: it depends on how full they are, which on a busy cluster is never the same
   * twice.
   */
  boolean isSame(Plan other) {
    return plan.map(mine -> keys(mine).equals(keys(other))).orElse(false);
  }

  private static List<String> keys(Plan plan) {
    return Stream.of(
            plan.files().stream()
                .map(file -> file.path() + ' ' + file.storagePolicy() + ' ' + file.policyPath()),
            plan.moves().stream()
                .map(
                    move ->
                        move.path()
                            + ' '
                            + move.block().id()
                            + ' '
                            + move.source().type()
                            + ' '
                            + move.targetType()),
            plan.actions().stream()
                .map(action -> action.path() + ' ' + action.decision().target().toString()),
            plan.groups().stream().map(group -> group.kind() + " " + group.group()))
        .flatMap(each -> each)
        .sorted()
        .toList();
  }
}
