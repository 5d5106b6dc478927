// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import io.thermocline.placement.attributed.AttributedRing;
import io.thermocline.placement.attributed.RingDevice;
import io.thermocline.placement.attributed.RingRules;
import io.thermocline.placement.model.DeviceSelector;
import io.thermocline.placement.model.StorageAttributes;
import io.thermocline.placement.suora.BucketSegments;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.function.IntPredicate;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.ThermoclineBridge;

/**
 * By attributedCH's ring: capacity from heartbeats, bandwidth from the node attributes. Replicas are kept in
 * different zones by the caller.
 */
final class RingSelection implements BucketSelection {
  /** All that have no bandwidth given count as equally fast; only ratios matter. */
  private static final double BANDWIDTH_UNKNOWN = 100;

  private static final double BYTES_PER_MB = 1e6;

  private final Function<String, StorageAttributes> attributes;

  /**
   * @param attributes by storage id
   */
  RingSelection(Function<String, StorageAttributes> attributes) {
    this.attributes = attributes;
  }

  @Override
  public OfBucket ofBucket(long seed) {
    return new Ring();
  }

  @Override
  public DeviceSelector ofRack(SortedMap<String, DatanodeStorageInfo> storages, long seed) {
    List<RingDevice> devices = new ArrayList<>();
    storages.forEach((id, storage) -> devices.add(device(id, storage)));
    return AttributedRing.build(devices, RingRules.defaults());
  }

  @Override
  public String zoneOf(DatanodeStorageInfo storage) {
    StorageAttributes said = attributes.apply(storage.getStorageID());
    return said == null ? null : said.zone();
  }

  private RingDevice device(String id, DatanodeStorageInfo storage) {
    StorageAttributes said = attributes.apply(id);
    return RingDevice.of(
        id,
        ThermoclineBridge.capacity(storage),
        said.bandwidth().isPresent()
            ? said.bandwidth().getAsLong() / BYTES_PER_MB
            : BANDWIDTH_UNKNOWN);
  }

  private final class Ring implements OfBucket {
    private AttributedRing ring;
    private DeviceSelector current;

    @Override
    public DeviceSelector follow(
        BucketSegments segments,
        SortedMap<String, DatanodeStorageInfo> present,
        Set<String> passedOver) {
      List<RingDevice> devices = new ArrayList<>(present.size());
      for (Map.Entry<String, DatanodeStorageInfo> entry : present.entrySet()) {
        if (!passedOver.contains(entry.getKey())) {
          devices.add(device(entry.getKey(), entry.getValue()));
        }
      }
      AttributedRing next =
          ring == null ? AttributedRing.build(devices, RingRules.defaults()) : ring.follow(devices);
      if (next != ring) {
        ring = next;
        current = new Present(next);
      }
      return current;
    }
  }

  /** The devices of a ring that are not marked as removed, numbered without gaps. */
  private static final class Present implements DeviceSelector {
    private final AttributedRing ring;
    private final int[] onRing;
    private final int[] number;

    Present(AttributedRing ring) {
      this.ring = ring;
      this.number = new int[ring.devices()];
      int[] there = new int[ring.devices()];
      int count = 0;
      for (int i = 0; i < number.length; i++) {
        if (!ring.isRemoved(i)) {
          there[count] = i;
          number[i] = count++;
        }
      }
      this.onRing = Arrays.copyOf(there, count);
    }

    @Override
    public int select(long key, IntPredicate accept, int maxTries) {
      int device = ring.select(key, index -> accept.test(number[index]), maxTries);
      return device == NONE ? NONE : number[device];
    }

    @Override
    public int devices() {
      return onRing.length;
    }

    @Override
    public String deviceId(int index) {
      return ring.deviceId(onRing[index]);
    }
  }
}
