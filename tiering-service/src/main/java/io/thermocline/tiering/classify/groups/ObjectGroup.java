// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.classify.groups;

import java.util.List;

/**
 * Objects that belong together; two at least.
 *
 * @param members the most read first
 * @param distance the largest between two of them, by the equation of the pattern: 0 to 1
 */
public record ObjectGroup(
    GroupPattern pattern,
    AccessSequence sequence,
    List<GroupedObject> members,
    double distance,
    Evidence evidence) {

  /**
   * What says that objects belong together.
   *
   * @param together how often any two of them were together at least
   * @param expected how often any two would be by chance at most
   * @param readers of any of them, about
   */
  public record Evidence(int together, double expected, int readers) {}

  public ObjectGroup {
    members = List.copyOf(members);
    if (members.size() < 2) {
      throw new IllegalArgumentException("a group has two members at least, got " + members);
    }
  }

  /** Bytes of all members, as far as was seen. */
  public long bytes() {
    return members.stream().mapToLong(GroupedObject::bytes).sum();
  }
}
