// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim;

/**
 * How long one disk works for a request: a seek to each block, then the bytes.
 *
 * @param seekSeconds to a block, from 0
 * @param bytesPerSecond of one device, above 0
 * @param blockBytes of a file's blocks, above 0
 */
public record HeadTime(double seekSeconds, double bytesPerSecond, long blockBytes) {
  public HeadTime {
    if (!(seekSeconds >= 0) || !(bytesPerSecond > 0) || blockBytes < 1) {
      throw new IllegalArgumentException(
          "a seek of %f s (from 0), %f bytes a second and blocks of %d bytes (above 0)"
              .formatted(seekSeconds, bytesPerSecond, blockBytes));
    }
  }

  /** Of devices together, in seconds. */
  double seconds(long bytes) {
    long blocks = Math.max(1, (bytes + blockBytes - 1) / blockBytes);
    return blocks * seekSeconds + bytes / bytesPerSecond;
  }
}
