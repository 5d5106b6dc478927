// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.suora;

/**
 * A device's stay in a segment table: the cells it was given, and when it joined and left, counted in
 * the table's operations. A device that comes back is another member. Immutable.
 */
final class Member {
  /** {@link #removedAt} of a member that is still there. */
  static final int STAYS = Integer.MAX_VALUE;

  final Device device;

  /** Capacity in bytes that was one unit long when it joined. */
  final double p;

  final int firstCell;

  /** 0 for the first assignment. */
  final int joinedAt;

  final int removedAt;

  Member(Device device, double p, int firstCell, int joinedAt, int removedAt) {
    this.device = device;
    this.p = p;
    this.firstCell = firstCell;
    this.joinedAt = joinedAt;
    this.removedAt = removedAt;
  }

  Member removedAt(int time) {
    return new Member(device, p, firstCell, joinedAt, time);
  }

  boolean isPresent() {
    return removedAt == STAYS;
  }

  /** In units of p; its weight. */
  double length() {
    return device.capacityBytes() / p;
  }
}
