// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.policy;

import io.thermocline.tiering.sim.FileAccess;
import io.thermocline.tiering.sim.TierState;

/**
 * GreedyDual-Size-Frequency (Cherkasova, Improving WWW proxies performance with Greedy-Dual-Size-Frequency
 * caching policy, 1998): accesses by byte, above the merit of what was displaced last, so that what isn't
 * accessed any more ages. A newcomer displaces only what has less.
 */
final class GreedyDualSizeFrequency implements Merit {
  private final int[] counts;
  private final int admittedPart;
  private double floor;

  /**
   * @param admittedPart a file is admitted at first sight only if it is no larger than the tier divided by
   *     this; 0 admits all
   */
  GreedyDualSizeFrequency(int files, int admittedPart) {
    counts = new int[files];
    this.admittedPart = admittedPart;
  }

  @Override
  public double accessed(FileAccess access, TierState tiers) {
    // An empty file takes no room: one byte keeps its merit finite.
    long bytes = Math.max(1, tiers.bytes(access.file()));
    return floor + (double) ++counts[access.file()] / bytes;
  }

  @Override
  public boolean admits(FileAccess access, TierState tiers) {
    return admittedPart == 0
        || counts[access.file()] > 1
        || tiers.bytes(access.file()) <= tiers.capacity(tiers.fastest()) / admittedPart;
  }

  @Override
  public void displaced(double merit) {
    floor = Math.max(floor, merit);
  }

  @Override
  public Entry entry() {
    return Entry.BEATS_EACH;
  }
}
