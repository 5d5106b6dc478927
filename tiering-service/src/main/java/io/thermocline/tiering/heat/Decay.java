// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import java.time.Duration;

/**
 * Cooling in steps: eight steps halve. Immutable; the time is that of the accesses, in milliseconds since
 * 1970, so that the same log gives the same heat whenever it is read.
 */
final class Decay {

  /*
   * Between two steps a read weighs too much by at most 2^(1/8), 9 %: the same for all items, so their
   * order is not touched, and a threshold is met by at most an eighth of a half-life late.
   */
  static final int STEPS_PER_HALF_LIFE = 8;

  /** Less than a millionth of a count is left after these many steps. */
  static final int FORGOTTEN = 20 * STEPS_PER_HALF_LIFE;

  private static final double[] FACTORS = new double[FORGOTTEN];

  static {
    for (int i = 0; i < FORGOTTEN; i++) {
      FACTORS[i] = StrictMath.pow(0.5, (double) i / STEPS_PER_HALF_LIFE);
    }
  }

  private final long stepMillis;

  Decay(Duration halfLife) {
    this.stepMillis = Math.max(1, halfLife.toMillis() / STEPS_PER_HALF_LIFE);
  }

  /** The step a moment lies in. */
  long step(long timeMillis) {
    return Math.floorDiv(timeMillis, stepMillis);
  }

  /** What is left of a count after so many steps. */
  static double factor(long steps) {
    return steps <= 0 ? 1 : steps < FORGOTTEN ? FACTORS[(int) steps] : 0;
  }
}
