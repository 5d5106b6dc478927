// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.review;

import io.thermocline.tiering.plan.Plan;
import io.thermocline.tiering.plan.PlanSpace;
import io.thermocline.tiering.review.RefusedException.Reason;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The last plans, and what people say of the one that waits. Of plans that are made while one
 * waits, one that does the same leaves that one waiting; any other takes its place, unless
 * somebody asked for that one. Thread-safe; each change is recorded before it holds.
 */
public final class PlanStore {

  private static final int MOST_PLANS = 100;
  private static final int MOST_FILES = 200_000;

  /** Plans that somebody asked for and nobody approved yet. */
  private static final int MOST_ORDERED = 20;

  private final int approvers;
  private final Duration within;
  private final Clock clock;
  private final Record kept;
  private final NavigableMap<Long, StoredPlan> plans = new TreeMap<>();

  /** Keeps each change before it holds. */
  @FunctionalInterface
  public interface Record {
    /**
     * @param who did it; empty: the service by itself
     * @throws IOException where it can't be kept; the change doesn't happen then
     */
    void changed(StoredPlan next, String who, String why) throws IOException;
  }

  /**
   * @param before plans of earlier runs of the service; what wasn't done then won't be
   * @param approvers how many people must approve a plan
   * @param within for how long a plan may wait since it was made last
   */
  public PlanStore(
      List<StoredPlan> before, int approvers, Duration within, Clock clock, Record kept) {
    this.approvers = approvers;
    this.within = within;
    this.clock = clock;
    this.kept = kept;
    before.forEach(plan -> plans.put(plan.number(), plan));
    bound();
  }

  public int approvers() {
    return approvers;
  }

  /**
   * Takes a plan that was made now. What waited is stale, unless it does the same: then that gets the places that are
   * right now.
   *
   * @param note who asked for it, and why; empty where nobody did
   * @param space how full storages are before and after
   * @return the plan as it is now, or the one that waits and does the same; nothing where it is
   *     empty
   */
  public synchronized Optional<StoredPlan> made(
      Plan plan, PlanState state, String note, List<PlanSpace> space) throws IOException {
    Instant now = clock.instant();
    expire(now);
    for (StoredPlan open : open()) {
      if (open.isSame(plan)) {
        StoredPlan again = open.confirmed(plan, now).with(space);
        plans.put(again.number(), again);
        return Optional.of(again);
      }
      if (!open.isOrdered() && !StoredPlan.isOrdered(plan)) {
        put(open.become(PlanState.STALE, "another plan was made", now), "");
      }
    }
    if (plan.isEmpty()) {
      return Optional.empty();
    }
    if (StoredPlan.isOrdered(plan)
        && open().stream().filter(StoredPlan::isOrdered).count() >= MOST_ORDERED) {
      throw new IllegalStateException(
          MOST_ORDERED + " plans that somebody asked for wait already: approve or discard them");
    }
    StoredPlan made = StoredPlan.of(plan, state, now).noted(note).with(space);
    put(made, "");
    bound();
    return Optional.of(made);
  }

  /** Gives a person's word for a plan that waits. */
  public synchronized StoredPlan approve(long number, String who, String why)
      throws RefusedException, IOException {
    StoredPlan plan = mayApprove(number, who);
    Instant now = clock.instant();
    StoredPlan next = plan.with(new Approval(who, why, now));
    int missing = approvers - next.approvals().size();
    if (missing <= 0) {
      next = next.become(PlanState.APPROVED, "", now);
    }
    kept.changed(next, who, why);
    plans.put(number, next);
    return next;
  }

  /** The plan, where this person may approve it. */
  public synchronized StoredPlan mayApprove(long number, String who)
      throws RefusedException, IOException {
    StoredPlan plan = open(number);
    if (plan.state() == PlanState.APPROVED) {
      throw new RefusedException(
          Reason.PLAN_ALREADY_APPROVED,
          "plan " + number + " is approved by " + approved(plan),
          "carry it out, or discard it");
    }
    if (plan.approvals().stream().anyMatch(approval -> approval.who().equals(who))) {
      throw new RefusedException(
          Reason.SAME_APPROVER,
          who + " has approved plan " + number + " already",
          "somebody else must approve it too (act.approval: two)");
    }
    return plan;
  }

  /** Ends a plan that somebody doesn't want. */
  public synchronized StoredPlan discard(long number, String who, String why)
      throws RefusedException, IOException {
    StoredPlan next =
        mayDiscard(number).become(PlanState.DISCARDED, who + ": " + why, clock.instant());
    kept.changed(next, who, why);
    plans.put(number, next);
    return next;
  }

  /**
   * Ends a plan that somebody doesn't want, also one that is being carried out.
   *
   * @return the plan; one that is being carried out stays RUNNING until what is under way is at its end
   */
  public synchronized StoredPlan cancel(long number, String who, String why)
      throws RefusedException, IOException {
    StoredPlan plan = mayCancel(number);
    if (plan.state() != PlanState.RUNNING) {
      return discard(number, who, why);
    }
    StoredPlan next = plan.noted("cancelled by " + who + ": " + why);
    kept.changed(next, who, why);
    plans.put(number, next);
    return next;
  }

  /** The plan, where it hasn't ended. */
  public synchronized StoredPlan mayCancel(long number) throws RefusedException, IOException {
    StoredPlan plan = known(number);
    return plan.state() == PlanState.RUNNING ? plan : mayDiscard(number);
  }

