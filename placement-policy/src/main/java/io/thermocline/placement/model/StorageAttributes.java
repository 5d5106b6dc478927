// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.model;

import java.util.Objects;
import java.util.OptionalLong;

/** What an administrator says of one storage, which no heartbeat does. Immutable. */
public final class StorageAttributes {
  private static final long UNKNOWN = -1;

  private final PerformanceClass performanceClass;
  private final String zone;
  private final long bandwidth;
  private final long budget;
  private final long written;

  private StorageAttributes(
      PerformanceClass performanceClass, String zone, long bandwidth, long budget, long written) {
    this.performanceClass = performanceClass;
    this.zone = zone;
    this.bandwidth = bandwidth;
    this.budget = budget;
    this.written = written;
  }

  static StorageAttributes of(
      PerformanceClass performanceClass, String zone, Long bandwidth, Long budget, Long written) {
    return new StorageAttributes(
        performanceClass, zone, orUnknown(bandwidth), orUnknown(budget), orUnknown(written));
  }

  public PerformanceClass performanceClass() {
    return performanceClass;
  }

  /** A name, or null where none was given. */
  public String zone() {
    return zone;
  }

  /** Bytes a second. */
  public OptionalLong bandwidth() {
    return optional(bandwidth);
  }

  /** Whether more was written to the device than its budget; never where one of the two isn't known. */
  public boolean isWornOut() {
    return budget != UNKNOWN && written != UNKNOWN && written > budget;
  }

  private static long orUnknown(Long value) {
    return value == null ? UNKNOWN : value;
  }

  private static OptionalLong optional(long value) {
    return value == UNKNOWN ? OptionalLong.empty() : OptionalLong.of(value);
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof StorageAttributes)) {
      return false;
    }
    StorageAttributes that = (StorageAttributes) other;
    return performanceClass.equals(that.performanceClass)
        && Objects.equals(zone, that.zone)
        && bandwidth == that.bandwidth
        && budget == that.budget
        && written == that.written;
  }

  @Override
  public int hashCode() {
    return Objects.hash(performanceClass, zone, bandwidth, budget, written);
  }

  @Override
  public String toString() {
    return performanceClass
        + " zone="
        + zone
        + " bandwidth="
        + bandwidth
        + " tbw="
        + budget
        + " written="
        + written;
  }
}
