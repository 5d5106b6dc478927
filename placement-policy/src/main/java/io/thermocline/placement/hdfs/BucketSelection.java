// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import io.thermocline.placement.model.DeviceSelector;
import io.thermocline.placement.suora.BucketSegments;
import java.util.Set;
import java.util.SortedMap;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;

/** The algorithm that chooses among the storages of a bucket. Used by one thread; its selectors by any. */
interface BucketSelection {
  /** For one bucket as it changes. */
  OfBucket ofBucket(long seed);

  /**
   * For the storages of a bucket that are on one rack. Nothing is found by it, so it keeps no history.
   *
   * @param storages by id, at least one
   * @param seed of the bucket
   */
  DeviceSelector ofRack(SortedMap<String, DatanodeStorageInfo> storages, long seed);

  /**
   * What replicas are kept apart by beside racks.
   *
   * @return null where nothing is said of the storage, or that doesn't count
   */
  default String zoneOf(DatanodeStorageInfo storage) {
    return null;
  }

  /** Follows one bucket. */
  interface OfBucket {
    /**
     * A selector of the storages that take new blocks; the same object as before where nothing changed.
     *
     * @param present by id
     * @param passedOver ids of storages that are away or take no new blocks
     */
    DeviceSelector follow(
        BucketSegments segments,
        SortedMap<String, DatanodeStorageInfo> present,
        Set<String> passedOver);
  }
}
