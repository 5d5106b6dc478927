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
      plans
          .computeIfAbsent(
              changed.plan(),
              number -> new Journal.PastPlan(number, new ArrayList<>(), new ArrayList<>()))
          .changes()
          .add(changed);
      if (plans.size() > MOST) {
        plans.pollFirstEntry();
      }
    } else if (entry instanceof JournalEntry.Planned planned && plans.containsKey(planned.plan())) {
      plans.get(planned.plan()).files().add(planned);
    }
  }

  boolean has(long plan) {
    return plans.containsKey(plan);
  }

  List<Journal.PastPlan> all() {
    return plans.values().stream()
        .map(
            plan ->
                new Journal.PastPlan(
                    plan.number(), List.copyOf(plan.changes()), List.copyOf(plan.files())))
        .toList();
  }
}
