// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.suora;

import java.util.Objects;

/**
 * One step in the history of a {@link SegmentTable}: all that need be kept, in order, to have the same
 * table again. Immutable.
 */
public final class TableOperation {
  /** What is done. */
  public enum Kind {
    /** One device of the first assignment; before all others. */
    ASSIGN,
    /** A device joins. */
    APPEND,
    /** A device leaves. */
    REMOVE
  }

  private final Kind kind;
  private final String deviceId;
  private final long capacityBytes;
  private final double p;

  private TableOperation(Kind kind, String deviceId, long capacityBytes, double p) {
    this.kind = kind;
    this.deviceId = Objects.requireNonNull(deviceId, "deviceId");
    this.capacityBytes = capacityBytes;
    this.p = p;
  }

  public static TableOperation assign(Device device, double p) {
    return new TableOperation(Kind.ASSIGN, device.id(), device.capacityBytes(), p);
  }

  public static TableOperation append(Device device, double p) {
    return new TableOperation(Kind.APPEND, device.id(), device.capacityBytes(), p);
  }

  public static TableOperation remove(String deviceId) {
    return new TableOperation(Kind.REMOVE, deviceId, 0, 0);
  }

  public Kind kind() {
    return kind;
  }

  public String deviceId() {
    return deviceId;
  }

  /** In bytes; 0 where a device leaves. */
  public long capacityBytes() {
    return capacityBytes;
  }

  /** Capacity in bytes that is one unit long; 0 where a device leaves. */
  public double p() {
    return p;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TableOperation
        && ((TableOperation) other).kind == kind
        && ((TableOperation) other).deviceId.equals(deviceId)
        && ((TableOperation) other).capacityBytes == capacityBytes
        && ((TableOperation) other).p == p;
  }

  @Override
  public int hashCode() {
    return Objects.hash(kind, deviceId, capacityBytes, p);
  }

  @Override
  public String toString() {
    return kind == Kind.REMOVE
        ? "remove " + deviceId
        : kind.name().toLowerCase(java.util.Locale.ROOT)
            + " "
            + deviceId
            + " "
            + capacityBytes
            + " bytes, p "
            + p;
  }
}
