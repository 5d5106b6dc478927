// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

/**
 * How fast one storage type is, for one reader or writer at a time.
 *
 * @param read bytes a second
 * @param write bytes a second
 * @param latency seconds from asking for a block to its first byte
 */
public record TierSpeed(double read, double write, double latency) {

  public TierSpeed {
    if (!(read > 0) || !(write > 0) || !(latency >= 0)) {
      throw new IllegalArgumentException(
          "read "
              + read
              + ", write "
              + write
              + ", latency "
              + latency
              + ": expected speeds above 0");
    }
  }

  /** Seconds that one reader waits for so many bytes. */
  public double toRead(long bytes) {
    return latency + bytes / read;
  }

  /** Seconds that devices spend on a copy to another type. */
  public double toCopy(TierSpeed to, long bytes) {
    return toRead(bytes) + bytes / to.write;
  }
}
