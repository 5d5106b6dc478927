// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.suora;

import io.thermocline.tiering.heat.FingerprintHotnessTable;
import io.thermocline.tiering.heat.HotnessTable;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/** What the hotness table costs a read (figure 14): counting it, and asking for the object's bucket. */
final class HotnessCost {
  private static final int OBJECTS = 1 << 17;
  private static final int READS = 2_000_000;
  private static final int PASSES = 5;
  private static final int BYTES_OF_AN_ITEM = 8;

  private HotnessCost() {}

  /** Nanoseconds of a read on this machine, the best of some passes. */
  static double nanos(LongSupplier clock, long seed) {
    HotnessTable table = new FingerprintHotnessTable((long) OBJECTS * BYTES_OF_AN_ITEM, 0, seed);
    double[] thresholds = SuoraStore.THRESHOLDS.heats();
    long[] keys = new SplittableRandom(seed).longs(OBJECTS).toArray();
    double best = Double.MAX_VALUE;
    long buckets = 0;
    for (int pass = 0; pass < PASSES; pass++) {
      SplittableRandom random = new SplittableRandom(seed);
      long before = clock.getAsLong();
      for (int read = 0; read < READS; read++) {
        long key = keys[random.nextInt(OBJECTS)];
        table.add(key, 1);
        buckets += table.bucket(key, thresholds);
      }
      best = Math.min(best, (double) (clock.getAsLong() - before) / READS);
    }
    if (buckets == 0) {
      // Not so: reads pass the second threshold at once. Asked so that nothing is left out as
      // unused.
      throw new IllegalStateException("no object left its first bucket");
    }
    return best;
  }
}
