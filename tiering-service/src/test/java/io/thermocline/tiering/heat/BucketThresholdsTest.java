// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BucketThresholdsTest {

  private static final long MB = 1 << 20;

  /** Table 5: where buckets have the pattern's shares, the fit finds the pattern's steps. */
  @ParameterizedTest
  @CsvSource({
    "FIO-randread, 5558 1980 799 993 670, 0 1 26 281 306 660",
    "FIO-randrw, 6500 1773 828 476 423, 0 1 19 281 301 793",
    "IOZONE-read, 6428 1829 449 767 527, 0 1 21 51 76 813"
  })
  void findsTheStepsOfThePapersPatterns(String name, String shares, String steps) {
    long[] pieces = longs(shares);
    long[] lows = longs(steps);
    HeatDistribution distribution = new HeatDistribution();
    for (int group = 0; group < pieces.length; group++) {
      long width = lows[group + 1] - lows[group];
      // Evenly over the group's reads, so many that each of its counts occurs.
      for (int piece = 0; piece < pieces[group]; piece++) {
        distribution.add(lows[group] + piece * width / pieces[group], 64 * MB);
      }
    }
    long[] room = Arrays.stream(pieces).map(share -> share * 64 * MB).toArray();

    BucketThresholds fitted = BucketThresholds.fit(distribution, room);

    double[] expected = Arrays.stream(lows, 0, pieces.length).asDoubleStream().toArray();
    assertArrayEquals(expected, fitted.heats(), name);
    assertEquals((double) pieces[4] / 10_000, fitted.all().get(4).share(), 1e-9);
  }

  @Test
  void lettingIntoABucketNeverMoreThanFits() {
    SplittableRandom random = new SplittableRandom(11);
    for (int round = 0; round < 300; round++) {
      HeatDistribution distribution = random(random);
      long[] room = new long[5];
      for (int i = 0; i < room.length; i++) {
        room[i] = (long) (distribution.total() * random.nextDouble() / 3);
      }
      BucketThresholds fitted = BucketThresholds.fit(distribution, room);
      double above = 0;
      for (int i = 4; i > 0; i--) {
        above += room[i];
        double heat = fitted.heats()[i];
        assertTrue(heat > 0 && heat >= fitted.heats()[i - 1], "round " + round);
        assertTrue(distribution.atLeast(heat) <= above, "round " + round);
      }
    }
  }

  @Test
  void changesNothingWhenNothingChanged() {
    SplittableRandom random = new SplittableRandom(12);
    for (int round = 0; round < 300; round++) {
      HeatDistribution distribution = random(random);
      long total = distribution.total();
      long[] room = {total, total / 5, total / 10, total / 20, total / 100};
      BucketThresholds fitted = BucketThresholds.fit(distribution, room);
      BucketThresholds again = fitted.refit(distribution, room, 0);
      assertArrayEquals(fitted.heats(), again.heats(), "round " + round);
    }
  }

  @Test
  void staysWithinTheToleranceAndFollowsBeyondIt() {
    long[] room = {1000 * MB, 100 * MB};
    BucketThresholds fitted = BucketThresholds.fit(evenly(1), room);
    assertEquals(900, fitted.heats()[1], 4);

    // 5 % hotter: 145 MB are above the threshold where there is room for 100.
    BucketThresholds kept = fitted.refit(evenly(1.05), room, 0.5);
    assertEquals(fitted.heats()[1], kept.heats()[1]);
    assertEquals(0.145, kept.all().get(1).share(), 0.005);

    BucketThresholds moved = fitted.refit(evenly(1.05), room, 0.4);
    assertEquals(900 * 1.05, moved.heats()[1], 4);
    BucketThresholds cooled = fitted.refit(evenly(0.95), room, 0.4);
    assertEquals(900 * 0.95, cooled.heats()[1], 4);
  }

  /** The lower one is kept, and a fresh upper one would be below it. */
  @Test
  void noBucketAsksForLessThanTheOneBelow() {
    long[] room = {1000 * MB, 100 * MB, 100 * MB};
    BucketThresholds fitted = BucketThresholds.fit(evenly(1), room);
    assertArrayEquals(new double[] {0, 800, 900}, fitted.heats(), 4);
    HeatDistribution cooler = new HeatDistribution();
    for (int i = 0; i < 950; i++) {
      cooler.add(0.7 * i, MB);
    }
    cooler.add(850, 50 * MB);

    BucketThresholds refitted = fitted.refit(cooler, room, 0.8);

    double kept = fitted.heats()[1];
    assertArrayEquals(new double[] {0, kept, kept}, refitted.heats());
    assertEquals(new BucketThresholds.Threshold(kept, 0.05, 0.1), refitted.all().get(2));
  }

  @Test
  void doesNotFlapBetweenTwoDistributions() {
    long[] room = {1000 * MB, 100 * MB};
    BucketThresholds thresholds = BucketThresholds.fit(evenly(1), room);
    double first = thresholds.heats()[1];
    for (int i = 0; i < 20; i++) {
      thresholds = thresholds.refit(evenly(i % 2 == 0 ? 0.99 : 1.01), room, 0.2);
      assertEquals(first, thresholds.heats()[1]);
    }
  }

  @Test
  void followsTheFirstReadsWhereThereIsRoomForFarMore() {
    long[] room = {1000 * MB, 10_000 * MB};
    HeatDistribution distribution = new HeatDistribution();
    distribution.add(0, 1000 * MB);
    BucketThresholds thresholds = BucketThresholds.fit(distribution, room);
    assertEquals(Double.POSITIVE_INFINITY, thresholds.heats()[1], "nothing was read");

    distribution.add(8, MB);
    distribution.add(2, 2 * MB);
    thresholds = thresholds.refit(distribution, room, 0.1);
    assertEquals(2, thresholds.heats()[1]);
    distribution.add(1, MB);
    assertEquals(1, thresholds.refit(distribution, room, 0.1).heats()[1]);
  }

  @Test
  void fitsAnewWhereThereIsAnotherNumberOfBuckets() {
    long[] three = {1000 * MB, 100 * MB, 10 * MB};
    BucketThresholds two = BucketThresholds.fit(evenly(1), new long[] {1000 * MB, 100 * MB});

    BucketThresholds more = two.refit(evenly(1), three, 0.5);
    assertEquals(BucketThresholds.fit(evenly(1), three).all(), more.all());
    assertEquals(two.all(), more.refit(evenly(1), new long[] {1000 * MB, 100 * MB}, 0.5).all());
  }

  @Test
  void ofNoDataAllHasRoom() {
    HeatDistribution none = new HeatDistribution();
    BucketThresholds fitted = BucketThresholds.fit(none, new long[] {MB, MB});
    assertEquals(new BucketThresholds.Threshold(0, 1, 1), fitted.all().get(0));
    assertEquals(
        new BucketThresholds.Threshold(Double.POSITIVE_INFINITY, 0, 1), fitted.all().get(1));
  }

  @Test
  void aDistributionTellsHeatsApartAsItSays() {
    HeatDistribution distribution = new HeatDistribution();
    distribution.add(0, 1);
    distribution.add(0x1p-9, 2);
    distribution.add(0x1p-8, 4);
    distribution.add(511, 8);
    distribution.add(512, 16);
    distribution.add(1e300, 32);
    distribution.add(7, 0);
    assertEquals(63, distribution.total());
    assertEquals(63, distribution.atLeast(0));
    assertEquals(60, distribution.atLeast(0x1p-9), "below 2^-8 all is cold");
    assertEquals(56, distribution.atLeast(1));
    assertEquals(48, distribution.atLeast(512));
    assertEquals(32, distribution.atLeast(513 * 2));
    assertEquals(511, distribution.below(512));
    assertEquals(0x1p-8, distribution.below(511));
    assertEquals(0, distribution.below(0x1p-8));
    assertEquals(512, distribution.quantile(48));
    assertEquals(Double.POSITIVE_INFINITY, distribution.quantile(31));
    assertThrows(IllegalArgumentException.class, () -> distribution.add(-0.1, 1));
    assertThrows(IllegalArgumentException.class, () -> distribution.add(Double.NaN, 1));
    assertThrows(IllegalArgumentException.class, () -> distribution.add(1, -1));
  }

  @Test
  void keepsNeverReadDataInTheSlowestBucket() {
    HeatDistribution distribution = new HeatDistribution();
    distribution.add(0, 900 * MB);
    distribution.add(3, 10 * MB);
    BucketThresholds fitted =
        BucketThresholds.fit(distribution, new long[] {500 * MB, 500 * MB, 500 * MB});
    assertArrayEquals(new double[] {0, 3, 3}, fitted.heats());
  }

  @Test
  void admitsNobodyWhereNothingFits() {
    HeatDistribution distribution = new HeatDistribution();
    distribution.add(7, 100 * MB);
    BucketThresholds fitted = BucketThresholds.fit(distribution, new long[] {500 * MB, 10 * MB});
    assertEquals(Double.POSITIVE_INFINITY, fitted.heats()[1]);
    assertEquals(
        "Infinity reads: 0.0 % of the data are as hot, 10.0 % have room",
        fitted.all().get(1).reason());
  }

  @Test
  void takesFixedOnes() {
    BucketThresholds fixed = BucketThresholds.fixed(0, 1, 30);
    assertArrayEquals(new double[] {0, 1, 30}, fixed.heats());
    assertEquals("30.00 reads, fixed", fixed.all().get(2).reason());
    assertThrows(IllegalArgumentException.class, () -> BucketThresholds.fixed(0, 30, 30));
    assertThrows(IllegalArgumentException.class, () -> BucketThresholds.fixed(1, 2));
  }

  /** 1 MB each of 0 to 999 reads, all times a factor. */
  private static HeatDistribution evenly(double factor) {
    HeatDistribution distribution = new HeatDistribution();
    for (int i = 0; i < 1000; i++) {
      distribution.add(i * factor, MB);
    }
    return distribution;
  }

  private static HeatDistribution random(SplittableRandom random) {
    HeatDistribution distribution = new HeatDistribution();
    for (int i = 0; i < 2_000; i++) {
      double heat = random.nextInt(3) == 0 ? 0 : Math.exp(random.nextDouble() * 12 - 2);
      distribution.add(heat, random.nextLong(100 * MB));
    }
    return distribution;
  }

  private static long[] longs(String text) {
    return Arrays.stream(text.split(" ")).mapToLong(Long::parseLong).toArray();
  }
}
