// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.attributed;

import io.thermocline.placement.model.DeviceSelector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/**
 * The hash ring of attributedCH. Immutable, safe for any thread; {@link #follow} gives another ring.
 * Choosing a device allocates nothing.
 *
 * <p>A ring is a history: which sectors there are was decided when it was built. Two parties agree on
 * placements if they built it from the same devices, in whatever order, and changed it in the same steps.
 *
 * <p>Source: attributedCH, sections 3.2 to 3.5, algorithm 1.
 */
public final class AttributedRing implements DeviceSelector {
  // A removed device keeps its virtual nodes and is skipped. What was said of a sector therefore
  // stays true, its kind included: a sector that was heterogeneous only because of the removed
  // device keeps drawing from its line. The paper lets it change to the capacity strategy, and then
  // moves data between devices that are all still there. The same device coming back is unmarked,
  // and everything is where it was. Sectors are laid out anew when much has changed, see follow.

  /** Capacities that waver with the use of a file system must not be new devices every second. */
  private static final double CAPACITY_TOLERANCE = 0.01;

  /** A ring is built anew when more than one of that many devices is a mark. */
  private static final int MARKED_SHARE = 4;

  /** ... or when it has grown to that many times the virtual nodes it was cut from. */
  private static final int GROWTH = 3;

  /** So that offsets of records fit an int. */
  private static final int MAX_VIRTUAL_NODES = 1 << 29;

  /** Headers of the arrays and the objects that hold them. */
  private static final int FIXED_BYTES = 256;

  private final RingRules rules;
  private final Positions positions;
  private final Throttle throttle;
  private final RingDevice[] devices;
  private final float[] bandwidths;
  private final BitSet removed;
  private final Sectors sectors;
  private final Strategies strategies;
  private final long virtualNodes;
  private final long cutFrom;

  private AttributedRing(RingRules rules, Positions positions, RingDevice[] devices) {
    this.rules = rules;
    this.positions = positions;
    this.throttle = rules.throttleFor(Arrays.asList(devices));
    this.devices = devices;
    this.bandwidths = bandwidthsOf(devices);
    this.removed = new BitSet();
    long[] ring = virtualNodesFrom(0);
    this.sectors = Sectors.cut(ring, rules.sectorSize(), bandwidths);
    this.virtualNodes = ring.length;
    this.cutFrom = ring.length;
    this.strategies = new Strategies(sectors, bandwidths, removed);
  }

  /** The ring before with the devices behind its own merged, and those marked. */
  private AttributedRing(AttributedRing before, RingDevice[] devices, BitSet removed) {
    this.rules = before.rules;
    this.positions = before.positions;
    this.throttle = before.throttle;
    this.cutFrom = before.cutFrom;
    this.devices = devices;
    this.removed = removed;
    if (devices.length == before.devices.length) {
      this.bandwidths = before.bandwidths;
      this.sectors = before.sectors;
      this.virtualNodes = before.virtualNodes;
    } else {
      this.bandwidths = bandwidthsOf(devices);
      long[] added = virtualNodesFrom(before.devices.length);
      this.sectors = before.sectors.merge(added, rules.merge(), bandwidths);
      this.virtualNodes = before.virtualNodes + added.length;
    }
    this.strategies = new Strategies(sectors, bandwidths, removed);
  }

  /**
   * A ring of these devices.
   *
   * @param devices in any order; may be none
   * @throws IllegalArgumentException if two of them have the same id, or they need more than 2^29
   *     virtual nodes
   */
  public static AttributedRing build(Collection<RingDevice> devices, RingRules rules) {
    return build(devices, rules, Hash::position);
  }

  static AttributedRing build(
      Collection<RingDevice> devices, RingRules rules, Positions positions) {
    RingDevice[] sorted = devices.toArray(new RingDevice[0]);
    // By id, so that the order in which a cluster's nodes were seen doesn't matter.
    Arrays.sort(sorted, Comparator.comparing(RingDevice::id));
    for (int i = 1; i < sorted.length; i++) {
      if (sorted[i].id().equals(sorted[i - 1].id())) {
        throw new IllegalArgumentException("device " + sorted[i].id() + " is given twice");
      }
    }
    return new AttributedRing(rules, positions, sorted);
  }

  /**
   * The ring for the devices present now: this object where nothing changed, else with the gone ones
   * marked and the new ones merged, or built anew where that no longer pays.
   *
   * @throws IllegalArgumentException as {@link #build}
   */
  public AttributedRing follow(Collection<RingDevice> present) {
    Map<String, RingDevice> now = new HashMap<>();
    boolean cutOff = false;
    for (RingDevice device : present) {
      if (now.put(device.id(), device) != null) {
        throw new IllegalArgumentException("device " + device.id() + " is given twice");
      }
      cutOff |= rules.derivesThrottle() && throttle.cutsOff(device.capacityBytes());
    }
    BitSet gone = (BitSet) removed.clone();
    int kept = 0;
    for (int i = 0; i < devices.length; i++) {
      if (!removed.get(i)) {
        if (isSame(devices[i], now.get(devices[i].id()))) {
          now.remove(devices[i].id());
          kept++;
        } else {
          gone.set(i);
        }
      }
    }
    if (now.isEmpty() && gone.equals(removed)) {
      return this;
    }
    if (cutOff || now.size() > kept) {
      // A cluster that starts up, mostly: its sectors were cut from too little to mean anything.
      return build(present, rules, positions);
    }
    List<RingDevice> joining = new ArrayList<>(now.values());
    joining.sort(Comparator.comparing(RingDevice::id));
    AttributedRing next = changed(gone, joining);
    int marks = next.removed.cardinality();
    return marks * MARKED_SHARE > next.devices.length || next.virtualNodes > GROWTH * cutFrom
        ? build(present, rules, positions)
        : next;
  }

