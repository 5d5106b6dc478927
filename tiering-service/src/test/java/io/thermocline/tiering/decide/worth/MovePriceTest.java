// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.worth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class MovePriceTest {
  private static final long CAPACITY = 1_000;

  private final MovePrice price = new MovePrice(CAPACITY);

  @Test
  void beginsWithAPriceByCapacity() {
    price.refresh();
    assertEquals(0.01, price.price(), 1e-9);
  }

  /**
   * 100 files of a tier's size offer 0.01, 0.02 and so on; 40 were read again. The 40 best begin at 0.61;
   * between them and the first price the weights are 40 to 1.
   */
  @Test
  void isWhereAsManyBytesAreOfferedAsWereReadAgain() {
    for (int i = 1; i <= 100; i++) {
      price.offered(CAPACITY, -1, i * 0.01);
    }
    for (int i = 0; i < 40; i++) {
      price.readAgain(CAPACITY);
    }
    price.refresh();
    double expected = Math.exp((40 * Math.log(0.61) + Math.log(0.01)) / 41);
    assertEquals(expected, price.price(), 0.03 * expected);
  }

  @Test
  void aBetterOfferReplacesTheOneBefore() {
    for (int i = 0; i < 40; i++) {
      price.offered(CAPACITY, -1, 0.01);
      price.offered(CAPACITY, 0.01, 1);
      price.readAgain(CAPACITY);
    }
    price.refresh();
    double all = price.price();
    price.offered(CAPACITY, -1, 1);
    price.refresh();
    // One more at the same offer than may be moved: the price is above all of them.
    assertTrue(price.price() > all);
  }

  @Test
  void movingAgainMakesMovesDearer() {
    isWhereAsManyBytesAreOfferedAsWereReadAgain();
    double before = price.price();
    for (int i = 0; i < 20; i++) {
      price.movedAgain(CAPACITY);
    }
    price.refresh();
    assertTrue(price.price() > before * 1.2);
  }

  @Test
  void offersOfEverySizeAreTaken() {
    price.offered(1, -1, Double.POSITIVE_INFINITY);
    price.offered(1, -1, 0);
    price.readAgain(1);
    price.refresh();
    assertTrue(price.price() > 0);
    assertTrue(Double.isFinite(price.price()));
  }
}
