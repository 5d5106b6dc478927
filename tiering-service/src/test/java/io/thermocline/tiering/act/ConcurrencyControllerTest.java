// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ConcurrencyControllerTest {

  private static final int SORT = 3;

  private static final long SEED = Long.getLong("test.seed", 7);

  @Test
  void halvesWhereCopiesTakeMuchLongerThanTheyDid() {
    ConcurrencyController copies = new ConcurrencyController(8);
    rounds(3, copies, 1000);
    assertEquals(8, copies.limit());
    round(copies, 1700);
    assertEquals(8, copies.limit(), "somewhat longer");
    round(copies, 4000);
    assertEquals(4, copies.limit());
    assertEquals(1, copies.cuts());
  }

  @Test
  void hasAQuarterMoreAfterEachRoundThatIsNoSlower() {
    ConcurrencyController copies = new ConcurrencyController(8);
    copies.congested();
    copies.congested();
    copies.congested();
    copies.congested();
    assertEquals(1, copies.limit(), "one at least");
    copied(2, copies, 1000);
    int[] limits = new int[8];
    for (int i = 0; i < limits.length; i++) {
      round(copies, 1000);
      limits[i] = copies.limit();
    }
    assertEquals(List.of(2, 3, 4, 5, 6, 7, 8, 8), Arrays.stream(limits).boxed().toList());
    assertThrows(IllegalArgumentException.class, () -> new ConcurrencyController(0));
  }

  /** What is slow for good is no sign that others came. */
  @Test
  void takesADeviceThatGotSlowerForWhatItIs() {
    ConcurrencyController copies = new ConcurrencyController(16);
    rounds(2, copies, 1000);
    round(copies, 5000);
    assertEquals(8, copies.limit());
    rounds(20, copies, 5000);
    assertEquals(16, copies.limit());
    assertEquals(1, copies.cuts());
  }

  @Test
  void takesNoNoticeOfCopiesThatWereUnderWayWhenTheNumberChanged() {
    ConcurrencyController copies = new ConcurrencyController(32);
    rounds(2, copies, 1000);
    copies.congested();
    copied(32, copies, 100_000);
    copied(32, copies, 1000);
    assertEquals(20, copies.limit());
    assertEquals(1, copies.cuts());
  }

  @Test
  void isNotMisledBySingleStragglersOrByCopiesOfAnotherSort() {
    ConcurrencyController copies = new ConcurrencyController(8);
    round(copies, 1000);
    for (int i = 0; i < 24; i++) {
      copies.copied(SORT, i < 11 ? 1_000_000 : 1000);
      copies.copied(SORT + 1, 50_000);
    }
    assertEquals(8, copies.limit(), "the median of each sort counts");
    assertEquals(0, copies.cuts());
  }

  /** Times of copies scatter by factors, as on any machine that does other things too. */
  @Test
  void isNotHeldBackByScatter() {
    ConcurrencyController copies = new ConcurrencyController(16);
    SplittableRandom random = new SplittableRandom(SEED);
    double sum = 0;
    int rounds = 2000;
    for (int i = 0; i < rounds; i++) {
      sum += copies.limit();
      int size = Math.max(24, 2 * copies.limit());
      for (int j = 0; j < size; j++) {
        copies.copied(SORT, (long) (1_000_000 * Math.exp(0.5 * random.nextGaussian())));
      }
    }
    assertTrue(sum / rounds > 14, "on average " + sum / rounds + ", seed " + SEED);
  }

  private static void rounds(int count, ConcurrencyController copies, long nanos) {
    for (int i = 0; i < count; i++) {
      round(copies, nanos);
    }
  }

  private static void round(ConcurrencyController copies, long nanos) {
    int before = copies.limit();
    copied(Math.max(24, 2 * before), copies, nanos);
    if (copies.limit() != before) {
      // Those that were under way.
      copied(before, copies, nanos);
    }
  }

  private static void copied(int count, ConcurrencyController copies, long nanos) {
    for (int i = 0; i < count; i++) {
      copies.copied(SORT, nanos);
    }
  }
}
