// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FingerprintHotnessTableTest {

  private static final long SEED = 20261121;

  /** Table 5's FIO-randread at a thousandth of its size, in a thousandth of 250 MB. */
  @Test
  void tellsThePapersThresholdsApart() {
    int items = 150_000;
    double[] thresholds = {0, 1, 26, 281, 306};
    int[] truth = new int[items];
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < items; i++) {
      double point = random.nextDouble() * 100;
      truth[i] =
          point < 55.58
              ? 0
              : point < 75.38
                  ? random.nextInt(1, 26)
                  : point < 83.37
                      ? random.nextInt(26, 281)
                      : point < 93.30 ? random.nextInt(281, 306) : random.nextInt(306, 660);
    }
    FingerprintHotnessTable table = new FingerprintHotnessTable(250_000, 0, SEED);
    // In rounds, so that counts grow side by side, as those of a log do.
    for (int round = 0; round < 660; round++) {
      for (int i = 0; i < items; i++) {
        if (round < truth[i]) {
          table.add(key(i), 1);
        }
      }
    }
    for (int t = 1; t < thresholds.length; t++) {
      int right = 0;
      int shown = 0;
      int hotItems = 0;
      for (int i = 0; i < items; i++) {
        boolean hot = truth[i] >= thresholds[t];
        boolean seen = table.bucket(key(i), thresholds) >= t;
        right += hot && seen ? 1 : 0;
        shown += seen ? 1 : 0;
        hotItems += hot ? 1 : 0;
      }
      assertTrue(
          (double) right / shown >= 0.99, thresholds[t] + ": precision " + right + "/" + shown);
      assertTrue(
          (double) right / hotItems >= 0.999, thresholds[t] + ": recall " + right + "/" + hotItems);
    }
    assertEquals(0, table.evictions());
    assertEquals(0, table.lost());
  }

  @Test
  void sharesCountsNoMoreOftenThanItSays() {
    int items = 100_000;
    FingerprintHotnessTable table = new FingerprintHotnessTable(400_000, 0, SEED);
    for (int i = 0; i < items; i++) {
      table.add(key(i), 1);
    }
    int strangers = 400_000;
    int shown = 0;
    for (int i = 0; i < strangers; i++) {
      shown += table.estimate(key(items + i)) > 0 ? 1 : 0;
    }
    double expected = strangers * table.errorBound();
    assertTrue(expected > 100 && expected < 0.003 * strangers);
    assertTrue(Math.abs(shown - expected) < 5 * Math.sqrt(expected), shown + " of " + expected);
  }

  @Test
  void halvesInAHalfLifeWhetherTouchedOrNot() {
    int items = 20_000;
    FingerprintHotnessTable table = new FingerprintHotnessTable(1 << 20, 100, SEED);
    for (int i = 0; i < items; i++) {
      table.add(key(i), 400);
    }
    for (int half = 1; half <= 4; half++) {
      for (int step = 1; step <= Decay.STEPS_PER_HALF_LIFE; step++) {
        table.coolTo(100 + (half - 1) * Decay.STEPS_PER_HALF_LIFE + step);
        for (int i = 0; i < items / 2; i += 7) {
          table.estimate(key(i));
        }
      }
      double expected = 400.0 / (1 << half);
      double sum = 0;
      int shared = 0;
      for (int i = 0; i < items; i++) {
        // Each step rounds a quarter read up or down: at most 0.25 each, and what went before
        // cools.
        if (Math.abs(table.estimate(key(i)) - expected) > 0.25 / (1 - Decay.factor(1))) {
          shared++;
        }
        sum += table.estimate(key(i));
      }
      double sharing = items * table.errorBound();
      assertTrue(shared < sharing + 5 * Math.sqrt(sharing), shared + " are off");
      // Collisions add under 0.3 %, and rounding has no direction.
      assertEquals(expected, sum / items, 0.005 * expected);
    }
  }

  /** Single reads are not forgotten at once, nor kept for ever, and their sum cools as it should. */
  @Test
  void coolsSingleReadsInExpectation() {
    int items = 40_000;
    FingerprintHotnessTable table = new FingerprintHotnessTable(1 << 20, 0, SEED);
    for (int i = 0; i < items; i++) {
      table.add(key(i), 1);
    }
    for (int half = 1; half <= 3; half++) {
      table.coolTo((long) half * Decay.STEPS_PER_HALF_LIFE);
      double sum = 0;
      for (int i = 0; i < items; i++) {
        sum += table.estimate(key(i));
      }
      double expected = items / (double) (1 << half);
      // A sum of independent values of 0 to 4 quarters: standard deviation below sqrt(n) / 2 reads.
      assertEquals(expected, sum, 5 * Math.sqrt(items) / 2 + 0.003 * items);
    }
    table.coolTo(12L * Decay.STEPS_PER_HALF_LIFE);
    table.coolTo(13L * Decay.STEPS_PER_HALF_LIFE);
    assertTrue(table.items() < items / 1000, table.items() + " items are left");
  }

  @Test
  void crossesAGapOfAnyLength() {
    for (long gap : new long[] {7, 8, 9, 15, 16, 17, 31, 32, 33, 200, 1L << 40}) {
      FingerprintHotnessTable table = new FingerprintHotnessTable(1 << 16, 3, SEED);
      table.add(key(1), 700);
      table.coolTo(3 + gap);
      double expected = 700 * Decay.factor(gap);
      assertEquals(expected, table.estimate(key(1)), 2.8, "after " + gap + " steps");
    }
  }

  @Test
  void countsLargeNumbersToWithinTheBound() {
    int items = 500;
    FingerprintHotnessTable table = new FingerprintHotnessTable(1 << 20, 0, SEED);
    double squares = 0;
    double sum = 0;
    for (int i = 0; i < items; i++) {
      for (int reads = 0; reads < 20_000; reads++) {
        table.add(key(i), 1);
      }
      double error = table.estimate(key(i)) / 20_000 - 1;
      sum += error;
      squares += error * error;
    }
    double deviation = Math.sqrt(squares / items);
    double bound = Math.sqrt(1.0 / 256);
    assertTrue(deviation < bound, "standard deviation " + deviation);
    assertEquals(0, sum / items, 4 * bound / Math.sqrt(items));
  }

  @Test
  void keepsTheHottestWhenFullAndSaysWhatItLost() {
    FingerprintHotnessTable table = new FingerprintHotnessTable(1 << 16, 0, SEED);
    int hot = 2_000;
    for (int i = 0; i < hot; i++) {
      table.add(key(i), 200);
    }
    int cold = 20_000;
    for (int i = hot; i < hot + cold; i++) {
      table.add(key(i), 1);
    }
    assertTrue(table.items() <= table.capacity());
    double kept = 0;
    for (int i = 0; i < hot; i++) {
      kept += table.estimate(key(i)) >= 200 ? 1 : 0;
    }
    // A cold item displaces a hot one only where all ten slots are hot, and then once in 200 times.
    assertTrue(kept >= 0.97 * hot, kept + " of " + hot);
    // What is counted and what was lost add up, but for items that share a slot.
    double shown = 0;
    for (int i = 0; i < hot + cold; i++) {
      shown += table.estimate(key(i));
    }
    double all = 200.0 * hot + cold;
    assertEquals(all, shown + table.lost(), 0.01 * all);
    assertTrue(table.lost() >= hot + cold - table.capacity() - 60 && table.evictions() > 0);
  }

  /** After one step an eighth of the table is cooled, and besides what is counted, whatever is done with it. */
  @Test
  void coolsWhatIsTouchedBeforeItCounts() {
    FingerprintHotnessTable table = new FingerprintHotnessTable(1 << 20, 0, SEED);
    int items = 300;
    for (int i = 0; i < items; i++) {
      table.add(key(i), 400);
    }
    table.coolTo(1);
    double left = 400 * Decay.factor(1);
    for (int i = 0; i < items; i++) {
      switch (i % 3) {
        case 0 -> assertEquals(left + 1, table.add(key(i), 1), 0.25);
        case 1 -> table.addCooled(key(i), 10);
        default -> table.withdraw(key(i), 100);
      }
      double changed = left + (i % 3 == 0 ? 1 : i % 3 == 1 ? 10 : -100);
      assertEquals(changed, table.estimate(key(i)), 0.5, "item " + i);
    }
    table.coolTo(2);
    for (int i = 0; i < items; i++) {
      double changed = left + (i % 3 == 0 ? 1 : i % 3 == 1 ? 10 : -100);
      assertEquals(changed * Decay.factor(1), table.estimate(key(i)), 0.75, "item " + i);
    }
  }

  @Test
  void countsItsItems() {
    FingerprintHotnessTable table = new FingerprintHotnessTable(1 << 20, 0, SEED);
    assertEquals(1 << 20, table.bytes());
    // Of these keys no two share a slot.
    for (int i = 0; i < 500; i++) {
      table.add(key(i), 2);
    }
    assertEquals(500, table.items());
    for (int round = 1; round <= 2; round++) {
      for (int i = 0; i < 500; i++) {
        table.withdraw(key(i), 1);
      }
      assertEquals(round == 1 ? 500 : 0, table.items());
    }
    table.addCooled(key(1), 3);
    table.withdraw(key(2), 3);
    assertEquals(1, table.items());
    assertEquals(3, table.estimate(key(1)));
  }

  /** Of one block. What comes with 1 read displaces 3 one time in four, and 1 one time in two. */
  @Test
  void replacesTheColdestInProportionToWhatComes() {
    FingerprintHotnessTable table = new FingerprintHotnessTable(1 << 12, 0, SEED);
    for (int i = 0; i < 5_000; i++) {
      table.add(key(i), 3);
    }
    long before = table.evictions();
    for (int i = 5_000; i < 7_000; i++) {
      table.add(key(i), 1);
    }
    long evictions = table.evictions() - before;
    assertTrue(
        evictions > 2_000 / 4 - 100 && evictions < 2_000 / 2 + 100, evictions + " evictions");
  }

  /** A tenth of the places is taken by what is hot: there's always something colder to make way. */
  @Test
  void whatIsHotDisplacesWhatIsColdAndNothingElse() {
    FingerprintHotnessTable table = new FingerprintHotnessTable(1 << 12, 0, SEED);
    for (int i = 0; i < 5_000; i++) {
      table.add(key(i), 1);
    }
    double before = table.lost();
    int hot = 128;
    for (int i = 5_000; i < 5_000 + hot; i++) {
      table.add(key(i), 200);
    }
    int kept = 0;
    for (int i = 5_000; i < 5_000 + hot; i++) {
      kept += table.estimate(key(i)) >= 200 ? 1 : 0;
    }
    // One in 201 doesn't come in.
    assertTrue(kept >= hot - 4, kept + " of " + hot);
    assertTrue(table.lost() - before <= hot + 4 * 200, () -> table.lost() - before + " lost");
  }

  @Test
  void aCodeIsExactWhereItStandsForANumberAndHasAnEnd() {
    for (int code : new int[] {0, 1, CounterCode.LINEAR - 1, CounterCode.LINEAR, 3_500, 4_095}) {
      for (long random : new long[] {0, -1}) {
        assertEquals(code, CounterCode.encode(CounterCode.units(code), random));
      }
    }
    assertEquals(CounterCode.MAX, CounterCode.encode(1e12, 0));
    double between = (CounterCode.units(3_500) + CounterCode.units(3_501)) / 2;
    assertEquals(3_501, CounterCode.encode(between, Long.MAX_VALUE >>> 1));
    assertEquals(3_500, CounterCode.encode(between, Long.MIN_VALUE));
  }

  @Test
  void givesTheSameForTheSameCalls() {
    assertEquals(trace(7), trace(7));
  }

  private static double trace(long seed) {
    FingerprintHotnessTable table = new FingerprintHotnessTable(1 << 14, 0, seed);
    SplittableRandom random = new SplittableRandom(SEED);
    double sum = 0;
    for (int i = 0; i < 100_000; i++) {
      table.add(key(random.nextInt(5_000)), 1 + random.nextInt(3));
      if (i % 500 == 0) {
        table.coolTo(i / 500);
      }
    }
    for (int i = 0; i < 5_000; i++) {
      sum = sum * 1.0001 + table.estimate(key(i));
    }
    return sum;
  }

  private static long key(long i) {
    return Mix.of(i * Mix.GAMMA);
  }
}
