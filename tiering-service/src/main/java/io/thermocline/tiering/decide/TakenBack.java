// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import java.time.Instant;

/**
 * What somebody took back: it isn't done again until the file's heat is another.
 *
 * @param words what was done, by whom and when
 * @param heat of the file then, in reads
 */
public record TakenBack(String words, Instant at, double heat) {

  /** Fewer reads than this are none. */
  private static final double LEAST = 1;

  /**
   * Whether the heat is so many times what it was then, or that part of it. Of a file that had less than a read then only
   * more reads count.
   */
  public boolean isOver(double now, double factor) {
    return now >= above(factor) || heat >= LEAST && now <= heat / factor;
  }

  /** What keeps the file. */
  public Hold hold(double factor) {
    return Hold.still(
        heat < LEAST
            ? "%s: stays so until its heat is above %.1f".formatted(words, above(factor))
            : "%s: stays so until its heat, %.1f then, is above %.1f or below %.1f"
                .formatted(words, heat, above(factor), heat / factor));
  }

  private double above(double factor) {
    return Math.max(heat, LEAST) * factor;
  }
}
