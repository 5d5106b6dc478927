// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import java.time.Duration;

/**
 * How much a path may go up and down.
 *
 * @param residency after a move up no move down before this, nor the other way round
 * @param flaps moves against the direction of the one before, at most, within the window
 * @param takenBackFactor what somebody took back stays so until the heat is so many times what it was, or that part of it
 */
public record Stability(Duration residency, int flaps, Duration window, double takenBackFactor) {

  public static final double TAKEN_BACK_FACTOR = 4;

  /** With the default of what was taken back. */
  public Stability(Duration residency, int flaps, Duration window) {
    this(residency, flaps, window, TAKEN_BACK_FACTOR);
  }

  public Stability {
    if (residency.isNegative() || flaps < 1 || window.compareTo(residency) < 0) {
      throw new IllegalArgumentException(
          "residency "
              + residency
              + ", flaps "
              + flaps
              + ", window "
              + window
              + ": expected at least 0, at least 1, and a window no shorter than the residency");
    }
  }
}
