// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.device;

/**
 * How fast a device is. A request takes the latency, the seek unless it continues the one before, and its
 * bytes at the bandwidth.
 *
 * @param readBytesPerSecond above 0
 * @param writeBytesPerSecond above 0
 * @param readLatencySeconds of each read
 * @param writeLatencySeconds of each write
 * @param seekSeconds of a request elsewhere than where the one before ended; 0 without moving parts
 * @param nearBytes a request within this distance of the end of the one before doesn't seek
 */
public record DeviceSpec(
    double readBytesPerSecond,
    double writeBytesPerSecond,
    double readLatencySeconds,
    double writeLatencySeconds,
    double seekSeconds,
    long nearBytes) {

  public DeviceSpec {
    if (!(readBytesPerSecond > 0)
        || !(writeBytesPerSecond > 0)
        || !(readLatencySeconds >= 0)
        || !(writeLatencySeconds >= 0)
        || !(seekSeconds >= 0)
        || nearBytes < 0) {
      throw new IllegalArgumentException(
          ("bandwidths %f and %f (above 0), latencies %f and %f, seek %f, near %d (from 0)")
              .formatted(
                  readBytesPerSecond,
                  writeBytesPerSecond,
                  readLatencySeconds,
                  writeLatencySeconds,
                  seekSeconds,
                  nearBytes));
    }
  }

  /** Seconds that one request takes once it is its turn. */
  public double seconds(long bytes, boolean write, boolean near) {
    double latency = write ? writeLatencySeconds : readLatencySeconds;
    double bandwidth = write ? writeBytesPerSecond : readBytesPerSecond;
    return latency + (near ? 0 : seekSeconds) + bytes / bandwidth;
  }
}
