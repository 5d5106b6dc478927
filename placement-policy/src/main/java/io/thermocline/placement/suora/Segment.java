// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.suora;

/**
 * A range {@code [start, end)} of a bucket's number line that belongs to one device. It starts at an
 * integer and is at most 1 long, so that no two segments share an integer cell. Immutable.
 *
 * <p>Source: SUORA, section 3.2 and table 2.
 */
public final class Segment {
  private final String deviceId;
  private final int start;
  private final double end;

  Segment(String deviceId, int start, double end) {
    this.deviceId = deviceId;
    this.start = start;
    this.end = end;
  }

  public String deviceId() {
    return deviceId;
  }

  public int start() {
    return start;
  }

  public double end() {
    return end;
  }

  /** In units of p; greater than 0, at most 1. */
  public double length() {
    return end - start;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Segment
        && ((Segment) other).deviceId.equals(deviceId)
        && ((Segment) other).start == start
        && ((Segment) other).end == end;
  }

  @Override
  public int hashCode() {
    return (deviceId.hashCode() * 31 + start) * 31 + Double.hashCode(end);
  }

  @Override
  public String toString() {
    return deviceId + "[" + start + ", " + end + ")";
  }
}
