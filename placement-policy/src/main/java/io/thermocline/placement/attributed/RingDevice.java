// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.attributed;

import java.util.Objects;

/**
 * One device of a ring with its attributes: capacity c in bytes and bandwidth b in MB/s.
 * Immutable. Zones (l) are up to the caller. The attributes are fixed ones: totals and averages, not what is free or fast just now.
 *
 * <p>Source: attributedCH, sections 3.1 and 3.2.
 */
public final class RingDevice {
  private final String id;
  private final long capacityBytes;
  private final double bandwidth;

  private RingDevice(String id, long capacityBytes, double bandwidth) {
    this.id = id;
    this.capacityBytes = capacityBytes;
    this.bandwidth = bandwidth;
  }

  /**
   * A device.
   *
   * @param id never empty, unique within its ring
   * @param capacityBytes total capacity in bytes, at least 1
   * @param bandwidth average in MB/s, or in any other unit that all devices of the ring share
   * @throws IllegalArgumentException if the id is empty, or capacity or bandwidth isn't positive
   */
  public static RingDevice of(String id, long capacityBytes, double bandwidth) {
    if (Objects.requireNonNull(id, "id").isEmpty()) {
      throw new IllegalArgumentException("a device needs an id, got an empty string");
    }
    if (capacityBytes <= 0) {
      throw new IllegalArgumentException(
          "device " + id + " needs a positive capacity, got " + capacityBytes + " bytes");
    }
    if (!(bandwidth > 0) || Double.isInfinite(bandwidth)) {
      throw new IllegalArgumentException(
          "device " + id + " needs a positive bandwidth, got " + bandwidth + " MB/s");
    }
    return new RingDevice(id, capacityBytes, bandwidth);
  }

  public String id() {
    return id;
  }

  public long capacityBytes() {
    return capacityBytes;
  }

  public double bandwidth() {
    return bandwidth;
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof RingDevice)) {
      return false;
    }
    RingDevice that = (RingDevice) other;
    return id.equals(that.id) && capacityBytes == that.capacityBytes && bandwidth == that.bandwidth;
  }

  @Override
  public int hashCode() {
    return Objects.hash(id, capacityBytes, bandwidth);
  }

  @Override
  public String toString() {
    return id + "(" + capacityBytes + " bytes, " + bandwidth + " MB/s)";
  }
}
