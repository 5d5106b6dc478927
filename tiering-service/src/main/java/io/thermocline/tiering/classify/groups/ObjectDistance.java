// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.classify.groups;

/** How far two objects are from each other: 0 to 1. PRS, section 3.2.2. */
final class ObjectDistance {

  private ObjectDistance() {}

  /**
   * In time: equation 1.
   *
   * @param together how often both were accessed within one window
   * @param first accesses of one, of the other; at least 1 each
   */
  static double inTime(int together, int first, int second) {
    return 1 - (double) together / Math.max(first, second);
  }

  /**
   * In frequency: equation 2.
   *
   * @param first reads of one, of the other; at least 1 each
   */
  static double inFrequency(int first, int second) {
    return Math.abs((double) first - second) / ((double) first + second);
  }
}
