// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.classify;

/**
 * What is placed as one: consecutive data that is in one pool.
 *
 * @param id unique among all chunks at any time; a part's differs from that of the chunk it was split from
 * @param bytes of one replica; more than 0
 * @param whole id of the chunk it is a part of, or "" where it is whole
 */
public record Chunk(String id, Kind kind, long bytes, String whole) {

  /** The granularities, the largest first. */
  public enum Kind {
    /** Small files of one directory. */
    GROUP,
    FILE,
    /** A block of a file. */
    BLOCK,
    /** Consecutive addresses of a block device. */
    EXTENT
  }

  public Chunk {
    if (bytes <= 0) {
      throw new IllegalArgumentException(id + " has " + bytes + " bytes: must be more than 0");
    }
  }
}
