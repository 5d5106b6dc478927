// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import io.thermocline.placement.model.StorageType;
import io.thermocline.placement.suora.Device;
import io.thermocline.placement.suora.NumberLine;
import io.thermocline.placement.suora.Segment;
import io.thermocline.placement.suora.SegmentTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.ThermoclineBridge;

/**
 * The segment table of one storage type as storages come and go: the first assignment in the order of
 * storage ids, later ones appended, gone ones removed. Used by one thread.
 */
final class BucketTable {
  // p stays what it was at the first assignment, so that a length is a capacity whenever its device
  // joined. The paper lets a new device's p shrink to the mean *remaining* capacity, which on a
  // nearly
  // full cluster sends almost every new block to one node.
  //
  // The line is assigned anew where it no longer pays: many holes, or a first p far from what the
  // cluster has become (the first DataNode to register may be the odd one). Nothing is ever found
  // by
  // these lines, HDFS keeps locations itself, so that costs nothing but the lines' history.

  /** A fresh line with p = mean is at least half full: the sum of ceil(l) is under twice that of l. */
  private static final double LEAST_FILL = 0.25;

  private static final int MOST_CELLS_PER_DEVICE = 8;

  /** File systems whose capacity wavers with their use must not be new devices every second. */
  private static final double CAPACITY_TOLERANCE = 0.01;

  private final StorageType type;
  private final Map<String, Long> capacities = new HashMap<>();
  private SegmentTable table;
  private double p;
  private NumberLine line;
  private BucketLine current;

  BucketTable(StorageType type) {
    this.type = type;
  }

  /**
   * The line for the storages present now; the same object as before where nothing changed, null
   * where there are none.
   */
  BucketLine refresh(SortedMap<String, DatanodeStorageInfo> present) {
    if (present.isEmpty()) {
      capacities.clear();
      return null;
    }
    if (update(present)) {
      line = table.numberLine();
      current = null;
    }
    DatanodeStorageInfo[] storages = new DatanodeStorageInfo[line.devices()];
    for (int i = 0; i < storages.length; i++) {
      storages[i] = present.get(line.deviceId(i));
    }
    if (current == null || !current.holdsExactly(storages)) {
      current = new BucketLine(type, line, storages);
    }
    return current;
  }

  /** Integer cells of the line, holes included. */
  int cells() {
    return table.cells();
  }

  /** Brings the table up to date and says whether it changed. */
  private boolean update(SortedMap<String, DatanodeStorageInfo> present) {
    List<String> gone = new ArrayList<>();
    capacities.forEach(
        (id, capacity) -> {
          DatanodeStorageInfo storage = present.get(id);
          if (storage == null || differs(ThermoclineBridge.capacity(storage), capacity)) {
            gone.add(id);
          }
        });
    int kept = capacities.size() - gone.size();
    int joining = present.size() - kept;
    if (gone.isEmpty() && joining == 0) {
      return false;
    }
    if (joining > kept) {
      // A cluster that starts up, mostly: too few have been seen for a p that means anything.
      assign(present);
      return true;
    }
    for (String id : gone) {
      table = table.remove(id);
      capacities.remove(id);
    }
    if (!appendNew(present) || !paysStill()) {
      assign(present);
    }
    return true;
  }

  /** Appends what isn't in the table, or says that the line has no room for it. */
  private boolean appendNew(SortedMap<String, DatanodeStorageInfo> present) {
    for (Map.Entry<String, DatanodeStorageInfo> entry : present.entrySet()) {
      if (!capacities.containsKey(entry.getKey())) {
        long capacity = ThermoclineBridge.capacity(entry.getValue());
        if (capacity / p > MOST_CELLS_PER_DEVICE * (double) present.size()) {
          return false;
        }
        table = table.append(Device.of(entry.getKey(), capacity), p);
        capacities.put(entry.getKey(), capacity);
      }
    }
    return true;
  }

  private boolean paysStill() {
    double filled = 0;
    for (Segment segment : table.segments()) {
      filled += segment.length();
    }
    return filled >= LEAST_FILL * table.cells()
        && table.cells() <= MOST_CELLS_PER_DEVICE * (double) capacities.size();
  }

  private void assign(SortedMap<String, DatanodeStorageInfo> present) {
    capacities.clear();
    List<Device> devices = new ArrayList<>(present.size());
    present.forEach(
        (id, storage) -> {
          long capacity = ThermoclineBridge.capacity(storage);
          devices.add(Device.of(id, capacity));
          capacities.put(id, capacity);
        });
    p = SegmentTable.meanCapacity(devices);
    table = SegmentTable.assign(devices, p);
  }

  private static boolean differs(long now, long then) {
    return Math.abs((double) now - then) > CAPACITY_TOLERANCE * then;
  }
}
