// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

/**
 * One transfer between a client and a DataNode, as the DataNode's clienttrace log tells it. The object may be used
 * again for the next one: keep values, not the object. Not thread-safe.
 */
public interface BlockAccess {

  /** What was done. */
  enum Kind {
    READ,
    WRITE,
    /** A reader on the same host was given the open file: how much it reads nobody logs. */
    SHORT_CIRCUIT
  }

  Kind kind();

  /** When it ended, by the DataNode's clock: milliseconds since 1970. */
  long timeMillis();

  long blockId();

  /** Block pool, or "" where the log has none (before Hadoop 0.23). */
  String poolId();

  /** Where in the block it began, in bytes; 0 where the log doesn't say. */
  long offset();

  /**
   * Bytes of data, without the checksums that the log counts for reads; within 4 a chunk of 512 of what was asked
   * for. -1 where unknown.
   */
  long bytes();

  /** Nanoseconds; 0 where the log doesn't say. */
  long durationNanos();

  /** The client's name for itself, for instance DFSClient_NONMAPREDUCE_981613352_1; "" where unknown. */
  String client();

  /** UUID of the DataNode, or its older storage id. */
  String dataNode();
}
