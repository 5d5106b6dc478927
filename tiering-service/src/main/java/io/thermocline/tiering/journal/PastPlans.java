// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.journal;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** What a journal says of the last plans. Not thread-safe. */
final class PastPlans {

  private static final int MOST = 100;

  private final TreeMap<Long, Journal.PastPlan> plans = new TreeMap<>();

  void remember(JournalEntry entry) {
    if (entry instanceof JournalEntry.PlanChanged changed) {
      plan(changed.plan()).changes().add(changed);
    } else if (entry instanceof JournalEntry.Planned planned) {
      // What takes a plan back is a plan only when it is done.
      plan(planned.plan()).files().add(planned);
    }
    if (plans.size() > MOST) {
      plans.pollFirstEntry();
    }
  }

  private Journal.PastPlan plan(long number) {
    return plans.computeIfAbsent(
        number, made -> new Journal.PastPlan(made, new ArrayList<>(), new ArrayList<>()));
  }

  /** What was begun of a plan, also before it is at its end. */
  List<JournalEntry.Planned> files(long plan) {
    return plans.containsKey(plan) ? List.copyOf(plans.get(plan).files()) : List.of();
  }

  boolean has(long plan) {
    return plans.containsKey(plan);
  }

  List<Journal.PastPlan> all() {
    return plans.values().stream()
        .filter(plan -> !plan.changes().isEmpty())
        .map(
            plan ->
                new Journal.PastPlan(
                    plan.number(), List.copyOf(plan.changes()), List.copyOf(plan.files())))
        .toList();
  }
}
