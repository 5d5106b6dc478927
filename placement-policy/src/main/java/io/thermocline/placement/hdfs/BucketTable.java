// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import io.thermocline.placement.model.StorageType;
import io.thermocline.placement.suora.BucketSegments;
import io.thermocline.placement.suora.NumberLine;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.ThermoclineBridge;

/**
 * Follows the storages of one type with their bucket's segments, and puts the NameNode's storages behind
 * the line. Used by one thread.
 */
final class BucketTable {

  private final StorageType type;
  private BucketSegments segments;
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
      segments = null;
      return null;
    }
    SortedMap<String, Long> capacities = new TreeMap<>();
    present.forEach((id, storage) -> capacities.put(id, ThermoclineBridge.capacity(storage)));
    BucketSegments now =
        segments == null ? BucketSegments.assign(capacities) : segments.follow(capacities);
    boolean changed = now != segments;
    segments = now;
    NumberLine line = now.numberLine();
    DatanodeStorageInfo[] storages = new DatanodeStorageInfo[line.devices()];
    for (int i = 0; i < storages.length; i++) {
      storages[i] = present.get(line.deviceId(i));
    }
    if (changed || current == null || !current.holdsExactly(storages)) {
      current = new BucketLine(type, line, storages);
    }
    return current;
  }

  /** Integer cells of the line, holes included. */
  int cells() {
    return segments.cells();
  }
}
