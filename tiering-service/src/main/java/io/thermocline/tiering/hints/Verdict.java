// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.hints;

import io.thermocline.hints.Temperature;

/** What a hint turned out to be, when it ended. */
public enum Verdict {
  RIGHT,
  WRONG,
  /** It said nothing of reads, or ended too early to tell. */
  UNJUDGED;

  /** A cold file may be looked at once, or copied. */
  static final long COLD_READS = 2;

  /**
   * Judges by what was read while the hint held: hot or warm and read at all, or cold and hardly read. Pure.
   *
   * @param elapsed share of the lease, 0 to 1, for which it held
   */
  static Verdict of(Temperature expected, long reads, double elapsed) {
    boolean isOver = elapsed >= 0.5;
    return switch (expected) {
      case HOT, WARM -> reads > 0 ? RIGHT : isOver ? WRONG : UNJUDGED;
      case COLD -> reads > COLD_READS ? WRONG : isOver ? RIGHT : UNJUDGED;
      case UNKNOWN -> UNJUDGED;
    };
  }
}
