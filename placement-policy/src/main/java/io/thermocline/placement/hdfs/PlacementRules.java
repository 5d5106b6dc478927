// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

/** What all candidate sets of replicas are made by. Immutable. */
final class PlacementRules {
  private final TypePlans plans;
  private final NodeChecks checks;
  private final boolean prefersLocalNode;
  private final Stage.Reached faults;

  PlacementRules(
      TypePlans plans, NodeChecks checks, boolean prefersLocalNode, Stage.Reached faults) {
    this.plans = plans;
    this.checks = checks;
    this.prefersLocalNode = prefersLocalNode;
    this.faults = faults;
  }

  TypePlans plans() {
    return plans;
  }

  NodeChecks checks() {
    return checks;
  }

  /** Whether a writer's own node gets the first replica. */
  boolean prefersLocalNode() {
    return prefersLocalNode;
  }

  Stage.Reached faults() {
    return faults;
  }
}
