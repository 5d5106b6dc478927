// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import io.thermocline.placement.model.DeviceSelector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.ThermoclineBridge;

/**
 * A bucket with its part on each rack. Immutable. The part has a selector of its own, so that a draw
 * within a rack costs what one in the whole bucket does, however many racks there are.
 */
final class RackedLine {
  private final BucketLine line;
  private final DeviceSelector selector;
  private final int[] rackOf;
  private final String[] locations;
  private final Part[] parts;
  private final long capacity;

  /** The devices of the bucket that are on one rack. */
  static final class Part {
    private final DeviceSelector selector;
    private final int[] devices;
    private final long capacity;

    private Part(DeviceSelector selector, int[] devices, long capacity) {
      this.selector = selector;
      this.devices = devices;
      this.capacity = capacity;
    }

    DeviceSelector selector() {
      return selector;
    }

    /** Device of the bucket, by the index of this part's selector. */
    int[] devices() {
      return devices;
    }

    /** In bytes. */
    long capacity() {
      return capacity;
    }
  }

  private RackedLine(BucketLine line, int[] rackOf, Part[] parts, long capacity) {
    this.line = line;
    this.locations = new String[rackOf.length];
    Arrays.setAll(
        locations, device -> line.storage(device).getDatanodeDescriptor().getNetworkLocation());
    this.selector = line.selector();
    this.rackOf = rackOf;
    this.parts = parts;
    this.capacity = capacity;
  }

  /**
   * Splits a bucket.
   *
   * @param rackOf rack by node, for the node of each storage of the bucket
   */
  static RackedLine of(
      BucketLine line,
      Map<DatanodeDescriptor, Integer> rackOf,
      int racks,
      BucketSelection selection) {
    int[] rackOfDevice = new int[line.devices()];
    Map<String, Integer> deviceOf = new HashMap<>();
    List<SortedMap<String, DatanodeStorageInfo>> members = new ArrayList<>();
    for (int rack = 0; rack < racks; rack++) {
      members.add(new TreeMap<>());
    }
    long capacity = 0;
    for (int device = 0; device < line.devices(); device++) {
      DatanodeStorageInfo storage = line.storage(device);
      rackOfDevice[device] = rackOf.get(storage.getDatanodeDescriptor());
      deviceOf.put(storage.getStorageID(), device);
      members.get(rackOfDevice[device]).put(storage.getStorageID(), storage);
      capacity += ThermoclineBridge.capacity(storage);
    }
    Part[] parts = new Part[racks];
    for (int rack = 0; rack < racks; rack++) {
      if (!members.get(rack).isEmpty()) {
        parts[rack] = part(members.get(rack), deviceOf, selection, line.type().bucket());
      }
    }
    return new RackedLine(line, rackOfDevice, parts, capacity);
  }

  private static Part part(
      SortedMap<String, DatanodeStorageInfo> members,
      Map<String, Integer> deviceOf,
      BucketSelection selection,
      long seed) {
    DeviceSelector selector = selection.ofRack(members, seed);
    int[] devices = new int[selector.devices()];
    for (int i = 0; i < devices.length; i++) {
      devices[i] = deviceOf.get(selector.deviceId(i));
    }
    long capacity = members.values().stream().mapToLong(ThermoclineBridge::capacity).sum();
    return new Part(selector, devices, capacity);
  }

  BucketLine line() {
    return line;
  }

  DeviceSelector selector() {
    return selector;
  }

  int devices() {
    return rackOf.length;
  }

  DatanodeStorageInfo storage(int device) {
    return line.storage(device);
  }

  int rackOf(int device) {
    return rackOf[device];
  }

  /** Whether the device's node is on the rack that it was on when this line was made. */
  boolean isStillThere(int device) {
    String now = line.storage(device).getDatanodeDescriptor().getNetworkLocation();
    // Mostly the same object, whose characters then need not be fetched.
    return now == locations[device] || now.equals(locations[device]);
  }

  /** Null where no device of the bucket is on the rack. */
  Part on(int rack) {
    return parts[rack];
  }

  /** Whether no device of the bucket is on another rack. */
  boolean isAllOn(int rack) {
    return rack >= 0 && parts[rack] != null && parts[rack].devices.length == rackOf.length;
  }

  /** In bytes. */
  long capacity() {
    return capacity;
  }
}
