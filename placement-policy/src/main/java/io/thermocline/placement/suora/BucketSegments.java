// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.suora;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The segments of one bucket as its devices come and go (SUORA section 3.4.2): the first assignment in
 * the order of device ids, later ones appended, gone ones removed. Immutable. NameNode and service both
 * follow their cluster with it, so that both find the same home for a block.
 */
public final class BucketSegments {

  // p stays what it was at the first assignment, so that a length is a capacity whenever its
  // device joined. The paper's p of a new device, from the mean remaining capacity, counts for new
  // blocks alone: see JoiningDevices.
  //
  // The line is assigned anew where it no longer pays: many holes, or a first p far from what the
  // cluster has become (the first device to be seen may be the odd one). Nothing is ever found by
  // these lines, HDFS keeps locations itself, so that costs nothing but the lines' history.

  /** What to do where more devices join than there were. */
  public enum Growth {
    /** Assign all anew: mostly a cluster starts up, and too few were seen for a p that means much. */
    ASSIGN_ANEW,
    /** Append, as ever: the first assignment was known to be of a whole cluster. */
    APPEND
  }

  /** A fresh line with p = mean is at least half full: the sum of ceil(l) is under twice that of l. */
  private static final double LEAST_FILL = 0.25;

  private static final int MOST_CELLS_PER_DEVICE = 8;

  /** File systems whose capacity wavers with their use must not be new devices every second. */
  private static final double CAPACITY_TOLERANCE = 0.01;

  private static final String UNNAMED = "-";

  private final SegmentLog log;
  private final NumberLine line;

  private BucketSegments(SegmentLog log) {
    this.log = log;
    this.line = log.table().numberLine();
  }

  /**
   * The first assignment.
   *
   * @param present capacity in bytes by device id, at least one
   */
  public static BucketSegments assign(SortedMap<String, Long> present) {
    return new BucketSegments(assigned(SegmentLog.empty(UNNAMED), spaces(present)));
  }

  /** The segments that a log has led to. */
  public static BucketSegments of(SegmentLog log) {
    return new BucketSegments(log);
  }

  /** All devices anew, in the order of their ids, whatever the log led to. */
  public BucketSegments assignAnew(SortedMap<String, DeviceSpace> present) {
    return new BucketSegments(assigned(log, present));
  }

  /** The segments for the devices present now, of which it is known how full they are; this object where nothing changed. */
  public BucketSegments follow(SortedMap<String, DeviceSpace> present, Growth growth) {
    Set<String> gone = new TreeSet<>();
    for (String id : log.deviceIds()) {
      DeviceSpace now = present.get(id);
      if (now == null || differs(now.capacity(), log.capacity(id))) {
        gone.add(id);
      }
    }
    int kept = log.deviceIds().size() - gone.size();
    int joining = present.size() - kept;
    SegmentLog next = log;
    if (joining > kept && (growth == Growth.ASSIGN_ANEW || kept == 0)) {
      next = assigned(log, present);
    } else if (joining > 0 || !gone.isEmpty()) {
      next = changed(gone, present);
      if (next == null || !pays(next)) {
        next = assigned(log, present);
      }
    }
    List<String> level = new JoiningDevices(next, present, Double.MAX_VALUE).level(next, present);
    if (!level.isEmpty()) {
      next = next.with(SegmentOperation.level(level));
    }
    return next == log ? this : new BucketSegments(next);
  }

  /** The homes' line. */
  public NumberLine numberLine() {
    return line;
  }

  /** The line for new blocks; see {@link SegmentLog#writeTable}. */
  public NumberLine writeLine(Set<String> passedOver) {
    return log.writeTable(passedOver).numberLine();
  }

  /** The homes' segments themselves, with their history. */
  public SegmentTable table() {
    return log.table();
  }

  /** Integer cells of the homes' line, holes included. */
  public int cells() {
    return log.table().cells();
  }

  /** How these segments came to be. */
  public SegmentLog log() {
    return log;
  }

  private static SegmentLog assigned(SegmentLog log, SortedMap<String, DeviceSpace> present) {
    List<Device> devices = new ArrayList<>(present.size());
    present.forEach((id, space) -> devices.add(Device.of(id, space.capacity())));
    return log.with(SegmentOperation.assign(devices, SegmentTable.meanCapacity(devices)));
  }

  /** Without what is gone, and with what joins at the end; null where the line has no room for it. */
  private SegmentLog changed(Set<String> gone, SortedMap<String, DeviceSpace> present) {
    SegmentLog next = log;
    if (!gone.isEmpty()) {
      next = next.with(SegmentOperation.remove(gone));
    }
    double longest = MOST_CELLS_PER_DEVICE * (double) present.size();
    JoiningDevices joining = new JoiningDevices(next, present, longest);
    List<TableMember> members = new ArrayList<>();
    for (Map.Entry<String, DeviceSpace> entry : present.entrySet()) {
      DeviceSpace space = entry.getValue();
      if (!next.deviceIds().contains(entry.getKey())) {
        if (space.capacity() / log.p() > longest) {
          return null;
        }
        members.add(
            new TableMember(Device.of(entry.getKey(), space.capacity()), joining.writeP(space)));
      }
    }
    return members.isEmpty() ? next : next.with(SegmentOperation.append(members, log.p()));
  }

  private static boolean pays(SegmentLog log) {
    double filled = 0;
    for (Segment segment : log.table().segments()) {
      filled += segment.length();
    }
    return filled >= LEAST_FILL * log.table().cells()
        && log.table().cells() <= MOST_CELLS_PER_DEVICE * (double) log.deviceIds().size();
  }

  private static SortedMap<String, DeviceSpace> spaces(SortedMap<String, Long> capacities) {
    SortedMap<String, DeviceSpace> spaces = new TreeMap<>();
    capacities.forEach((id, capacity) -> spaces.put(id, DeviceSpace.ofUnknownFill(capacity)));
    return Collections.unmodifiableSortedMap(spaces);
  }

  private static boolean differs(long now, long then) {
    return Math.abs((double) now - then) > CAPACITY_TOLERANCE * then;
  }
}
