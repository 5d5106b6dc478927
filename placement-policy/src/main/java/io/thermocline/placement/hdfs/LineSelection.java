// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import io.thermocline.placement.model.DeviceSelector;
import io.thermocline.placement.suora.BucketSegments;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.ThermoclineBridge;

/** By SUORA's number lines. */
final class LineSelection implements BucketSelection {
  @Override
  public OfBucket ofBucket(long seed) {
    return new Line(seed);
  }

  @Override
  public DeviceSelector ofRack(SortedMap<String, DatanodeStorageInfo> storages, long seed) {
    SortedMap<String, Long> capacities = new TreeMap<>();
    storages.forEach((id, storage) -> capacities.put(id, ThermoclineBridge.capacity(storage)));
    return BucketSegments.assign(capacities).numberLine().selector(seed);
  }

  private static final class Line implements OfBucket {
    private final long seed;
    private BucketSegments segments;
    private Set<String> passedOver;
    private DeviceSelector current;

    Line(long seed) {
      this.seed = seed;
    }

    @Override
    public DeviceSelector follow(
        BucketSegments now, SortedMap<String, DatanodeStorageInfo> present, Set<String> without) {
      if (current == null || now != segments || !without.equals(passedOver)) {
        current = now.writeLine(without).selector(seed);
        segments = now;
        passedOver = without;
      }
      return current;
    }
  }
}
