// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import java.time.Duration;

/**
 * The bounds of {@link Heat}.
 *
 * @param halfLife after which a read counts half
 * @param tableBytes of the hotness table
 * @param candidates files with an exact profile, about 500 bytes each
 * @param directories with reads in a few half-lives, 4 bytes each
 * @param renames that are remembered, about 500 bytes each
 */
public record HeatSettings(
    Duration halfLife,
    long tableBytes,
    int candidates,
    int directories,
    int renames,
    Duration pageCache) {

  /** Of memory that one file takes up, at the load the table is best used at. */
  private static final double BYTES_PER_FILE = 3.8;

  private static final long LEAST_TABLE = 1 << 16;

  public HeatSettings {
    if (halfLife.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException("half-life " + halfLife + ": expected at least 1 s");
    }
    if (candidates < 1 || directories < 1 || renames < 1) {
      throw new IllegalArgumentException(
          "candidates, directories, renames = "
              + (candidates + ", " + directories + ", " + renames)
              + ": expected at least 1 of each");
    }
  }

  /** Without page caches. */
  public HeatSettings(
      Duration halfLife, long tableBytes, int candidates, int directories, int renames) {
    this(halfLife, tableBytes, candidates, directories, renames, Duration.ZERO);
  }

  /** The same with page caches that keep what was read for a time. */
  public HeatSettings withPageCache(Duration time) {
    return new HeatSettings(halfLife, tableBytes, candidates, directories, renames, time);
  }

  /**
   * Bounds for a number of files.
   *
   * @param files that are read in a few half-lives; those beyond are the coldest, and counted as lost
   */
  public static HeatSettings forFiles(Duration halfLife, long files) {
    return new HeatSettings(
        halfLife,
        Math.max(LEAST_TABLE, (long) (files * BYTES_PER_FILE)),
        (int) Math.max(1_000, Math.min(100_000, files / 10)),
        (int) Math.max(1_000, Math.min(10_000_000, files / 10)),
        (int) Math.max(1_000, Math.min(100_000, files / 10)));
  }
}
