// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.suora;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * How long a device that joins is on the line for new blocks. Immutable.
 *
 * <p>Source: SUORA, sections 3.2 and 3.4.2.
 */
final class JoiningDevices {
  // When a device joins, the paper takes the mean *remaining* capacity for p. An empty device
  // that joins full ones is then several units long and catches up. It can't be the device's
  // length for all blocks: of 100 devices 90 % full and an empty one beside them, the latter
  // would be home to 8 % of all data, eight times what it holds. So that length counts for new
  // blocks only, until the device is as full as the mean; a block's home goes by the total
  // capacity.
  //
  // A share of the new blocks must not be more than the share of the free space, or the device
  // would be full before the others: with L the length of the others, l / (L + l) <= r / (R + r),
  // so l <= L * r / R.

  /** A device hardly emptier than the others has nothing to catch up with. */
  private static final double NEGLIGIBLE = 0.01;

  private final double p;
  private final double lengthOfOld;
  private final double remainingOfOld;
  private final double meanRemaining;
  private final double meanFill;
  private final double longest;

  /**
   * Of a bucket at the time when devices join.
   *
   * @param present all devices, the joining ones too
   * @param longest upper bound of a length
   */
  JoiningDevices(SegmentLog log, Map<String, DeviceSpace> present, double longest) {
    double oldLength = 0;
    double oldRemaining = 0;
    double remaining = 0;
    double capacity = 0;
    int known = 0;
    for (Map.Entry<String, DeviceSpace> entry : present.entrySet()) {
      DeviceSpace space = entry.getValue();
      if (space.isFillKnown()) {
        known++;
        remaining += space.remaining();
        capacity += space.capacity();
        if (log.deviceIds().contains(entry.getKey())) {
          oldLength += space.capacity() / log.p();
          oldRemaining += space.remaining();
        }
      }
    }
    this.p = log.p();
    this.lengthOfOld = oldLength;
    this.remainingOfOld = oldRemaining;
    this.meanRemaining = known == 0 ? 0 : remaining / known;
    this.meanFill = capacity == 0 ? 0 : 1 - remaining / capacity;
    this.longest = longest;
  }

  /** p of a joining device for new blocks. */
  double writeP(DeviceSpace space) {
    if (meanRemaining == 0 || lengthOfOld == 0 || !isEmptier(space)) {
      return p;
    }
    double home = space.capacity() / p;
    double length = Math.min(space.capacity() / meanRemaining, longest);
    if (remainingOfOld > 0) {
      length = Math.min(length, lengthOfOld * space.remaining() / remainingOfOld);
    }
    return length > home ? space.capacity() / length : p;
  }

  /** Devices that joined and are now as full as the others. */
  List<String> level(SegmentLog log, Map<String, DeviceSpace> present) {
    List<String> ids = new ArrayList<>();
    for (TableMember member : log.members()) {
      DeviceSpace space = present.get(member.id());
      if (member.writeP() != p
          && space != null
          && space.isFillKnown()
          && space.fill() >= meanFill) {
        ids.add(member.id());
      }
    }
    return ids;
  }

  private boolean isEmptier(DeviceSpace space) {
    return space.isFillKnown() && space.fill() < meanFill - NEGLIGIBLE;
  }
}
