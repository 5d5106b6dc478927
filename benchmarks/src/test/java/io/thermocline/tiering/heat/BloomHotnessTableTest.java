// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BloomHotnessTableTest {

  /** Figure 7: an item belongs to bucket i when all of its counters are at least v_i. */
  @Test
  void isInTheHighestBucketWhoseThresholdAllCountersReach() {
    BloomHotnessTable table = new BloomHotnessTable(1 << 12, 0);
    double[] thresholds = {0, 1, 26, 281, 306};
    int[] reads = {0, 1, 25, 26, 280, 281, 305, 306, 659};
    int[] buckets = {0, 1, 1, 2, 2, 3, 3, 4, 4};
    for (int i = 0; i < reads.length; i++) {
      long key = Mix.of(i + 1);
      if (reads[i] > 0) {
        table.add(key, reads[i]);
      }
      assertEquals(buckets[i], table.bucket(key, thresholds), reads[i] + " reads");
    }
  }

  /** Figure 8: x and y move down; the counter that both point to is decreased twice by v_1. */
  @Test
  void subtractsTwiceFromACounterThatTwoColdItemsShare() {
    BloomHotnessTable table = new BloomHotnessTable(64, 0);
    long x = 1;
    long y = sharingTheFirstCounterOnly(table, x);
    int v1 = 2;
    table.add(x, 3);
    table.add(y, 4);
    // The shared counter holds 7, "0111" in the figure.
    assertEquals((7 + 3 + 3 + 3) / 4.0, table.average(x));
    assertEquals((7 + 4 + 4 + 4) / 4.0, table.average(y));

    table.subtract(x, v1);
    table.subtract(y, v1);

    assertEquals((3 + 1 + 1 + 1) / 4.0, table.average(x));
    assertEquals((3 + 2 + 2 + 2) / 4.0, table.average(y));
  }

  private static long sharingTheFirstCounterOnly(BloomHotnessTable table, long x) {
    for (long i = 1; ; i++) {
      long y = Mix.of(i);
      boolean shares = table.index(x, 0) == table.index(y, 0);
      for (int hash = 1; hash < 4; hash++) {
        shares &= table.index(x, hash) != table.index(y, hash);
      }
      if (shares) {
        return y;
      }
    }
  }

  @Test
  void neverFallsBelowZeroNorOverflows() {
    BloomHotnessTable table = new BloomHotnessTable(64, 0);
    table.add(1, 5);
    table.subtract(1, 9);
    assertEquals(0, table.estimate(1));

    table.add(1, Integer.MAX_VALUE - 1);
    double most = table.estimate(1);
    table.add(1, 100);
    assertEquals(most, table.estimate(1));
    assertTrue(most > 2_000_000);
  }

  @Test
  void halvesInAHalfLife() {
    BloomHotnessTable table = new BloomHotnessTable(64, 5);
    table.add(1, 1000);
    table.coolTo(5 + Decay.STEPS_PER_HALF_LIFE);
    assertEquals(500, table.estimate(1), 0.01);
    for (int step = 14; step <= 21; step++) {
      table.coolTo(step);
    }
    assertEquals(250, table.estimate(1), 0.1);
  }

  @Test
  void errsUpwardsOnlyAndRarelyFar() {
    int counters = 1 << 14;
    int items = 2_000;
    BloomHotnessTable table = new BloomHotnessTable(counters, 0);
    SplittableRandom random = new SplittableRandom(20261120);
    int[] truth = new int[items];
    long total = 0;
    for (int i = 0; i < items; i++) {
      truth[i] = 1 + random.nextInt(50);
      total += truth[i];
      table.add(Mix.of(i), truth[i]);
    }
    // Cormode and Muthukrishnan: more than e * N / w too much with probability below e^-4 each.
    double bound = Math.E * total / (counters / 4.0);
    int far = 0;
    for (int i = 0; i < items; i++) {
      double estimate = table.estimate(Mix.of(i));
      assertTrue(estimate >= truth[i]);
      if (estimate - truth[i] > bound) {
        far++;
      }
    }
    double expected = items * Math.exp(-4);
    assertTrue(far <= expected + 4 * Math.sqrt(expected), far + " estimates are far off");
  }

  @Test
  void losesNoIncrementBetweenThreads() throws InterruptedException {
    BloomHotnessTable table = new BloomHotnessTable(1 << 10, 0);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    for (int t = 0; t < 4; t++) {
      threads.execute(
          () -> {
            for (int i = 0; i < 50_000; i++) {
              table.add(42, 1);
            }
          });
    }
    threads.shutdown();
    assertTrue(threads.awaitTermination(1, TimeUnit.MINUTES));
    assertEquals(200_000, table.estimate(42));
  }

  @Test
  void rejectsTooFewCounters() {
    IllegalArgumentException problem =
        assertThrows(IllegalArgumentException.class, () -> new BloomHotnessTable(7, 0));
    assertTrue(problem.getMessage().contains("7"));
  }
}
