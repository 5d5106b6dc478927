// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import io.thermocline.placement.model.DeviceSelector;
import io.thermocline.placement.model.StorageType;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;

/**
 * One bucket: what selects among its devices, with the NameNode's storages behind it. Immutable. A
 * storage type may have several, one per performance class.
 */
final class BucketLine {
  /**
   * Numbers to draw before the stock policy is asked. A line is at least a quarter full and its range
   * at most twice the line, so one rack in fifty is missed once in four draws times fifty at worst,
   * usually in ninety; a draw that hits another rack costs some 10 ns.
   */
  private static final int MAX_DRAWS = 512;

  private final StorageType type;
  private final DeviceSelector selector;
  private final DatanodeStorageInfo[] storages;

  /** Storages in the order of the selector's device indices. */
  BucketLine(StorageType type, DeviceSelector selector, DatanodeStorageInfo[] storages) {
    this.type = type;
    this.selector = selector;
    this.storages = storages;
  }

  StorageType type() {
    return type;
  }

  DeviceSelector selector() {
    return selector;
  }

  int devices() {
    return storages.length;
  }

  DatanodeStorageInfo storage(int device) {
    return storages[device];
  }

  /** The first accepted storage that the key leads to, or null. */
  DatanodeStorageInfo place(long key, Predicate<DatanodeStorageInfo> accept) {
    int device = selector.select(key, index -> accept.test(storages[index]), MAX_DRAWS);
    return device == DeviceSelector.NONE ? null : storages[device];
  }

  boolean holdsExactly(DatanodeStorageInfo[] others) {
    if (storages.length != others.length) {
      return false;
    }
    for (int i = 0; i < others.length; i++) {
      // Not equals: it compares ids, and a node that registered anew has new objects for old ids.
      if (storages[i] != others[i]) {
        return false;
      }
    }
    return true;
  }
}
