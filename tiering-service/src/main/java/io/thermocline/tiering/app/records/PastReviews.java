// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.records;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import io.thermocline.tiering.plan.Plan;
import io.thermocline.tiering.plan.PlanSpace;
import io.thermocline.tiering.review.Approval;
import io.thermocline.tiering.review.PlanDetails;
import io.thermocline.tiering.review.PlanState;
import io.thermocline.tiering.review.PlannedFile;
import io.thermocline.tiering.review.StoredPlan;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Plans of earlier runs, from the journal. What waited or ran then does so no more. */
public final class PastReviews {

  /** Of a plan, in its one line. */
  private static final int MOST_POLICIES = 50;

  private static final int MOST_UNPLACED = 100;

  private PastReviews() {}

  public static List<StoredPlan> of(List<Journal.PastPlan> past) {
    return past.stream().map(PastReviews::plan).toList();
  }

  /** Files of a plan. */
  public static List<PlannedFile> files(List<JournalEntry.Planned> planned) {
    return planned.stream().map(PastReviews::file).toList();
  }

  private static StoredPlan plan(Journal.PastPlan past) {
    JournalEntry.PlanChanged first = past.changes().get(0);
    JournalEntry.PlanChanged last = past.changes().get(past.changes().size() - 1);
    PlanState state = PlanState.named(last.state());
    String note = last.why();
    if (!state.isFinal()) {
      state = state == PlanState.RUNNING ? PlanState.INTERRUPTED : PlanState.STALE;
      note =
          state == PlanState.INTERRUPTED
              ? "the service ended meanwhile"
              : "the service was restarted";
    }
    return new StoredPlan(
        past.number(),
        state,
        Instant.parse(first.at()),
        Instant.parse(first.at()),
        Instant.parse(last.at()),
        note,
        past.changes().stream().filter(PastReviews::isApproval).map(PastReviews::approval).toList(),
        files(past.files()),
        last.moves(),
        last.bytes(),
        first.details() == null ? 0 : first.details().unplaced(),
        Optional.empty(),
        first.details() == null ? PlanDetails.NONE : details(first.details()));
  }

  private static PlanDetails details(JournalEntry.PlanDetails past) {
    return new PlanDetails(
        past.policies().stream()
            .map(one -> new Plan.DirectoryPolicy(one.path(), one.policy(), one.files()))
            .toList(),
        past.waiting() == null
            ? List.of()
            : past.waiting().stream()
                .map(one -> new PlanDetails.Unplaced(one.path(), one.target(), one.reason()))
                .toList(),
        past.space().stream()
            .map(
                one ->
                    new PlanSpace(
                        "",
                        StorageType.valueOf(one.type()),
                        one.before(),
                        one.after(),
                        one.capacity()))
            .toList());
  }

  /** What a restart needs of a plan; null where it was recorded when the plan was made. */
  public static JournalEntry.PlanDetails details(StoredPlan plan) {
    boolean isNew = plan.since().equals(plan.made()) && plan.approvals().isEmpty();
    return isNew
        ? new JournalEntry.PlanDetails(
            plan.details().space().stream()
                .filter(one -> one.node().isEmpty())
                .map(
                    one ->
                        new JournalEntry.TypeSpace(
                            one.type().name(), one.before(), one.after(), one.capacity()))
                .toList(),
            plan.details().policies().stream()
                .limit(MOST_POLICIES)
                .map(one -> new JournalEntry.DirectoryPolicy(one.path(), one.policy(), one.files()))
                .toList(),
            plan.unplaced(),
            plan.details().unplaced().stream()
                .limit(MOST_UNPLACED)
                .map(one -> new JournalEntry.UnplacedFile(one.path(), one.target(), one.reason()))
                .toList())
        : null;
  }

  /** The service gives no name where it makes a plan, and people can't make one. */
  private static boolean isApproval(JournalEntry.PlanChanged change) {
    PlanState state = PlanState.named(change.state());
    return !change.who().isEmpty() && (state == PlanState.WAITING || state == PlanState.APPROVED);
  }

  private static Approval approval(JournalEntry.PlanChanged change) {
    return new Approval(change.who(), change.why(), Instant.parse(change.at()));
  }

  private static PlannedFile file(JournalEntry.Planned planned) {
    return new PlannedFile(
        planned.path(),
        planned.cause(),
        planned.from() == null ? "" : planned.from(),
        planned.target(),
        planned.moves(),
        planned.bytes(),
        planned.reason());
  }
}
