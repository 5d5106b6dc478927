// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.policy;

import io.thermocline.tiering.sim.FileAccess;
import io.thermocline.tiering.sim.TierState;

/**
 * OSA with LRU, the simplest pair of Octopus++ (Herodotou and Kakoulli, Automating distributed tiered storage
 * management in cluster computing, PVLDB 13, 2019): a single access brings a file up, and above a watermark the
 * least recently used leave down to another.
 */
final class OnSingleAccess implements Merit {
  private static final double UPPER = 0.90;
  private static final double LOWER = 0.85;
  private long count;

  @Override
  public double accessed(FileAccess access, TierState tiers) {
    return ++count;
  }

  @Override
  public double upperWatermark() {
    return UPPER;
  }

  @Override
  public double lowerWatermark() {
    return LOWER;
  }
}
