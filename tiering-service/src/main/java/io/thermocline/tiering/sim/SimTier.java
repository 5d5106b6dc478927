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
 * @param served share of the reads of a file on it that it serves, above 0, to 1; the home tier, which has further copies,
 *     serves the others
 * @param head of its devices, by which disk time is counted
 */
public record SimTier(
    String name,
    long capacityBytes,
    double readBytesPerSecond,
    double writeBytesPerSecond,
    boolean flash,
    double served,
    HeadTime head) {

  /** One that serves all reads of its files, as if by one device. */
  public SimTier(
      String name,
      long capacityBytes,
      double readBytesPerSecond,
      double writeBytesPerSecond,
      boolean flash) {
    this(
        name,
        capacityBytes,
        readBytesPerSecond,
        writeBytesPerSecond,
        flash,
        1,
        new HeadTime(0, readBytesPerSecond, Long.MAX_VALUE));
  }

  public SimTier {
    if (capacityBytes < 0
        || !(readBytesPerSecond > 0)
        || !(writeBytesPerSecond > 0)
        || !(served > 0 && served <= 1)) {
      throw new IllegalArgumentException(
          "%s: capacity %d (from 0), read %f and write %f bytes a second (above 0), %f of the"
              + " reads (above 0, to 1)"
                  .formatted(name, capacityBytes, readBytesPerSecond, writeBytesPerSecond, served));
    }
  }
}
