// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

/** Why a replica went where it went: which step of the rack rules placed it. */
public enum Step {
  /** On the writer's own node. */
  LOCAL_NODE,
  /** On the rack of the writer or of another replica. */
  SAME_RACK,
  /** On a rack that doesn't hold the first replica. */
  OTHER_RACK,
  /** Anywhere in the cluster. */
  ANYWHERE
}
