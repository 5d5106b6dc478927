// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.suora;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Which ranges of one bucket's number line belong to which device. Immutable: {@link #append} and
 * {@link #remove} give a new table. Lengths are in units of the capacity parameter p (equation 1).
 *
 * <p>Source: SUORA, sections 3.2 and 3.4.2.
 */
public final class SegmentTable {
  // A table is never re-sorted and a hole is never filled. A key belongs to the device whose
  // segment its sequence reaches first, so a key moves exactly when the range before its own
  // segment changes. Appending at the end of the line takes from each device its share and moves
  // nothing between old devices (figure 9a); removing leaves a hole that sends only the removed
  // device's keys on (figure 9b). Sorting by device id instead would shift every segment behind
  // the new one: one node joining would move some nine tenths of all keys. So the table is a
  // history, and two parties agree on placements only if they share it.

  /** Cells a table may have; an int array of that size is 64 MiB. */
  static final int MAX_CELLS = 1 << 24;

  /** Shorter remainders are rounding: 3 TB / 1 TB must be three cells, whatever the division says. */
  private static final double SHORTEST = 1e-9;

  private final List<Segment> segments;
  private final int nextCell;

  private SegmentTable(List<Segment> segments, int nextCell) {
    this.segments = Collections.unmodifiableList(segments);
    this.nextCell = nextCell;
  }

  /**
   * The first assignment: devices in the order given, each from the next integer on.
   *
   * @param p capacity in bytes that is one unit long, usually {@link #meanCapacity}
   * @throws IllegalArgumentException if p isn't positive and finite, an id appears twice, or the line
   *     would be unreasonably long
   */
  public static SegmentTable assign(List<Device> devices, double p) {
    List<Segment> segments = new ArrayList<>(devices.size() * 2);
    Set<String> seen = new HashSet<>();
    int cell = 0;
    for (Device device : devices) {
      if (!seen.add(device.id())) {
        throw new IllegalArgumentException("device " + device.id() + " is given twice");
      }
      cell = addSegments(segments, cell, device, p);
    }
    return new SegmentTable(segments, cell);
  }

  /**
   * This table with one device more, at the end of the line. Old segments keep their ranges.
   *
   * @param p capacity in bytes that is one unit long; may differ from that of earlier devices
   * @throws IllegalArgumentException if the device is in the table already, or as {@link #assign}
   */
  public SegmentTable append(Device device, double p) {
    if (contains(device.id())) {
      throw new IllegalArgumentException("device " + device.id() + " is in the table already");
    }
    List<Segment> grown = new ArrayList<>(segments);
    return new SegmentTable(grown, addSegments(grown, nextCell, device, p));
  }

  /**
   * This table without one device. Its range stays empty, and isn't given to a later device.
   *
   * @throws IllegalArgumentException if there is no such device
   */
  public SegmentTable remove(String deviceId) {
    List<Segment> left = new ArrayList<>(segments);
    if (!left.removeIf(segment -> segment.deviceId().equals(deviceId))) {
      throw new IllegalArgumentException("no device " + deviceId + " in the table");
    }
    return new SegmentTable(left, nextCell);
  }

  public boolean contains(String deviceId) {
    Objects.requireNonNull(deviceId, "deviceId");
    for (Segment segment : segments) {
      if (segment.deviceId().equals(deviceId)) {
        return true;
      }
    }
    return false;
  }

  /** In ascending order of their starts; unmodifiable. */
  public List<Segment> segments() {
    return segments;
  }

  /** Integer cells ever used, holes included: where the next device would start. */
  public int cells() {
    return nextCell;
  }

  /** This table compiled for look-ups. Costs one pass over the line: keep the result. */
  public NumberLine numberLine() {
    return NumberLine.compile(segments);
  }

  /**
   * Mean capacity in bytes, the usual p.
   *
   * @throws IllegalArgumentException if there are no devices
   */
  public static double meanCapacity(List<Device> devices) {
    if (devices.isEmpty()) {
      throw new IllegalArgumentException("no devices to take the mean capacity of");
    }
    double sum = 0;
    for (Device device : devices) {
      sum += device.capacityBytes();
    }
    return sum / devices.size();
  }

  @Override
  public String toString() {
    return segments.toString();
  }

  /** Adds the device's segments from {@code cell} on and returns the first cell behind them. */
  private static int addSegments(List<Segment> segments, int cell, Device device, double p) {
    if (!(p > 0) || Double.isInfinite(p)) {
      throw new IllegalArgumentException("p must be a positive number of bytes, got " + p);
    }
    double length = device.capacityBytes() / p;
    if (length < SHORTEST) {
      throw new IllegalArgumentException(
          device + " is too small to show on a line with p = " + p + " bytes");
    }
    if (cell + length > MAX_CELLS) {
      throw new IllegalArgumentException(
          device
              + " would end at "
              + (cell + length)
              + " with p = "
              + p
              + " bytes: a line ends at "
              + MAX_CELLS);
    }
    double left = length;
    int next = cell;
    while (left > SHORTEST) {
      segments.add(new Segment(device.id(), next, next + Math.min(left, 1)));
      left -= 1;
      next++;
    }
    return next;
  }
}
