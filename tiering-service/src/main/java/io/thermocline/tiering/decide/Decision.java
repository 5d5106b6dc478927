// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.placement.model.StorageType;

/**
 * What should become of one file, and why.
 *
 * @param from the type of its fastest copy now
 * @param reason one sentence with the numbers it was decided by
 * @param worth what it saves and costs; NaN where it makes room and nothing was weighed
 */
public record Decision(
    HotFile hot, StorageType from, Target target, Cause cause, String reason, Gate.Worth worth) {

  /** Which rule decided, in the order in which moves are made: first what makes room on fast
   * storage, then what readers wait for, then the rest. */
  public enum Cause {
    /** A fast tier is above its upper watermark. */
    COLD_MIGRATION,
    /** Gives way to hotter data. */
    DISPLACED,
    /** Its pattern suits a slower pool. */
    DEMOTED,
    /** Above the bucket's threshold, and hot enough to be among what fits; or its pattern suits a faster pool. */
    PROMOTED,
    /** Read again after it was archived. */
    RECALLED,
    /** DISK is above its upper watermark: copies go to ARCHIVE. */
    ARCHIVED;

    /** Whether copies go to faster types. */
    public boolean isUp() {
      return this == PROMOTED || this == RECALLED;
    }
  }
}
