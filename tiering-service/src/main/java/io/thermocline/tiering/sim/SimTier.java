// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim;

/**
 * All storage of one type together.
 *
 * @param name for people: SSD, DISK
 * @param capacityBytes what fits, one copy of each file
 * @param readBytesPerSecond of all its devices together
 * @param writeBytesPerSecond of all its devices together
 * @param flash whether writes wear it
 */
public record SimTier(
    String name,
    long capacityBytes,
    double readBytesPerSecond,
    double writeBytesPerSecond,
    boolean flash) {
  public SimTier {
    if (capacityBytes < 0 || !(readBytesPerSecond > 0) || !(writeBytesPerSecond > 0)) {
      throw new IllegalArgumentException(
          "%s: capacity %d (from 0), read %f and write %f bytes a second (above 0)"
              .formatted(name, capacityBytes, readBytesPerSecond, writeBytesPerSecond));
    }
  }
}
