// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.prs;

/** What is compared: how objects are replicated and found. */
enum Scheme {
  /** One copy, by consistent hashing. */
  ONE,
  /** Three copies, by consistent hashing; any is read. */
  THREE,
  /** The same by CRUSH's straws. */
  STRAW,
  /** Two copies as ever; the third of all objects of a file on one node, and read. */
  SEQUENCE,
  /** Two copies as ever; the third of hot objects on an SSD, and read. */
  FREQUENCY,
  /** Hot objects as with FREQUENCY, others as with SEQUENCE. */
  SEQUENCE_FREQUENCY,
  /** Three copies; three of each group too, by consistent hashing. */
  GROUPS,
  /** The same, groups where algorithm 2 puts them, and read from the fastest copy: PRS. */
  PRS,
  /**
   * Two copies as ever, the third of what is grouped in its group: PRS with as many copies as
   * others, as section 3.1 says. What isn't grouped has three.
   */
  THIRD,
  /** One copy, and one of each group where algorithm 2 puts it. */
  ONE_PRS,
  /**
   * The copies of THREE on devices that take no time: what the network leaves to copies that lie
   * so. No upper bound: others load other links.
   */
  MEMORY;

  boolean isGrouped() {
    return this == GROUPS || this == PRS || this == THIRD || this == ONE_PRS;
  }

  /** Of each object that isn't grouped. */
  int copies() {
    return this == ONE || this == ONE_PRS ? 1 : 3;
  }

  /** Of each object that is, beside its group. */
  int copiesOfGrouped() {
    return this == THIRD ? 2 : copies();
  }

  /** Of each group. */
  int groupCopies() {
    return this == GROUPS || this == PRS ? 3 : 1;
  }

  /** Groups are where algorithm 2 puts them, and read there or elsewhere, what is sooner. */
  boolean isLaidOut() {
    return isGrouped() && this != GROUPS;
  }

  String field() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }
}
