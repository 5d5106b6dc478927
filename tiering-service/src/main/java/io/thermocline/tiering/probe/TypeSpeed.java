// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.probe;

import io.thermocline.placement.model.StorageType;
import java.time.Instant;

/**
 * What one reader or writer gets from one storage type, as a client of HDFS sees it.
 *
 * @param policy name of the storage policy by which a file got there
 * @param bytes of the file
 * @param write bytes a second of writing it, until the DataNode says that it is on the device
 * @param overwrite bytes a second of making it anew under its name
 * @param sequential bytes a second of reading in sequence
 * @param random reads a second of {@value #REQUEST} bytes at random offsets
 * @param spread how far the rounds of a step lie apart, at most, relative to the one in the middle, which each speed is of
 * @param at when it was begun
 */
public record TypeSpeed(
    StorageType type,
    String policy,
    long bytes,
    double write,
    double overwrite,
    double sequential,
    double random,
    double spread,
    Instant at) {

  /** Bytes of one request at random, and of those that weights are about. */
  public static final int REQUEST = 64 << 10;

  /** Seconds that the cheapest request takes: a read in sequence. */
  private double cheapest() {
    return REQUEST / sequential;
  }

  /** What a write takes, relative to that. */
  public double writeWeight() {
    return REQUEST / write / cheapest();
  }

  /** By what factor a read at random takes longer; never less than one in sequence. */
  public double randomWeight() {
    return Math.max(1, 1 / random / cheapest());
  }

  /** By what factor making a file anew takes longer than making it. */
  public double overwriteWeight() {
    return Math.max(1, write / overwrite);
  }
}
