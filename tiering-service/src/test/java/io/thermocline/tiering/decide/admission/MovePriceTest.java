// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class MovePriceTest {
  private static final long CAPACITY = 1_000;

  private final MovePrice price = new MovePrice(CAPACITY);

  @Test
  void beginsWithAPriceByCapacity() {
    price.refresh(0);
    assertEquals(0.01, price.price(), 1e-9);
  }

  /**
   * 100 files of a tier's size offer 0.01, 0.02 and so on; 40 were worth being moved. The 40 best begin at
   * 0.61; between them and the first price the weights are 40 to a tenth.
   */
  @Test
  void isWhereAsManyBytesAreOfferedAsWereWorthwhile() {
    for (int i = 1; i <= 100; i++) {
      price.offered(CAPACITY, -1, i * 0.01);
    }
    for (int i = 0; i < 40; i++) {
      price.worthwhile(CAPACITY);
    }
    price.refresh(0);
    double expected = Math.exp((40 * Math.log(0.61) + 0.1 * Math.log(0.01)) / 40.1);
    assertEquals(expected, price.price(), 0.03 * expected);
  }

  @Test
  void aBetterOfferReplacesTheOneBefore() {
    for (int i = 0; i < 40; i++) {
      price.offered(CAPACITY, -1, 0.01);
      price.offered(CAPACITY, 0.01, 1);
      price.worthwhile(CAPACITY);
    }
    price.refresh(0);
    double all = price.price();
    price.offered(CAPACITY, -1, 1);
    price.refresh(0);
    // One more at the same offer than may be moved: the price is above all of them.
    assertTrue(price.price() > all);
  }

  @Test
  void movingAgainMakesMovesDearer() {
    isWhereAsManyBytesAreOfferedAsWereWorthwhile();
    double before = price.price();
    for (int i = 0; i < 20; i++) {
      price.movedAgain(CAPACITY);
    }
    price.refresh(0);
    assertTrue(price.price() > before * 1.2);
  }

  /** With ten more that are expected to be, the 50 best are moved. */
  @Test
  void whatIsExpectedToBeWorthwhileCounts() {
    isWhereAsManyBytesAreOfferedAsWereWorthwhile();
    price.refresh(10 * CAPACITY);
    assertEquals(0.51, price.price(), 0.03 * 0.51);
  }

  /** What a byte has to bring stays, but for the first price, which is by capacity. */
  @Test
  void anotherCapacityLeavesOffersWhatTheyAre() {
    for (long capacity : new long[] {CAPACITY / 4, 3 * CAPACITY}) {
      MovePrice resized = new MovePrice(CAPACITY);
      for (int i = 1; i <= 100; i++) {
        resized.offered(CAPACITY, -1, i * 0.01);
      }
      for (int i = 0; i < 40; i++) {
        resized.worthwhile(CAPACITY);
      }
      resized.resize(capacity);
      resized.refresh(0);
      double weight = 0.1 * capacity / CAPACITY;
      double expected =
          Math.exp((40 * Math.log(0.61) + weight * Math.log(10.0 / capacity)) / (40 + weight));
      assertEquals(expected, resized.price(), 0.03 * expected, "capacity " + capacity);
    }
  }

  @Test
  void offersOfEverySizeAreTaken() {
    price.offered(1, -1, Double.POSITIVE_INFINITY);
    price.offered(1, -1, 0);
    price.worthwhile(1);
    price.refresh(0);
    assertTrue(price.price() > 0);
    assertTrue(Double.isFinite(price.price()));
  }

  @Test
  void isThereBeforeAnythingWasLearned() {
    assertEquals(0.01, price.price());
  }

  /** A tenth of the capacity was worthwhile: so much weighs as much as the first price, of 0.01. */
  @Test
  void leansOnTheFirstPrice() {
    price.offered(100, -1, 1);
    price.offered(100, -1, 0.1);
    price.worthwhile(100);
    price.refresh(0);
    assertEquals(Math.sqrt(0.1 * 0.01), price.price(), 0.0007);
  }

  /** As many bytes as were worthwhile are moved at the price, and the next offer is below it. */
  @Test
  void whatWasWorthwhileIsMovedToTheLastByte() {
    price.offered(CAPACITY, -1, 1);
    price.offered(CAPACITY, -1, 0.01);
    price.worthwhile(CAPACITY);
    price.refresh(0);
    assertTrue(price.price() > 0.01 && price.price() < 0.0103, () -> "" + price.price());
    price.movedAgain(1);
    price.refresh(0);
    assertTrue(price.price() > 0.5, () -> "" + price.price());
  }

  /** 60 times the capacity may be moved, and 40 times that is all there is: what is worth nothing, too. */
  @Test
  void anOfferThatWasReplacedIsNoMore() {
    for (int i = 0; i < 40; i++) {
      price.offered(CAPACITY, -1, 0.5);
      price.offered(CAPACITY, 0.5, 1);
    }
    for (int i = 0; i < 60; i++) {
      price.worthwhile(CAPACITY);
    }
    price.refresh(0);
    double trust = 60 / 60.1;
    double expected = Math.exp(trust * (-15 + 1 / 40.0) + (1 - trust) * Math.log(10)) / CAPACITY;
    assertEquals(expected, price.price(), 0.001 * expected);
  }
}
