// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.hints;

import java.util.Locale;

/**
 * How far an owner's hints are believed: the mean of a Beta distribution over the share of them that come true, after
 * those that were judged. Immutable.
 *
 * @param right hints that came true
 * @param wrong hints that did not
 */
public record OwnerReliability(long right, long wrong) {

  /** Of an owner nobody knows, four of five are expected to be right: as if five had been seen. */
  private static final double PRIOR_RIGHT = 4;

  private static final double PRIOR_WRONG = 1;

  /** Nothing was judged yet. */
  public static final OwnerReliability NEW = new OwnerReliability(0, 0);

  public OwnerReliability {
    if (right < 0 || wrong < 0) {
      throw new IllegalArgumentException(
          right + " right, " + wrong + " wrong: expected at least 0");
    }
  }

  /** From 0 to 1, exclusive: what share of a hint's expected reads is counted with. */
  public double weight() {
    return (right + PRIOR_RIGHT) / (right + wrong + PRIOR_RIGHT + PRIOR_WRONG);
  }

  /** With one more judged; the same where it couldn't be. */
  public OwnerReliability after(Verdict verdict) {
    return switch (verdict) {
      case RIGHT -> new OwnerReliability(right + 1, wrong);
      case WRONG -> new OwnerReliability(right, wrong + 1);
      case UNJUDGED -> this;
    };
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%.2f (%d right, %d wrong)", weight(), right, wrong);
  }
}
