// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

/** Which storage types the replicas of a new block get. */
enum LayoutMode {
  /** Those of the file's storage policy. */
  POLICY,
  /** For files with the default storage policy one bucket after the other from below, as SUORA does. */
  SUORA
}
