// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.hints;

/**
 * Hints in numbers.
 *
 * @param held that hold
 * @param reliability mean over them of how far their owners are believed, 0 to 1; NaN where there are none
 * @param right hints that came true, as far as it is known
 * @param wrong hints that didn't
 */
public record HintTotals(int held, double reliability, long right, long wrong) {

  /** Where none are taken. */
  public static final HintTotals NONE = new HintTotals(0, Double.NaN, 0, 0);
}
