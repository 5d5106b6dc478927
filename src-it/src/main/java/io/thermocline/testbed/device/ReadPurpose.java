// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.device;

/** Whom a DataNode reads a replica for. */
public enum ReadPurpose {
  /** A client asked for the block. */
  CLIENT,
  /** The cluster itself: re-replication, a move, a checksum, a scan. */
  COPY
}