  /**
   * {@inheritDoc}
   *
   * <p>Try r asks in the r-th successor sector, where algorithm 1 starts for replica r. Removed devices
   * are skipped within their sector.
   */
  @Override
  public int select(long key, IntPredicate accept, int maxTries) {
    return strategies.select(key, accept, maxTries);
  }

  /** Number of devices, removed ones included. */
  @Override
  public int devices() {
    return devices.length;
  }

  @Override
  public String deviceId(int index) {
    return devices[index].id();
  }

  /** Whether a device was removed and is only skipped. */
  public boolean isRemoved(int index) {
    return removed.get(index);
  }

  /** Number of a device that is present, or {@link #NONE}. Not for hot paths. */
  public int indexOf(String deviceId) {
    for (int i = 0; i < devices.length; i++) {
      if (!removed.get(i) && devices[i].id().equals(deviceId)) {
        return i;
      }
    }
    return NONE;
  }

  /** Capacity that one virtual node stands for, in bytes. */
  public long throttleBytes() {
    return throttle.bytes();
  }

  /** Number of virtual nodes, those of removed devices included. */
  public long virtualNodes() {
    return virtualNodes;
  }

  /** Number of sectors. */
  public int sectors() {
    return sectors.count();
  }

  /** Number of sectors that choose by bandwidth. */
  public int heterogeneousSectors() {
    return sectors.heterogeneous();
  }

  /**
   * Share of all keys whose first replica a device gets, by device number, computed from the ring. Costs a
   * pass over it.
   */
  public double[] shares() {
    return Shares.of(sectors, bandwidths, removed);
  }

  /** What this ring takes, devices and their ids included: bytes on a 64-bit JVM under 32 GiB. */
  public long memoryBytes() {
    long bytes = sectors.bytes();
    for (RingDevice device : devices) {
      bytes += bytesOfDevice(device.id().length());
    }
    return bytes + FIXED_BYTES;
  }

  /**
   * What a ring of alike devices would take, as {@link #memoryBytes}.
   *
   * @param devices with ids of up to 8 characters
   */
  public static long estimateBytes(long devices, long virtualNodes, RingRules rules) {
    return Sectors.bytes(virtualNodes, rules.sectorSize())
        + devices * bytesOfDevice(8)
        + FIXED_BYTES;
  }

  /** Its id at a byte a character, id and device as objects, a reference and a bandwidth. */
  private static long bytesOfDevice(int idLength) {
    return (16 + idLength + 7) / 8 * 8 + 24 + 32 + 4 + Float.BYTES;
  }

  /** This ring with those devices marked, and those merged, or unmarked where they were there. */
  private AttributedRing changed(BitSet gone, List<RingDevice> joining) {
    if (virtualNodes == 0) {
      return build(joining, rules, positions);
    }
    Map<RingDevice, Integer> marked = new HashMap<>();
    for (int i = gone.nextSetBit(0); i >= 0; i = gone.nextSetBit(i + 1)) {
      marked.put(devices[i], i);
    }
    List<RingDevice> all = new ArrayList<>(Arrays.asList(devices));
    for (RingDevice device : joining) {
      Integer before = marked.get(device);
      if (before == null) {
        all.add(device);
      } else {
        gone.clear(before);
      }
    }
    return new AttributedRing(this, all.toArray(new RingDevice[0]), gone);
  }

  private long[] virtualNodesFrom(int first) {
    long count = 0;
    for (int i = first; i < devices.length; i++) {
      count += throttle.virtualNodes(devices[i].capacityBytes());
    }
    if (count > MAX_VIRTUAL_NODES) {
      throw new IllegalArgumentException(
          count
              + " virtual nodes with c_throttle = "
              + throttle.bytes()
              + " bytes: raise it, a ring has at most "
              + MAX_VIRTUAL_NODES);
    }
    long[] ring = new long[(int) count];
    int next = 0;
    for (int i = first; i < devices.length; i++) {
      int own = throttle.virtualNodes(devices[i].capacityBytes());
      for (int v = 0; v < own; v++) {
        ring[next++] = Sectors.virtualNode(positions.of(devices[i].id(), v), i);
      }
    }
    Arrays.sort(ring);
    return ring;
  }

  private static float[] bandwidthsOf(RingDevice[] devices) {
    float[] bandwidths = new float[devices.length];
    for (int i = 0; i < devices.length; i++) {
      bandwidths[i] = (float) devices[i].bandwidth();
    }
    return bandwidths;
  }

  private static boolean isSame(RingDevice was, RingDevice is) {
    return is != null
        && was.bandwidth() == is.bandwidth()
        && Math.abs((double) is.capacityBytes() - was.capacityBytes())
            <= CAPACITY_TOLERANCE * was.capacityBytes();
  }
}
