// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.classify.groups;

import java.util.List;

/** How the objects of a group are read (PRS, section 3.4.1 and figure 7). */
public enum AccessSequence {
  /** Every member in small pieces only. */
  RANDOM_SMALL,
  /** Neither of the others. */
  LARGE,
  /** Every member as a whole, and not small. */
  SEQUENTIAL,
  /** How much was read isn't known of every member, as from audit logs. */
  UNKNOWN;

  /**
   * That of a group. Of each member its largest access counts. A whole object that is small is small: what a group of
   * them costs a disk is the seeks.
   *
   * @param smallBytes accesses below are small; 128 KiB in the paper
   */
  public static AccessSequence of(List<GroupedObject> members, long smallBytes) {
    if (members.stream().anyMatch(member -> member.largestBytes() == 0)) {
      return UNKNOWN;
    }
    if (members.stream().allMatch(member -> member.largestBytes() < smallBytes)) {
      return RANDOM_SMALL;
    }
    return members.stream().allMatch(member -> member.largestBytes() >= member.bytes())
        ? SEQUENTIAL
        : LARGE;
  }
}
