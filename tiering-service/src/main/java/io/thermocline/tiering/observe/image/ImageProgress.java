// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe.image;

/**
 * How far a reader is. Immutable.
 *
 * @param phase what it does now
 * @param share of the work of this run, 0 to 1
 * @param secondsLeft NaN while it can't be told
 * @param files handed on, those of earlier runs among them
 */
public record ImageProgress(Phase phase, double share, double secondsLeft, long files) {

  /** In this order. */
  public enum Phase {
    DIRECTORIES,
    FILES,
    DONE
  }
}
