// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.device;

/**
 * How fast one kind of device is. A request costs its latency once, when the replica is opened, and
 * then its bytes at the bandwidth.
 *
 * @param readLatencyMicros microseconds before the first byte of a replica is read
 * @param writeLatencyMicros microseconds before the first byte of a replica is written
 * @param readBytesPerSecond sequential read bandwidth
 * @param writeBytesPerSecond sequential write bandwidth
 */
public record DeviceProfile(
    long readLatencyMicros,
    long writeLatencyMicros,
    long readBytesPerSecond,
    long writeBytesPerSecond) {

  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final long NANOS_PER_MICRO = 1_000L;

  /**
   * @throws IllegalArgumentException for a negative latency or a bandwidth below one byte a second
   */
  public DeviceProfile {
    if (readLatencyMicros < 0 || writeLatencyMicros < 0) {
      throw new IllegalArgumentException(
          "A latency is negative: read " + readLatencyMicros + " us, write " + writeLatencyMicros);
    }
    if (readBytesPerSecond < 1 || writeBytesPerSecond < 1) {
      throw new IllegalArgumentException(
          "A bandwidth is below 1 B/s: read "
              + readBytesPerSecond
              + ", write "
              + writeBytesPerSecond);
    }
  }

  /** A device that reads and writes at the same speed. */
  public static DeviceProfile symmetric(long latencyMicros, long bytesPerSecond) {
    return new DeviceProfile(latencyMicros, latencyMicros, bytesPerSecond, bytesPerSecond);
  }

  long readLatencyNanos() {
    return readLatencyMicros * NANOS_PER_MICRO;
  }

  long writeLatencyNanos() {
    return writeLatencyMicros * NANOS_PER_MICRO;
  }

  long readNanos(long bytes) {
    return transferNanos(bytes, readBytesPerSecond);
  }

  long writeNanos(long bytes) {
    return transferNanos(bytes, writeBytesPerSecond);
  }

  private static long transferNanos(long bytes, long bytesPerSecond) {
    // In double: bytes * 1e9 overflows a long from 9 GB on, and 2^-53 is far below one nanosecond.
    return Math.round((double) bytes * NANOS_PER_SECOND / bytesPerSecond);
  }
}
