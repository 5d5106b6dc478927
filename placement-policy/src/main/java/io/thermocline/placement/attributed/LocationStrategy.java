// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.attributed;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * Whether a replica may go to a device: one that is there, holds no other replica and, where asked, is
 * in a zone that none of them is in. Immutable.
 *
 * <p>Source: attributedCH, sections 3.4.3 and 3.5.
 */
final class LocationStrategy {
  private static final int REMOVED = -1;

  private final int[] zones;
  private final int zoneCount;
  private final int present;

  /** Nothing removed and a single zone. */
  private final boolean alike;

  private LocationStrategy(int[] zones, int zoneCount, int present) {
    this.zones = zones;
    this.zoneCount = zoneCount;
    this.present = present;
    this.alike = present == zones.length && zoneCount == 1;
  }

  /** Of devices by number, those in the set being removed. */
  static LocationStrategy of(RingDevice[] devices, BitSet removed) {
    int[] zones = new int[devices.length];
    Map<String, Integer> numbers = new HashMap<>();
    int present = 0;
    for (int i = 0; i < zones.length; i++) {
      if (removed.get(i)) {
        zones[i] = REMOVED;
        continue;
      }
      present++;
      Integer known = numbers.putIfAbsent(devices[i].zone(), numbers.size());
      zones[i] = known == null ? numbers.size() - 1 : known;
    }
    return new LocationStrategy(zones, numbers.size(), present);
  }

  /** A copy of the set. */
  BitSet removed() {
    BitSet removed = new BitSet(zones.length);
    for (int i = 0; i < zones.length; i++) {
      removed.set(i, zones[i] == REMOVED);
    }
    return removed;
  }

  boolean isRemoved(int device) {
    return !alike && zones[device] == REMOVED;
  }

  /** Number of devices that are not removed. */
  int present() {
    return present;
  }

  /** Number of zones of devices that are not removed. */
  int zoneCount() {
    return zoneCount;
  }

  /**
   * Whether the device is there, is none of the first {@code count} chosen and, where asked, is in a
   * zone that none of them is in.
   */
  boolean fits(int device, int[] chosen, int count, boolean elsewhere) {
    for (int i = 0; i < count; i++) {
      if (chosen[i] == device) {
        return false;
      }
    }
    // Where there is nothing to tell devices apart their zones are not looked up: in a long ring
    // each would be another cache miss.
    return alike || isThere(device, chosen, count, elsewhere);
  }

  private boolean isThere(int device, int[] chosen, int count, boolean elsewhere) {
    int zone = zones[device];
    if (elsewhere) {
      for (int i = 0; i < count; i++) {
        if (zones[chosen[i]] == zone) {
          return false;
        }
      }
    }
    return zone != REMOVED;
  }
}
