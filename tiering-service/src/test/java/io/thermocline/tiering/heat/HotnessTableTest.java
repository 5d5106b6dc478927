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

class HotnessTableTest {

  @Test
  void countsReads() {
    HotnessTable table = new HotnessTable(1 << 10);
    long key = Keys.of("ns", "/a");
    for (int i = 0; i < 7; i++) {
      table.add(key, 1);
    }

    assertEquals(7, table.estimate(key));
    assertEquals(0, table.estimate(Keys.of("ns", "/b")));
  }

  /** Figure 7: an item belongs to bucket i when all of its counters are at least v_i. */
  @Test
  void isAtLeastAThresholdExactlyWhenAllCountersAre() {
    HotnessTable table = new HotnessTable(4);
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 200; i++) {
      table.add(random.nextLong(), 1 + random.nextInt(3));
    }
    for (int i = 0; i < 100; i++) {
      long key = random.nextLong();
      // The average of four counters is at most their smallest only when all are equal.
      assertTrue(table.estimate(key) <= table.average(key));
    }
  }

  /** Figure 8: x and y move down; the counter that both point to is decreased twice by v_1. */
  @Test
  void subtractsTwiceFromACounterThatTwoColdItemsShare() {
    HotnessTable table = new HotnessTable(16);
    long x = 0x0000_0002_0000_0001L;
    // The same position for the first hash function, others for the rest.
    long y = 0x0000_0004_0000_0001L;
    assertEquals(table.index(x, 0), table.index(y, 0));
    assertTrue(table.index(x, 1) != table.index(y, 1));
    int v1 = 2;
    table.add(x, 3);
    table.add(y, 4);
    // The shared counter holds 7, "0111" in the figure.
    assertEquals((7 + 3 + 3 + 3) / 4.0, table.average(x));

    table.subtract(x, v1);
    table.subtract(y, v1);

    assertEquals((3 + 1 + 1 + 1) / 4.0, table.average(x));
    assertEquals((3 + 2 + 2 + 2) / 4.0, table.average(y));
  }

  @Test
  void neverFallsBelowZeroNorOverflows() {
    HotnessTable table = new HotnessTable(16);
    table.add(1, 5);
    table.subtract(1, 9);
    assertEquals(0, table.estimate(1));

    table.add(1, Integer.MAX_VALUE - 1);
    table.add(1, 100);
    assertEquals(Integer.MAX_VALUE, table.estimate(1));
  }

  @Test
  void errsUpwardsOnlyAndRarelyFar() {
    int counters = 1 << 12;
    int items = 2_000;
    HotnessTable table = new HotnessTable(counters);
    SplittableRandom random = new SplittableRandom(20261120);
    int[] truth = new int[items];
    long total = 0;
    for (int i = 0; i < items; i++) {
      truth[i] = 1 + random.nextInt(50);
      total += truth[i];
      table.add(Keys.of("ns", "/file/" + i), truth[i]);
    }
    // Cormode and Muthukrishnan: more than e * N / w too much with probability below e^-4 each.
    double bound = Math.E * total / counters;
    int far = 0;
    for (int i = 0; i < items; i++) {
      int estimate = table.estimate(Keys.of("ns", "/file/" + i));
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
    HotnessTable table = new HotnessTable(1 << 8);
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
  void rejectsSizesThatAreNoPowerOfTwo() {
    IllegalArgumentException problem =
        assertThrows(IllegalArgumentException.class, () -> new HotnessTable(1000));
    assertTrue(problem.getMessage().contains("1000"));
  }
}
