// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class AimdTest {

  private static final int SORT = 3;

  @Test
  void doublesUntilCopiesTakeMuchLongerAndHalvesThen() {
    Aimd copies = new Aimd(2, 64);
    round(copies, 1000);
    assertEquals(4, copies.limit());
    round(copies, 1000);
    assertEquals(8, copies.limit());
    round(copies, 5000);
    assertEquals(4, copies.limit());
    round(copies, 1000);
    assertEquals(5, copies.limit(), "one by one from then on");
  }

  @Test
  void staysWhereCopiesTakeSomewhatLonger() {
    Aimd copies = new Aimd(2, 64);
    round(copies, 1000);
    round(copies, 2000);
    assertEquals(4, copies.limit());
  }

  @Test
  void staysBetweenItsBounds() {
    Aimd copies = new Aimd(2, 5);
    for (int i = 0; i < 10; i++) {
      round(copies, 1000);
    }
    assertEquals(5, copies.limit());
    for (int i = 0; i < 10; i++) {
      copies.congested();
    }
    assertEquals(2, copies.limit());
    assertThrows(IllegalArgumentException.class, () -> new Aimd(0, 5));
    assertThrows(IllegalArgumentException.class, () -> new Aimd(6, 5));
  }

  @Test
  void isNotMisledBySingleStragglersOrByCopiesOfAnotherSort() {
    Aimd copies = new Aimd(2, 64);
    round(copies, 1000);
    for (int i = 0; i < 8; i++) {
      copies.copied(SORT, i < 3 ? 1_000_000 : 1000);
      copies.copied(SORT + 1, 50_000);
    }
    assertEquals(16, copies.limit(), "a good round of each sort");
  }

  /** Two processors: copies take no longer up to two at once, and in proportion above. */
  @Test
  void settlesAtASmallMultipleOfWhatABottleneckServes() {
    Aimd copies = new Aimd(2, 1000);
    int above = 0;
    for (int i = 0; i < 1000; i++) {
      round(copies, 1000L * Math.max(2, copies.limit()) / 2);
      above += copies.limit() > 16 ? 1 : 0;
    }
    assertTrue(above < 50, "rounds with more than 16 at once: " + above);
  }

  @Test
  void looksAnewWhatIsShortestWhereTheClusterGotSlower() {
    Aimd copies = new Aimd(2, 64);
    for (int i = 0; i < 20; i++) {
      round(copies, 1000);
    }
    assertEquals(64, copies.limit());
    int rounds = 0;
    for (int i = 0; i < 10; i++) {
      round(copies, 5000);
    }
    assertEquals(2, copies.limit(), "as if others were in the way");
    while (copies.limit() < 64 && rounds < 200) {
      round(copies, 5000);
      rounds++;
    }
    assertTrue(rounds < 100, "rounds until it knows: " + rounds);
  }

  private static void round(Aimd copies, long nanos) {
    int size = Math.max(8, copies.limit());
    for (int i = 0; i < size; i++) {
      copies.copied(SORT, nanos);
    }
  }
}
