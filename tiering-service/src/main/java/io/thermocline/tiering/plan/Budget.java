// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.plan;

/**
 * How much one plan may ask of the cluster.
 *
 * @param moves replicas
 * @param bytes of all of them together
 * @param fill how full, from 0 to 1, a plan may make one storage
 * @param movesPerNode of a cluster of so many DataNodes that this is more than {@code moves}; no more than {@link #MOST_MOVES}
 * @param bytesPerNode likewise
 */
public record Budget(int moves, long bytes, double fill, int movesPerNode, long bytesPerNode) {

  /** More would take memory, and nobody could read them before approving. */
  static final int MOST_MOVES = 10_000;

  public Budget {
    if (moves < 1
        || bytes < 1
        || !(fill > 0 && fill <= 1)
        || movesPerNode < 0
        || bytesPerNode < 0) {
      throw new IllegalArgumentException(
          ("moves %d and bytes %d (from 1), fill %f (above 0, to 1), %d moves and %d bytes a DataNode (from 0)")
              .formatted(moves, bytes, fill, movesPerNode, bytesPerNode));
    }
  }

  /** Whatever the cluster's size. */
  public Budget(int moves, long bytes, double fill) {
    this(moves, bytes, fill, 0, 0);
  }

  /** What it is in a cluster of so many DataNodes. */
  public Budget in(int dataNodes) {
    long grown = Math.min(MOST_MOVES, (long) movesPerNode * dataNodes);
    return new Budget(
        (int) Math.max(moves, grown), Math.max(bytes, bytesPerNode * dataNodes), fill);
  }
}
