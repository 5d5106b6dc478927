// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.worth;

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
}
