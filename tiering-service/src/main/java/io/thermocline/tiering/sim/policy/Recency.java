// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.policy;

import io.thermocline.tiering.sim.FileAccess;
import io.thermocline.tiering.sim.TierState;

/** LRU: the later, the more. */
final class Recency implements Merit {
  private long count;

  @Override
  public double accessed(FileAccess access, TierState tiers) {
    return ++count;
  }
}