  /** The plan, where it can be discarded. */
  public synchronized StoredPlan mayDiscard(long number) throws RefusedException, IOException {
    expire(clock.instant());
    StoredPlan plan = known(number);
    return plan.state() == PlanState.REPORTED ? plan : open(number);
  }

  /** Begins to carry a plan out. */
  public synchronized StoredPlan begin(long number, String who, String why)
      throws RefusedException, IOException {
    StoredPlan next = mayBegin(number).become(PlanState.RUNNING, "", clock.instant());
    kept.changed(next, who, why);
    plans.put(number, next);
    return next;
  }

  /** The plan, where it may be carried out. */
  public synchronized StoredPlan mayBegin(long number) throws RefusedException, IOException {
    StoredPlan plan = open(number);
    if (plan.state() != PlanState.APPROVED) {
      int missing = approvers - plan.approvals().size();
      throw new RefusedException(
          Reason.PLAN_NOT_APPROVED,
          "plan " + number + " waits for " + missing + " more to approve it",
          "approve it first");
    }
    return plan;
  }

  /**
   * A plan that was begun is at its end. What was planned before that is stale: it was made of
   * what was there then.
   *
   * @param state DONE or INTERRUPTED
   */
  public synchronized void end(long number, PlanState state, String note) throws IOException {
    Instant now = clock.instant();
    put(plans.get(number).become(state, note, now), "");
    for (StoredPlan open : open().stream().filter(each -> !each.isOrdered()).toList()) {
      put(open.become(PlanState.STALE, "plan " + number + " was carried out since", now), "");
    }
  }

  /** Says what came of a plan that an earlier run of the service began, once; nothing where such a plan isn't known. */
  public synchronized void account(long number, String words) throws IOException {
    StoredPlan plan = plans.get(number);
    if (plan != null && plan.state() == PlanState.INTERRUPTED && !plan.note().equals(words)) {
      put(plan.noted(words), "");
    }
  }

  /**
   * Takes a plan that took another one back, and is at its end.
   *
   * @param files that were begun
   */
  public synchronized void undone(long number, String note, List<PlannedFile> files, int moves)
      throws IOException {
    Instant now = clock.instant();
    put(
        new StoredPlan(
            number,
            PlanState.DONE,
            now,
            now,
            now,
            note,
            List.of(),
            files,
            moves,
            files.stream().mapToLong(PlannedFile::bytes).sum(),
            0,
            Optional.empty(),
            PlanDetails.NONE),
        "");
    bound();
  }

  /** Newest first. */
  public synchronized List<StoredPlan> all() throws IOException {
    expire(clock.instant());
    return List.copyOf(plans.descendingMap().values());
  }

  /** The plan of a number. */
  public synchronized StoredPlan get(long number) throws RefusedException, IOException {
    expire(clock.instant());
    return known(number);
  }

  private StoredPlan known(long number) throws RefusedException {
    StoredPlan plan = plans.get(number);
    if (plan == null) {
      throw new RefusedException(
          Reason.NO_SUCH_PLAN,
          "there is no plan " + number,
          plans.isEmpty()
              ? "no plan was made yet"
              : "plans " + plans.firstKey() + " to " + plans.lastKey() + " are known");
    }
    return plan;
  }

  /** A plan that waits, or may be carried out. */
  private StoredPlan open(long number) throws RefusedException, IOException {
    expire(clock.instant());
    StoredPlan plan = known(number);
    String is = "plan " + number + " is " + plan.state() + " since " + plan.since();
    switch (plan.state()) {
      case WAITING, APPROVED -> {
        return plan;
      }
      case REPORTED ->
          throw new RefusedException(
              Reason.SHADOW_MODE,
              "plan " + number + " can't be approved: the service is in shadow mode",
              "set act.mode: apply, and start it again");
      case STALE ->
          throw new RefusedException(
              Reason.PLAN_STALE, is + ": " + plan.note(), "look at the newest plan");
      case RUNNING -> throw new RefusedException(Reason.PLAN_RUNNING, is, "wait for its end");
      default ->
          throw new RefusedException(
              Reason.PLAN_ENDED,
              is + (plan.note().isEmpty() ? "" : ": " + plan.note()),
              "look at the newest plan");
    }
  }

  private static String approved(StoredPlan plan) {
    List<String> who = plan.approvals().stream().map(Approval::who).toList();
    return who.isEmpty() ? "act.approval: none" : String.join(", ", who);
  }

  private List<StoredPlan> open() {
    return plans.values().stream().filter(plan -> plan.state().isOpen()).toList();
  }

  private void expire(Instant now) throws IOException {
    Predicate<StoredPlan> old = plan -> plan.confirmed().plus(within).isBefore(now);
    for (StoredPlan plan : open()) {
      if (plan.state() != PlanState.REPORTED && old.test(plan)) {
        put(plan.become(PlanState.STALE, "older than act.approveWithin", now), "");
      }
    }
  }

  private void put(StoredPlan plan, String who) throws IOException {
    kept.changed(plan, who, plan.note());
    plans.put(plan.number(), plan);
  }

  /** Forgets the oldest that are at their end. */
  private void bound() {
    int files = plans.values().stream().mapToInt(plan -> plan.files().size()).sum();
    List<StoredPlan> ended =
        plans.values().stream()
            .filter(plan -> plan.state().isFinal())
            .sorted(Comparator.comparingLong(StoredPlan::number))
            .toList();
    for (StoredPlan plan : ended) {
      if (plans.size() <= MOST_PLANS && files <= MOST_FILES) {
        return;
      }
      plans.remove(plan.number());
      files -= plan.files().size();
    }
  }
}
