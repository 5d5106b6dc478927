// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.suora;

/** Capacity of a device and what is left of it, in bytes. Immutable. */
public final class DeviceSpace {
  private static final long UNKNOWN = -1;

  private final long capacity;
  private final long remaining;

  private DeviceSpace(long capacity, long remaining) {
    this.capacity = capacity;
    this.remaining = remaining;
  }

  /** A device that reports; what remains is taken as between 0 and the capacity. */
  public static DeviceSpace of(long capacity, long remaining) {
    return new DeviceSpace(capacity, Math.max(0, Math.min(remaining, capacity)));
  }

  /** A device that doesn't report now. */
  public static DeviceSpace ofUnknownFill(long capacity) {
    return new DeviceSpace(capacity, UNKNOWN);
  }

  public long capacity() {
    return capacity;
  }

  boolean isFillKnown() {
    return remaining != UNKNOWN;
  }

  long remaining() {
    return remaining;
  }

  double fill() {
    return 1 - (double) remaining / capacity;
  }
}
