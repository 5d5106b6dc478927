// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ReadRatesTest {
  private static final int ONCE = Habit.of(1, 0);

  /** The first bucket ends here, in seconds. */
  private static final double FIRST = Ages.begin(1);

  private final ReadRates rates = new ReadRates();

  @Test
  void bucketsMeetAtTheirBorders() {
    for (int bucket = 1; bucket < Ages.COUNT; bucket++) {
      double begin = Ages.begin(bucket);
      assertEquals(bucket, Ages.bucket(begin));
      assertEquals(bucket - 1, Ages.bucket(Math.nextDown(begin)));
    }
    assertEquals(Ages.COUNT - 1, Ages.bucket(Double.MAX_VALUE));
  }

  @Test
  void habitsCountReadsAndTellGapsApart() {
    assertEquals(0, Habit.of(1, 0));
    assertEquals(1, Habit.counts(Habit.of(2, 1)));
    assertEquals(Habit.COUNTS - 1, Habit.counts(Habit.of(33, 1)));
    assertNotEquals(Habit.of(2, 3), Habit.of(2, 2.9));
    assertNotEquals(Habit.of(2, 0.03), Habit.of(2, 0.029));
    assertEquals(Habit.COUNT - 1, Habit.of(1_000, 1e9));
    int[] counts = {1, 2, 3, 4, 5, 6, 8, 9, 16, 17, 32, 33};
    int[] classes = {0, 1, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7};
    for (int i = 0; i < counts.length; i++) {
      assertEquals(classes[i], Habit.counts(Habit.of(counts[i], 0)), counts[i] + " reads");
    }
    double[] ends = {0.03, 3, 20, 120, 900};
    for (int i = 0; i < ends.length; i++) {
      assertEquals(i, Habit.of(1, Math.nextDown(ends[i])), "below " + ends[i]);
      assertEquals(i + 1, Habit.of(1, ends[i]), "at " + ends[i]);
    }
  }

  /** 1,000 files, of which 100 are read again within the first bucket: a tenth in its time, by hand. */
  @Test
  void rateIsReadsBySeconds() {
    for (int i = 0; i < 100; i++) {
      rates.read(ONCE, FIRST / 2);
    }
    for (int i = 0; i < 1_000; i++) {
      rates.unread(ONCE, 0, FIRST);
    }
    rates.refresh();
    // One bucket has the rate 0.1, and waiting for longer would lower the chance by time.
    assertEquals(0.1, rates.index(ONCE, 0) * FIRST, 0.001);
    assertEquals(1 - Math.exp(-0.1), rates.chanceWithin(ONCE, 1, FIRST), 0.001);
    assertEquals(1 - Math.exp(-0.2), rates.chanceWithin(ONCE, 2, FIRST), 0.002);
  }

  /** Who gives up after the first bucket has 0.1 reads in its time; later there's next to nothing. */
  @Test
  void indexFallsAsAFileIsNotRead() {
    rateIsReadsBySeconds();
    for (int i = 0; i < 900; i++) {
      rates.unread(ONCE, FIRST, 1_000 * FIRST);
    }
    rates.refresh();
    assertTrue(rates.index(ONCE, 60 * FIRST) < rates.index(ONCE, 0) / 1_000);
  }

  @Test
  void aHabitWithoutReadsOfItsOwnLeansOnTheOthers() {
    // Often enough that what was assumed before anything was seen counts for little.
    for (int times = 0; times < 20; times++) {
      rateIsReadsBySeconds();
    }
    assertEquals(0.1, rates.index(Habit.of(40, 10), 0) * FIRST, 0.01);
  }

  /**
   * Of 1,000 files with a gap 20 are read in each of ten buckets, of 200 that come right after others of their size
   * none: a sixth of all are, so 33 were to be expected. By each bucket alone, 3 that don't come say little.
   */
  @Test
  void aHabitThatIsReadLessInAllIsReadLessAtEachAge() {
    int swept = Habit.of(1, 1);
    int alone = Habit.of(1, 1e6);
    for (int bucket = 0; bucket < 10; bucket++) {
      for (int i = 0; i < 20; i++) {
        rates.read(alone, Ages.begin(bucket));
      }
    }
    for (int i = 0; i < 1_000; i++) {
      rates.unread(alone, 0, Ages.begin(10));
    }
    for (int i = 0; i < 200; i++) {
      rates.unread(swept, 0, Ages.begin(10));
    }
    rates.refresh();
    double often = rates.chanceWithin(alone, 1, Ages.begin(10));
    assertEquals(1 - Math.exp(-0.2), often, 0.01);
    assertTrue(rates.chanceWithin(swept, 1, Ages.begin(10)) < often / 10);
  }

  @Test
  void chanceOfWhatIsLeftFallsWithAge() {
    rateIsReadsBySeconds();
    for (int i = 0; i < 900; i++) {
      rates.unread(ONCE, FIRST, 1e6);
    }
    rates.refresh();
    assertEquals(1 - Math.exp(-0.1), rates.chanceFrom(ONCE, 1, 0), 0.01);
    assertEquals(1 - Math.exp(-0.05), rates.chanceFrom(ONCE, 1, FIRST / 2), 0.01);
    assertTrue(rates.chanceFrom(ONCE, 1, 60 * FIRST) < 0.01);
  }

  @Test
  void unreadTimeIsExpectedReads() {
    rateIsReadsBySeconds();
    assertEquals(0.05, rates.unread(ONCE, 0, FIRST / 2), 0.001);
    assertEquals(0, rates.unread(ONCE, 3, 3));
  }

  /** A chance counts only as long as the file would be kept. */
  @Test
  void chanceEndsWhereTheIndexIsTooLow() {
    rateIsReadsBySeconds();
    for (int i = 0; i < 900; i++) {
      rates.unread(ONCE, FIRST, 100 * FIRST);
    }
    rates.refresh();
    double patient = rates.chance(ONCE, 1, 0);
    double demanding = rates.chance(ONCE, 1, 0.05 / FIRST);
    assertEquals(1 - Math.exp(-0.1), demanding, 0.001);
    assertTrue(patient > demanding);
    assertEquals(0, rates.chance(ONCE, 1, 0.2 / FIRST));
  }

  @Test
  void fadingKeepsRatesAndWeakensThem() {
    rateIsReadsBySeconds();
    rates.fade(0.5);
    rates.refresh();
    assertEquals(0.1, rates.index(ONCE, 0) * FIRST, 0.001);
    for (int i = 0; i < 500; i++) {
      rates.unread(ONCE, 0, FIRST);
    }
    rates.refresh();
    assertEquals(0.05, rates.index(ONCE, 0) * FIRST, 0.001);
  }

  /** Reads in each of ten buckets, more often in the middle than before and after. */
  private void readInTenBuckets() {
    for (int bucket = 0; bucket < 10; bucket++) {
      int reads = bucket < 5 ? 10 + 20 * bucket : 100 - 10 * bucket;
      for (int i = 0; i < reads; i++) {
        rates.read(ONCE, Ages.begin(bucket));
      }
    }
    for (int i = 0; i < 300; i++) {
      rates.unread(ONCE, 0, Ages.begin(10));
    }
    rates.refresh();
  }

  /** Reads that are to be expected up to an age, as the chance of none tells. */
  private double expected(double age) {
    return -Math.log1p(-rates.chanceWithin(ONCE, 1, age));
  }

  @Test
  void allChancesAreOfTheSameExpectedReads() {
    readInTenBuckets();
    double from = 0.3 * FIRST;
    double to = (Ages.begin(6) + Ages.begin(7)) / 2;
    assertTrue(expected(to) > 1, () -> "" + expected(to));
    for (double factor : new double[] {0.5, 1, 2}) {
      assertEquals(
          1 - Math.exp(-factor * expected(to)), rates.chanceWithin(ONCE, factor, to), 1e-9);
      double end = expected(Ages.begin(Ages.COUNT - 1));
      assertEquals(1 - Math.exp(-factor * end), rates.chance(ONCE, factor, 0), 1e-9);
      assertEquals(
          1 - Math.exp(-factor * (end - expected(to))), rates.chanceFrom(ONCE, factor, to), 1e-9);
    }
    assertEquals(expected(to) - expected(from), rates.unread(ONCE, from, to), 1e-9);
  }

  /** For each time to give up after, the chance of a read by then and the mean time until one or the other. */
  @Test
  void theIndexIsTheBestChanceByTime() {
    readInTenBuckets();
    for (int from = 0; from < 12; from++) {
      double best = 0;
      double time = 0;
      for (int end = from + 1; end < Ages.COUNT; end++) {
        double rate = (expected(Ages.begin(end)) - expected(Ages.begin(end - 1))) / length(end - 1);
        double reached = Math.exp(expected(Ages.begin(from)) - expected(Ages.begin(end - 1)));
        // What is left of those that reached the bucket falls by e to the rate.
        time += reached * (1 - Math.exp(-rate * length(end - 1))) / rate;
        double chance = 1 - Math.exp(expected(Ages.begin(from)) - expected(Ages.begin(end)));
        best = Math.max(best, chance / time);
      }
      assertEquals(1, rates.index(ONCE, Ages.begin(from)) / best, 1e-6, "from bucket " + from);
    }
    assertEquals(0, rates.index(ONCE, Ages.begin(Ages.COUNT - 1)));
  }

  private static double length(int bucket) {
    return Ages.begin(bucket + 1) - Ages.begin(bucket);
  }

  /** Its index is 0.1 by the first bucket's length; twice as much where it is read twice as often. */
  @Test
  void aFileThatIsReadMoreOftenIsKeptAtAHigherIndex() {
    rateIsReadsBySeconds();
    assertEquals(1 - Math.exp(-0.2), rates.chance(ONCE, 2, 0.15 / FIRST), 0.002);
    assertEquals(0, rates.chance(ONCE, 1, 0.15 / FIRST));
  }

  @Test
  void aFirstRateIsThereBeforeAnythingWasSeen() {
    // A read in four months.
    assertEquals(1e-7, rates.index(ONCE, 0), 1e-9);
  }
}
