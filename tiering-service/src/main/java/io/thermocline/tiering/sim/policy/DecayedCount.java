// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.policy;

import io.thermocline.tiering.sim.FileAccess;
import io.thermocline.tiering.sim.TierState;
import java.util.Arrays;

/**
 * A count of accesses in which each weighs half as much after each half-life: LRFU's combined recency and
 * frequency (Lee et al., LRFU, IEEE Transactions on Computers 50, 2001), and, where a newcomer must weigh more
 * than all that it displaces, EXD (Floratou et al., Adaptive caching in Big SQL using the HDFS cache, SoCC
 * 2016).
 *
 * <p>Kept as log2(count now) + now / half-life, which stays as it is between accesses.
 */
final class DecayedCount implements Merit {
  private final double[] logs;
  private final double halfLifeMicros;
  private final Entry entry;

  DecayedCount(int files, double halfLifeMicros, Entry entry) {
    logs = new double[files];
    Arrays.fill(logs, Double.NEGATIVE_INFINITY);
    this.halfLifeMicros = halfLifeMicros;
    this.entry = entry;
  }

  @Override
  public double accessed(FileAccess access, TierState tiers) {
    double before = now(logs[access.file()], access.atMicros());
    double log = Math.log(1 + before) / Math.log(2) + access.atMicros() / halfLifeMicros;
    logs[access.file()] = log;
    return log;
  }

  @Override
  public double now(double merit, long nowMicros) {
    return Math.pow(2, merit - nowMicros / halfLifeMicros);
  }

  @Override
  public Entry entry() {
    return entry;
  }
}
