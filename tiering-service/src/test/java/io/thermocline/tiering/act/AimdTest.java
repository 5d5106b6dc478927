// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class AimdTest {

  private static final int SORT = 3;

  @Test
  void doublesAsLongAsThatCopiesMore() {
    Aimd copies = new Aimd(2, 64);
    round(copies, 1000);
    assertEquals(4, copies.limit());
    round(copies, 1600);
    assertEquals(8, copies.limit(), "a quarter more");
    round(copies, 3000);
    assertEquals(4, copies.limit(), "hardly more: not worth it");
    rounds(2, copies, 1600);
    assertEquals(4, copies.limit(), "rests");
    round(copies, 1600);
    assertEquals(2, copies.limit(), "looks whether fewer copy as much");
    round(copies, 1000);
    assertEquals(4, copies.limit(), "they don't");
    rounds(4, copies, 1600);
    assertEquals(4, copies.limit(), "rests for longer");
    round(copies, 1600);
    assertEquals(8, copies.limit(), "and tries more again");
  }

  @Test
  void goesDownWhereFewerCopyAsMuch() {
    Aimd copies = new Aimd(1, 16);
    rounds(6, copies, 1000);
    assertEquals(16, copies.limit());
    for (int i = 0; i < 100; i++) {
      // Slower by and by, so that no round takes much longer than the one before.
      round(copies, (long) (1000 * Math.max(1, Math.min(copies.limit(), 1 + i / 3.0))));
    }
    int among = 0;
    for (int i = 0; i < 100; i++) {
      among += copies.limit() <= 2 ? 1 : 0;
      round(copies, 1000L * copies.limit());
    }
    assertTrue(among > 80, among + " of 100 rounds with one or two");
  }

  @Test
  void halvesWhereCopiesTakeMuchLongerThanAsManyDidBefore() {
    Aimd copies = new Aimd(1, 8);
    rounds(5, copies, 1000);
    assertEquals(8, copies.limit());
    round(copies, 1700);
    assertEquals(8, copies.limit(), "somewhat longer");
    round(copies, 4000);
    assertEquals(4, copies.limit());
    assertEquals(1, copies.cuts());
  }

  @Test
  void takesNoNoticeOfCopiesThatWereUnderWayWhenTheNumberChanged() {
    Aimd copies = new Aimd(16, 32);
    copied(32, copies, 1000);
    assertEquals(32, copies.limit());
    copied(16, copies, 100_000);
    copied(64, copies, 1000);
    assertEquals(32, copies.limit());
  }

  @Test
  void staysBetweenItsBounds() {
    Aimd copies = new Aimd(2, 5);
    rounds(10, copies, 1000);
    assertEquals(5, copies.limit());
    for (int i = 0; i < 10; i++) {
      copies.congested();
    }
    assertEquals(2, copies.limit());
    assertThrows(IllegalArgumentException.class, () -> new Aimd(0, 5));
    assertThrows(IllegalArgumentException.class, () -> new Aimd(6, 5));
  }

  @Test
  void keepsToTheNumberWhereLeastAndMostAreTheSame() {
    Aimd copies = new Aimd(8, 8);
    rounds(10, copies, 1000);
    rounds(10, copies, 9000);
    assertEquals(8, copies.limit());
  }

  @Test
  void isNotMisledBySingleStragglersOrByCopiesOfAnotherSort() {
    Aimd copies = new Aimd(2, 64);
    round(copies, 1000);
    for (int i = 0; i < 24; i++) {
      copies.copied(SORT, i < 11 ? 1_000_000 : 1000, copies.limit());
      copies.copied(SORT + 1, 50_000, copies.limit());
    }
    assertEquals(8, copies.limit(), "the median of each sort counts");
  }

  /** A processor or a disk: what is copied a second is the same, however many are at it. */
  @Test
  void mostlyCopiesOneAtATimeWhereMoreBringNothing() {
    Aimd copies = new Aimd(1, 16);
    int made = 0;
    int madeAmongOthers = 0;
    for (int i = 0; i < 500; i++) {
      int atOnce = copies.limit();
      made += Math.max(24, 2 * atOnce);
      madeAmongOthers += atOnce > 1 ? Math.max(24, 2 * atOnce) : 0;
      round(copies, 1000L * atOnce);
    }
    assertTrue(madeAmongOthers < made / 6, madeAmongOthers + " of " + made);
  }

  /** Nine disks: copies take no longer up to nine at once, and in proportion above. */
  @Test
  void fillsWhatServesSeveral() {
    Aimd copies = new Aimd(1, 64);
    double sum = 0;
    for (int i = 0; i < 1000; i++) {
      sum += copies.limit();
      round(copies, 1000L * Math.max(9, copies.limit()));
    }
    assertTrue(sum / 1000 > 7 && sum / 1000 < 13, "on average " + sum / 1000);
  }

  /** Times of copies scatter by factors, as on any machine that does other things too. */
  @Test
  void isNotHeldBackForLongByScatter() {
    Aimd copies = new Aimd(1, 16);
    SplittableRandom random = new SplittableRandom(7);
    double sum = 0;
    int rounds = 2000;
    for (int i = 0; i < rounds; i++) {
      sum += copies.limit();
      int size = Math.max(24, 2 * copies.limit());
      for (int j = 0; j < size; j++) {
        copies.copied(
            SORT, (long) (1_000_000 * Math.exp(0.5 * random.nextGaussian())), copies.limit());
      }
    }
    assertTrue(sum / rounds > 8, "on average " + sum / rounds);
  }

  @Test
  void looksAnewWhatTheLeastTakeWhereTheClusterGotSlower() {
    Aimd copies = new Aimd(2, 64);
    rounds(20, copies, 1000);
    assertEquals(64, copies.limit());
    rounds(5, copies, 5000);
    assertEquals(2, copies.limit(), "as if others were in the way");
    int rounds = 0;
    while (copies.limit() < 64 && rounds < 200) {
      round(copies, 5000);
      rounds++;
    }
    assertTrue(rounds < 100, "rounds until it knows: " + rounds);
  }

  private static void rounds(int count, Aimd copies, long nanos) {
    for (int i = 0; i < count; i++) {
      round(copies, nanos);
    }
  }

  private static void round(Aimd copies, long nanos) {
    int before = copies.limit();
    copied(Math.max(24, 2 * before), copies, nanos);
    if (copies.limit() != before) {
      // Those that were under way.
      copied(before, copies, nanos);
    }
  }

  private static void copied(int count, Aimd copies, long nanos) {
    for (int i = 0; i < count; i++) {
      copies.copied(SORT, nanos, copies.limit());
    }
  }
}
