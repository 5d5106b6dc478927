// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.placement.model.StorageType;
import java.util.Map;

/**
 * By what rules data is tiered.
 *
 * @param limits for each storage type that takes part; a type without limits is left alone
 * @param margin by how much hotter data must be than what it displaces: 0.2 is 20 %
 * @param actions that are taken beside
 * @param prefetch room for what hints ask for ahead of its use
 */
public record Tiering(
    Map<StorageType, TierLimits> limits,
    double margin,
    Promotion promotion,
    Written written,
    Gate gate,
    ActionLimits actions,
    PrefetchLimits prefetch) {

  public Tiering {
    limits = Map.copyOf(limits);
  }

  /** Nothing is prefetched. */
  public Tiering(
      Map<StorageType, TierLimits> limits,
      double margin,
      Promotion promotion,
      Written written,
      Gate gate,
      ActionLimits actions) {
    this(limits, margin, promotion, written, gate, actions, PrefetchLimits.NONE);
  }

  /** By storage types alone. */
  public Tiering(
      Map<StorageType, TierLimits> limits,
      double margin,
      Promotion promotion,
      Written written,
      Gate gate) {
    this(limits, margin, promotion, written, gate, ActionLimits.NONE);
  }

  /** One fast copy of each file, all written to DISK, and no move weighed. */
  public static Tiering plain(Map<StorageType, TierLimits> limits, double margin) {
    return new Tiering(limits, margin, Promotion.ONE_COPY, Written.BY_POLICY, Gate.open());
  }
}
