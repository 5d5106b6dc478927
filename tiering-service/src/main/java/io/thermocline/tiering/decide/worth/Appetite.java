// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.worth;

/**
 * What moves are for, and how dear they are.
 *
 * @param priceShare share of the price (see MovePrice) that a move has to bring, from 0 on; 0 moves
 *     whatever may be read again
 * @param byteWeight what the bytes of a hit count for, beside the hit itself: 0 counts hits only; with 1 a
 *     hit of mean size counts twice
 * @param moveEvery seconds from one decision on moves to the next; 0 where moves are made at once
 */
public record Appetite(double priceShare, double byteWeight, double moveEvery) {

  /** Hits, with no more bytes moved than who knows the future would move. */
  public static final Appetite SPARING = new Appetite(1, 0, 0);

  /**
   * @throws IllegalArgumentException if one is negative or not a number
   */
  public Appetite {
    if (!(priceShare >= 0 && byteWeight >= 0 && moveEvery >= 0)) {
      throw new IllegalArgumentException(
          "a share of the price of %f, a weight of bytes of %f, moves every %f s: all must be at least 0"
              .formatted(priceShare, byteWeight, moveEvery));
    }
  }
}
