// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.policy;

import io.thermocline.tiering.sim.FileAccess;
import io.thermocline.tiering.sim.TierState;

/** LFU: the number of accesses since the begin, on whatever tier; among equals the latest stays. */
final class Frequency implements Merit {
  private final int[] counts;

  Frequency(int files) {
    counts = new int[files];
  }

  @Override
  public double accessed(FileAccess access, TierState tiers) {
    return ++counts[access.file()];
  }
}
