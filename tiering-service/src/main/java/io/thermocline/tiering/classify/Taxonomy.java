// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.classify;

/**
 * The four taxonomy rules of table 3.2, each by itself: what a chunk is under each. The hierarchical classifier
 * builds on the same dimensions; these are what reports count.
 *
 * @param activeFrom requests in a window from which on a chunk is active; below, and not 0, it is inactive
 *     (2 in section 3.2.3)
 * @param majority the share from which on a pattern is that of the chunk
 */
public record Taxonomy(long activeFrom, double majority) {

  /** Section 3.2.3, with the larger half. */
  public static final Taxonomy STANDARD = new Taxonomy(2, 0.5);

  /** All patterns of table 3.2. */
  public enum Pattern {
    NON_ACCESS,
    INACTIVE,
    ACTIVE,
    SEQUENTIAL,
    RANDOM,
    RANDOM_READ,
    RANDOM_WRITE,
    SEQUENTIAL_WRITE,
    FULLY_RANDOM_WRITE,
    OVERWRITTEN,
    /** The rule says nothing of this chunk: nothing was done that it is about. */
    NONE,
    /** The rule was skipped: the source doesn't tell what it asks for. */
    SKIPPED
  }

  /** Rule 1: by intensity. */
  public Pattern intensity(ChunkActivity activity) {
    long requests = activity.accesses().requests();
    if (requests == 0) {
      return Pattern.NON_ACCESS;
    }
    return requests < activeFrom ? Pattern.INACTIVE : Pattern.ACTIVE;
  }

  /** Rule 2: sequential or random. */
  public Pattern sequentiality(ChunkActivity activity) {
    if (!activity.source().sequentialityKnown()) {
      return Pattern.SKIPPED;
    }
    double randomness = Dimension.RANDOMNESS.of(activity);
    if (Double.isNaN(randomness)) {
      return Pattern.NONE;
    }
    return randomness >= majority ? Pattern.RANDOM : Pattern.SEQUENTIAL;
  }

  /** Rule 3: sequential, else by what most requests are. */
  public Pattern randomAccess(ChunkActivity activity) {
    Pattern pattern = sequentiality(activity);
    if (pattern != Pattern.RANDOM) {
      return pattern;
    }
    boolean writes = Dimension.WRITES.of(activity) >= majority;
    if (writes && !activity.source().hasRandomWrites()) {
      return Pattern.SKIPPED;
    }
    return writes ? Pattern.RANDOM_WRITE : Pattern.RANDOM_READ;
  }

  /**
   * Rule 4: how it is written. Files of HDFS are written in sequence or made anew; fully random writes it doesn't
   * have.
   */
  public Pattern writes(ChunkActivity activity) {
    Accesses accesses = activity.accesses();
    if (accesses.writes() == 0) {
      return Pattern.NONE;
    }
    if (Dimension.REWRITES.of(activity) >= majority) {
      return Pattern.OVERWRITTEN;
    }
    return accesses.requests(AccessClass.SEQUENTIAL_WRITE) >= majority * accesses.writes()
        ? Pattern.SEQUENTIAL_WRITE
        : Pattern.FULLY_RANDOM_WRITE;
  }
}
