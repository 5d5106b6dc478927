// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

/**
 * What keeps a file from being moved.
 *
 * @param rise whether its copies may go to faster types
 * @param fall whether they may go to slower ones
 * @param reason what forbids it; empty where both may
 */
public record Hold(boolean rise, boolean fall, String reason) {
  public static final Hold NONE = new Hold(true, true, "");

  /** It stays as it is. */
  public static Hold still(String reason) {
    return new Hold(false, false, reason);
  }

  boolean isStill() {
    return !rise && !fall;
  }
}
