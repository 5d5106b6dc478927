// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.hints;

import io.thermocline.hints.Temperature;

/**
 * How many reads a day of a whole file a degree stands for on this cluster.
 *
 * @param hot at least as many as warm
 */
public record HintRates(double hot, double warm) {

  public static final HintRates DEFAULT = new HintRates(24, 6);

  public HintRates {
    if (!(warm > 0) || hot < warm) {
      throw new IllegalArgumentException(
          "hot " + hot + ", warm " + warm + " reads a day: expected warm above 0, hot no less");
    }
  }

  double of(Temperature temperature) {
    return switch (temperature) {
      case HOT -> hot;
      case WARM -> warm;
      case COLD, UNKNOWN -> 0;
    };
  }
}
