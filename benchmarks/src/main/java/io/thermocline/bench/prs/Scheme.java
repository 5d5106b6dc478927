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
  PRS;

  boolean isGrouped() {
    return this == GROUPS || this == PRS;
  }

  String field() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }
}
