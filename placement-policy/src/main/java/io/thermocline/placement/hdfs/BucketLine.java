// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import io.thermocline.placement.model.StorageType;
import io.thermocline.placement.suora.NumberLine;
import io.thermocline.placement.suora.RandomSequence;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;

/** The number line of one storage type, with the NameNode's storages behind it. Immutable. */
final class BucketLine {
  /**
   * Numbers to draw before the stock policy is asked. A line is at least a quarter full and its range
   * at most twice the line, so one rack in fifty is missed once in four draws times fifty at worst,
   * usually in ninety; a draw that hits another rack costs some 10 ns.
   */
  private static final int MAX_DRAWS = 512;

  private final StorageType type;
  private final NumberLine line;
  private final DatanodeStorageInfo[] storages;

  /** Storages in the order of the line's device indices. */
  BucketLine(StorageType type, NumberLine line, DatanodeStorageInfo[] storages) {
    this.type = type;
    this.line = line;
    this.storages = storages;
  }

  /** The first accepted storage that the key's sequence reaches, or null. */
  DatanodeStorageInfo place(long key, Predicate<DatanodeStorageInfo> accept) {
    int device =
        line.place(
            RandomSequence.inBucket(key, type), index -> accept.test(storages[index]), MAX_DRAWS);
    return device == NumberLine.NONE ? null : storages[device];
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
