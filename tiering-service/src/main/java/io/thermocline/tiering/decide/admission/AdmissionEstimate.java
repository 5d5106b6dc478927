// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.admission;

import java.util.Locale;

/**
 * How many hits a file is expected to bring on the fast tier, at one moment, and how many it must bring.
 *
 * @param basis what the numbers come from
 * @param reads that were seen of the file
 * @param density by which files are ranked, highest first: what they bring by byte and second (learned), or
 *     reads by byte (threshold)
 * @param chance of another read before the file's room would serve others better, from its last read on, 0 to 1;
 *     from a threshold 0 or 1
 * @param offer hits by moved byte that would be lost by waiting for one more read before moving
 * @param price hits by byte that a move has to bring
 */
public record AdmissionEstimate(
    Basis basis, int reads, double density, double chance, double offer, double price) {

  /** Where an estimate comes from. */
  public enum Basis {
    /** From what files alike were seen to do. */
    LEARNED,
    /** From the number of reads alone: what was learned would have had fewer hits. */
    THRESHOLD,
    /** The file isn't known. */
    NONE
  }

  static final AdmissionEstimate NONE =
      new AdmissionEstimate(Basis.NONE, 0, 0, 0, 0, Double.POSITIVE_INFINITY);

  /** Whether the file brings enough to be moved now. */
  public boolean isAdmitted() {
    return offer >= price;
  }

  /** The numbers in words, for reasons. */
  public String numbers() {
    return switch (basis) {
      case LEARNED ->
          String.format(
              Locale.ROOT,
              "read %d times, with a chance of %.0f %% again while it's worth its room: %.3g hits a TB moved, of"
                  + " %.3g needed",
              reads,
              chance * 100,
              offer * 1e12,
              price * 1e12);
      case THRESHOLD ->
          String.format(
              Locale.ROOT,
              "read %d times, %s the threshold, which has more hits here than what was learned",
              reads,
              chance > 0 ? "reaching" : "below");
      case NONE -> "not read while it was followed";
    };
  }
}
