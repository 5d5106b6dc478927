// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.tiering.decide.admission.AdmissionEstimate;
import io.thermocline.tiering.decide.admission.ForecastScore;
import java.time.Duration;
import java.util.Locale;

/**
 * What was learned of a file, as it was at one moment: its worth, and whether that decides or the thresholds do.
 * Immutable.
 *
 * @param estimate of the file
 * @param score of all that was learned
 * @param each reads of the whole file that one read of the worth stands for
 * @param heat cooled reads of a file that is read steadily, as often as this one is expected to be from now on
 */
public record Forecast(AdmissionEstimate estimate, ForecastScore score, double each, double heat) {

  /** Fewer hits than this, of both together, tell of neither that it is better. */
  private static final double ENOUGH = 100;

  /**
   * @param hot as the thresholds know it
   * @param halfLife of the heat
   */
  static Forecast of(
      HotFile hot,
      AdmissionEstimate estimate,
      ForecastScore score,
      double each,
      Duration halfLife) {
    // Of what wasn't read since learning began, reads as before are all that is known.
    double heat =
        estimate.basis() == AdmissionEstimate.Basis.LEARNED
            ? estimate.density()
                * Math.max(1, hot.file().length())
                * (halfLife.toMillis() / 1e3 / Math.log(2))
                * each
            : hot.heat();
    return new Forecast(estimate, score, each, heat);
  }

  /** Whether what was learned decides: a tier that it filled would have had more hits than the thresholds'. */
  public boolean isInForce() {
    return estimate.basis() != AdmissionEstimate.Basis.THRESHOLD
        && isEnough()
        && score.learnedHits() > score.thresholdHits();
  }

  private boolean isEnough() {
    return score.learnedHits() + score.thresholdHits() >= ENOUGH;
  }

  /** Reads to come while the file is worth its room, which a move now would serve. */
  double reads() {
    return estimate.basis() == AdmissionEstimate.Basis.LEARNED
        ? each * estimate.chance() / (1 - estimate.chance())
        : Double.POSITIVE_INFINITY;
  }

  /** What it is worth, which of both is in force, and why. */
  String words() {
    String hits =
        String.format(
            Locale.ROOT,
            "of tiers played on the side, one filled by worth had %.0f hits, one by thresholds %.0f",
            score.learnedHits(),
            score.thresholdHits());
    String why =
        isInForce()
            ? "in force, not thresholds: " + hits
            : "thresholds are in force: " + hits + (isEnough() ? "" : ", too few to tell");
    return "admission: " + estimate.numbers() + "; " + why;
  }
}
