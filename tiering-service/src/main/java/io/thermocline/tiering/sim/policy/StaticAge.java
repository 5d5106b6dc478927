// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.policy;

import io.thermocline.tiering.sim.FileAccess;
import io.thermocline.tiering.sim.TierState;
import java.util.Arrays;

/**
 * Age alone, counted from a file's first access: the young are on the fast tier, and the oldest leave it for
 * younger ones. What is old when it is accessed stays where it is.
 */
final class StaticAge implements Merit {
  private static final long UNSEEN = -1;

  private final long[] born;
  private final long youngMicros;

  StaticAge(int files, long youngMicros) {
    born = new long[files];
    Arrays.fill(born, UNSEEN);
    this.youngMicros = youngMicros;
  }

  @Override
  public double accessed(FileAccess access, TierState tiers) {
    if (born[access.file()] == UNSEEN) {
      born[access.file()] = access.atMicros();
    }
    return born[access.file()];
  }

  @Override
  public boolean admits(FileAccess access, TierState tiers) {
    return access.atMicros() - born[access.file()] <= youngMicros;
  }

  @Override
  public Entry entry() {
    return Entry.BEATS_EACH;
  }
}
