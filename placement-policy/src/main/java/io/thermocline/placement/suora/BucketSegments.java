// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.suora;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * The segments of one bucket as its devices come and go (SUORA section 3.4.2): the first assignment in
 * the order of device ids, later ones appended, gone ones removed. Immutable. NameNode and service both
 * follow their cluster with it, so that both find the same home for a block.
 */
public final class BucketSegments {

  // p stays what it was at the first assignment, so that a length is a capacity whenever its
  // device joined. The paper lets a new device's p shrink to the mean *remaining* capacity, which
  // on a nearly full cluster sends almost every new block to one node.
  //
  // The line is assigned anew where it no longer pays: many holes, or a first p far from what the
  // cluster has become (the first device to be seen may be the odd one). Nothing is ever found by
  // these lines, HDFS keeps locations itself, so that costs nothing but the lines' history.

  /** A fresh line with p = mean is at least half full: the sum of ceil(l) is under twice that of l. */
  private static final double LEAST_FILL = 0.25;

  private static final int MOST_CELLS_PER_DEVICE = 8;

  /** File systems whose capacity wavers with their use must not be new devices every second. */
  private static final double CAPACITY_TOLERANCE = 0.01;

  private final Map<String, Long> capacities;
  private final SegmentTable table;
  private final double p;
  private final NumberLine line;

  private BucketSegments(Map<String, Long> capacities, SegmentTable table, double p) {
    this.capacities = capacities;
    this.table = table;
    this.p = p;
    this.line = table.numberLine();
  }

  /**
   * The first assignment.
   *
   * @param present capacity in bytes by device id, at least one
   */
  public static BucketSegments assign(SortedMap<String, Long> present) {
    List<Device> devices = new ArrayList<>(present.size());
    present.forEach((id, capacity) -> devices.add(Device.of(id, capacity)));
    double p = SegmentTable.meanCapacity(devices);
    return new BucketSegments(new HashMap<>(present), SegmentTable.assign(devices, p), p);
  }

  /** The segments for the devices present now; this object where nothing changed. */
  public BucketSegments follow(SortedMap<String, Long> present) {
    List<String> gone = new ArrayList<>();
    capacities.forEach(
        (id, capacity) -> {
          Long now = present.get(id);
          if (now == null || differs(now, capacity)) {
            gone.add(id);
          }
        });
    int kept = capacities.size() - gone.size();
    int joining = present.size() - kept;
    if (gone.isEmpty() && joining == 0) {
      return this;
    }
    if (joining > kept) {
      // A cluster that starts up, mostly: too few have been seen for a p that means anything.
      return assign(present);
    }
    BucketSegments next = without(gone).with(present);
    return next != null && next.pays() ? next : assign(present);
  }

  public NumberLine numberLine() {
    return line;
  }

  /** Integer cells of the line, holes included. */
  public int cells() {
    return table.cells();
  }

  private BucketSegments without(List<String> gone) {
    Map<String, Long> left = new HashMap<>(capacities);
    SegmentTable rest = table;
    for (String id : gone) {
      rest = rest.remove(id);
      left.remove(id);
    }
    return new BucketSegments(left, rest, p);
  }

  /** With what isn't in the table at its end, or null where the line has no room for it. */
  private BucketSegments with(SortedMap<String, Long> present) {
    Map<String, Long> all = new HashMap<>(capacities);
    SegmentTable longer = table;
    for (Map.Entry<String, Long> entry : present.entrySet()) {
      if (!all.containsKey(entry.getKey())) {
        if (entry.getValue() / p > MOST_CELLS_PER_DEVICE * (double) present.size()) {
          return null;
        }
        longer = longer.append(Device.of(entry.getKey(), entry.getValue()), p);
        all.put(entry.getKey(), entry.getValue());
      }
    }
    return new BucketSegments(all, longer, p);
  }

  private boolean pays() {
    double filled = 0;
    for (Segment segment : table.segments()) {
      filled += segment.length();
    }
    return filled >= LEAST_FILL * table.cells()
        && table.cells() <= MOST_CELLS_PER_DEVICE * (double) capacities.size();
  }

  private static boolean differs(long now, long then) {
    return Math.abs((double) now - then) > CAPACITY_TOLERANCE * then;
  }
}
