// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.admission;

import io.thermocline.tiering.heat.StateSink;
import io.thermocline.tiering.heat.StateSource;
import java.util.Arrays;

/**
 * What a moved byte has to bring: expected hits that waiting for one more read would lose, by byte. The price
 * is the one at which as many bytes would have been moved so far as turned out to be worth it.
 */
final class MovePrice {

  /*
   * Who knows the future moves a file that will be read again while it has room; how much that was is known
   * in hindsight (HindsightTier), and what was read lately may yet add to it, each file with its chance. We
   * don't know which files they are, but can move as many bytes: the files' best offers so far, sorted, and the
   * price is where the sum of their bytes reaches that sum. A file that was displaced and comes again is moved at
   * a cost too, which the sum is reduced by.
   *
   * A feedback on what was moved so far would do the same with a gain to be tuned, and swings.
   *
   * Before as much was worthwhile as a tenth of what the tier holds, the price leans on a first one.
   */

  /** Price classes, each 2.5 % wide, from e^-15 to e^36 per capacity. */
  private static final int STEPS = 40;

  private static final int LOWEST = -15;
  private static final int CLASSES = 2048;

  /**
   * The first price, in hits by capacity: a file that has one chance in ten is moved up to a 90th of the
   * tier.
   */
  private static final double FIRST = 10;

  /** Of the capacity: as many bytes that were worthwhile weigh as much as the first price. */
  private static final double FIRST_WEIGHT = 0.1;

  private double capacity;
  private final double[] offeredBytes = new double[CLASSES];
  private double worthwhile;
  private double movedAgain;
  private double price;

  MovePrice(long capacity) {
    this.capacity = capacity;
    price = FIRST / capacity;
  }

  /** Hits by byte. */
  double price() {
    return price;
  }

  /**
   * A file's best offer has risen.
   *
   * @param before its best one so far; negative if this is its first
   */
  void offered(long bytes, double before, double now) {
    if (before >= 0) {
      // What has faded is less than what is taken back.
      int was = priceClass(before);
      offeredBytes[was] = Math.max(0, offeredBytes[was] - bytes);
    }
    offeredBytes[priceClass(now)] += bytes;
  }

  private int priceClass(double offer) {
    double position = STEPS * (Math.log(Math.max(Double.MIN_NORMAL, offer * capacity)) - LOWEST);
    return (int) Math.max(0, Math.min(CLASSES - 1, position));
  }

  /** In hindsight these bytes were worth being moved. */
  void worthwhile(long bytes) {
    worthwhile += bytes;
  }

  /** A file was moved that had been there before. */
  void movedAgain(long bytes) {
    movedAgain += bytes;
  }

  /** What was seen so far counts for a share of what it did. */
  void fade(double keep) {
    for (int i = 0; i < CLASSES; i++) {
      offeredBytes[i] *= keep;
    }
    worthwhile *= keep;
    movedAgain *= keep;
  }

  /**
   * @param awaited bytes that are expected to turn out worthwhile
   */
  void refresh(double awaited) {
    double left = Math.max(0, worthwhile + awaited - movedAgain);
    int lowest = CLASSES - 1;
    for (double taken = 0; lowest > 0 && taken + offeredBytes[lowest] <= left; lowest--) {
      taken += offeredBytes[lowest];
    }
    double learned = (lowest + 1.0) / STEPS + LOWEST;
    double trust = worthwhile / (worthwhile + FIRST_WEIGHT * capacity);
    price = Math.exp(trust * learned + (1 - trust) * Math.log(FIRST)) / capacity;
  }

  /** Offers are by capacity in their classes: with another one they are in others. */
  void resize(long now) {
    int shift = (int) Math.round(STEPS * Math.log(now / capacity));
    double[] before = offeredBytes.clone();
    Arrays.fill(offeredBytes, 0);
    for (int i = 0; i < CLASSES; i++) {
      offeredBytes[Math.max(0, Math.min(CLASSES - 1, i + shift))] += before[i];
    }
    capacity = now;
  }

  void writeTo(StateSink sink) {
    sink.reals(offeredBytes);
    sink.real(worthwhile);
    sink.real(movedAgain);
    sink.real(price);
  }

  void restore(StateSource source) {
    source.reals(offeredBytes);
    worthwhile = source.real();
    movedAgain = source.real();
    price = source.real();
  }
}
