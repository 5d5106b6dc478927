// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.review;

import io.thermocline.tiering.plan.Plan;
import io.thermocline.tiering.plan.PlanSpace;
import java.util.Comparator;
import java.util.List;

/**
 * What a plan does besides its moves, and what it can't do. Immutable.
 *
 * @param policies that it sets on directories, most files first
 * @param unplaced files that it finds no place for; the first of them of a plan of before a restart
 * @param space how full storages are before and after; only storage types of a plan of before a restart
 */
public record PlanDetails(
    List<Plan.DirectoryPolicy> policies, List<Unplaced> unplaced, List<PlanSpace> space) {

  public static final PlanDetails NONE = new PlanDetails(List.of(), List.of(), List.of());

  /** Of a plan that may leave any number of files. */
  private static final int MOST_UNPLACED = 1_000;

  public PlanDetails {
    policies = List.copyOf(policies);
    unplaced = List.copyOf(unplaced);
    space = List.copyOf(space);
  }

  /**
   * A file that has to wait.
   *
   * @param target in words
   */
  public record Unplaced(String path, String target, String reason) {}

  static PlanDetails of(Plan plan) {
    return new PlanDetails(
        plan.directoryPolicies().stream()
            .sorted(
                Comparator.comparingInt(Plan.DirectoryPolicy::files)
                    .reversed()
                    .thenComparing(Plan.DirectoryPolicy::path))
            .toList(),
        plan.unplaced().stream()
            .limit(MOST_UNPLACED)
            .map(
                one ->
                    new Unplaced(
                        one.decision().hot().file().path(),
                        one.decision().target().toString(),
                        one.reason()))
            .toList(),
        List.of());
  }

  PlanDetails with(List<PlanSpace> now) {
    return new PlanDetails(policies, unplaced, now);
  }
}
