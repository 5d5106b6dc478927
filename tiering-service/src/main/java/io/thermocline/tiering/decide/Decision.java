// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.placement.model.StorageType;

/**
 * What should become of one file, and why.
 *
 * @param from the type of its fastest copy now
 * @param reason one sentence with the numbers it was decided by
 * @param benefit what it saves and costs; NaN where it makes room and nothing was weighed
 */
public record Decision(
    HotFile hot,
    StorageType from,
    Target target,
    Cause cause,
    String reason,
    Gate.Benefit benefit) {

  /** The same for another reason. */
  public Decision because(String other) {
    return new Decision(hot, from, target, cause, other, benefit);
  }

  /** Which rule decided, in the order in which moves are made: first what makes room on fast
   * storage, then what readers wait for, then the rest. */
  public enum Cause {
    /** A fast tier is above its upper watermark. */
    COLD_MIGRATION,
    /** Gives way to hotter data. */
    DISPLACED,
    /** Its pattern suits a slower pool. */
    DEMOTED,
    /** A rule of the administrator has it on a slower type. */
    RULED_DOWN,
    /** Read too little to stay in memory, or gives way there. */
    UNCACHED,
    /** Readers don't wait for each other any more: back to as many replicas as it had. */
    FEWER_COPIES,
    /** Above the bucket's threshold, and hot enough to be among what fits; or its pattern suits a faster pool. */
    PROMOTED,
    /** Into the DataNodes' memory, by HDFS's centralised cache. */
    CACHED,
    /** More readers at once than its copies serve. */
    MORE_COPIES,
    /** A rule of the administrator has it on a faster type. */
    RULED_UP,
    /** Read again after it was archived. */
    RECALLED,
    /** DISK is above its upper watermark: copies go to ARCHIVE. */
    ARCHIVED,
    /** Somebody asked for it on a slower type, once. */
    ORDERED_DOWN,
    /** Somebody asked for it on a faster type, once. */
    ORDERED_UP,
    /** Its home is on a storage that is emptier than the others of its type, such as one that joined. */
    TO_NEW_NODE,
    /** Somebody had what a plan did taken back. */
    UNDONE;

    /** Whether readers get it faster. */
    public boolean isUp() {
      return this == PROMOTED
          || this == RECALLED
          || this == CACHED
          || this == MORE_COPIES
          || this == RULED_UP
          || this == ORDERED_UP;
    }

    /** Whether somebody asked for this file and this type. */
    public boolean isOrdered() {
      return this == ORDERED_UP || this == ORDERED_DOWN;
    }

    /** Whether copies stay where they are, and something else is done to the file. */
    public boolean isAction() {
      return this == CACHED || this == UNCACHED || this == MORE_COPIES || this == FEWER_COPIES;
    }
  }
}
