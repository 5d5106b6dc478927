// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.suora;

import java.util.Objects;

/**
 * One device of a bucket: on HDFS, one storage of one DataNode. Immutable.
 *
 * <p>Source: SUORA, section 3.1.1.
 */
public final class Device {
  private final String id;
  private final long capacityBytes;

  private Device(String id, long capacityBytes) {
    this.id = id;
    this.capacityBytes = capacityBytes;
  }

  /**
   * A device.
   *
   * @param id never empty, unique within its bucket
   * @param capacityBytes total capacity in bytes, at least 1
   * @throws IllegalArgumentException if the id is empty or the capacity isn't positive
   */
  public static Device of(String id, long capacityBytes) {
    if (Objects.requireNonNull(id, "id").isEmpty()) {
      throw new IllegalArgumentException("a device needs an id, got an empty string");
    }
    if (capacityBytes <= 0) {
      throw new IllegalArgumentException(
          "device " + id + " needs a positive capacity, got " + capacityBytes + " bytes");
    }
    return new Device(id, capacityBytes);
  }

  public String id() {
    return id;
  }

  public long capacityBytes() {
    return capacityBytes;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Device
        && ((Device) other).id.equals(id)
        && ((Device) other).capacityBytes == capacityBytes;
  }

  @Override
  public int hashCode() {
    return id.hashCode() * 31 + Long.hashCode(capacityBytes);
  }

  @Override
  public String toString() {
    return id + "(" + capacityBytes + " bytes)";
  }
}
