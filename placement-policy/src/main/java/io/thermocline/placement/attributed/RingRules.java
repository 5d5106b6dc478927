// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.attributed;

import java.util.Objects;

/**
 * How a ring is made: sector size s, the capacity c_throttle of a virtual node or the memory from which
 * it is derived (bytes), and what an addition does to a sector. Immutable.
 *
 * <p>Source: attributedCH, sections 3.2, 3.3 and 3.5.
 */
public final class RingRules {
  /** What happens inside a sector that a new virtual node is merged into. */
  public enum Merge {
    /**
     * A key leaves its device only for the new one, with the chance that makes the sector uniform
     * again.
     */
    KEPT,
    /** The paper's: positions are recalculated with the new size s', so most keys of the sector move. */
    RECALCULATED
  }

  /** At 12 bytes a virtual node some 1.4 million of them. */
  private static final long DEFAULT_MEMORY_BYTES = 16L << 20;

  /** Beyond that a sector is no sector any more, and walking its members no constant time. */
  private static final int MAX_SECTOR_SIZE = 256;

  private final int sectorSize;
  private final long throttleBytes;
  private final long memoryBytes;
  private final Merge merge;

  private RingRules(int sectorSize, long throttleBytes, long memoryBytes, Merge merge) {
    this.sectorSize = sectorSize;
    this.throttleBytes = throttleBytes;
    this.memoryBytes = memoryBytes;
    this.merge = merge;
  }

  /** s = 4, c_throttle from 16 MiB of memory, additions that keep keys where they are. */
  public static RingRules defaults() {
    return new RingRules(4, 0, DEFAULT_MEMORY_BYTES, Merge.KEPT);
  }

  /** The paper's: s = 4, c_throttle = 1 GiB, additions that recalculate their sectors. */
  public static RingRules paper() {
    return new RingRules(4, 1L << 30, 0, Merge.RECALCULATED);
  }

  /**
   * These rules with another s.
   *
   * @throws IllegalArgumentException if it isn't in 1 to 256
   */
  public RingRules withSectorSize(int virtualNodes) {
    if (virtualNodes < 1 || virtualNodes > MAX_SECTOR_SIZE) {
      throw new IllegalArgumentException(
          "a sector holds 1 to " + MAX_SECTOR_SIZE + " virtual nodes, got " + virtualNodes);
    }
    return new RingRules(virtualNodes, throttleBytes, memoryBytes, merge);
  }

  /**
   * These rules with a given c_throttle.
   *
   * @param bytes capacity that one virtual node stands for
   * @throws IllegalArgumentException if it isn't positive
   */
  public RingRules withThrottle(long bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("c_throttle must be at least 1 byte, got " + bytes);
    }
    return new RingRules(sectorSize, bytes, 0, merge);
  }

  /** These rules with another merge. */
  public RingRules withMerge(Merge other) {
    return new RingRules(
        sectorSize, throttleBytes, memoryBytes, Objects.requireNonNull(other, "merge"));
  }

  int sectorSize() {
    return sectorSize;
  }

  Merge merge() {
    return merge;
  }

  boolean derivesThrottle() {
    return throttleBytes == 0;
  }

  Throttle throttleFor(Iterable<RingDevice> devices) {
    return derivesThrottle() ? Throttle.derive(devices, memoryBytes) : Throttle.of(throttleBytes);
  }
}
