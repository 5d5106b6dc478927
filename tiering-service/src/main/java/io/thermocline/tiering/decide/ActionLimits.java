// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

/**
 * Which actions are taken beside the storage types of copies, and how far.
 *
 * @param cache null: no file is cached
 * @param copies null: no replication factor is changed
 */
public record ActionLimits(Cache cache, Copies copies) {

  /** Storage types alone. */
  public static final ActionLimits NONE = new ActionLimits(null, null);

  boolean isNone() {
    return cache == null && copies == null;
  }

  /**
   * HDFS's centralised cache.
   *
   * @param most bytes of DataNodes' memory, all copies counted
   * @param copies of each block to be kept there
   * @param threshold cooled reads: data less hot than this is not cached, and with less than half leaves
   * @param memory how fast it is to read
   */
  public record Cache(long most, int copies, double threshold, TierSpeed memory) {
    public Cache {
      if (most < 1 || copies < 1 || !(threshold >= 0)) {
        throw new IllegalArgumentException(
            "most "
                + most
                + ", copies "
                + copies
                + ", threshold "
                + threshold
                + ": expected at least 1, 1 and 0");
      }
    }
  }

  /**
   * Replication factors.
   *
   * @param most copies that a file is raised to
   */
  public record Copies(int most) {
    public Copies {
      if (most < 2) {
        throw new IllegalArgumentException("most " + most + " copies: expected at least 2");
      }
    }
  }
}
