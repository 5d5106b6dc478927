// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.classify;

import java.time.Duration;

/**
 * A chunk and what was done with it in one window.
 *
 * @param accesses where sequentiality isn't known, all reads are under {@link AccessClass#RANDOM_READ}
 * @param window longer than nothing
 */
public record ChunkActivity(Chunk chunk, Accesses accesses, Source source, Duration window) {

  /** Where it was observed, which says what can be known. */
  public enum Source {
    /** Requests with addresses: everything is known. */
    BLOCK_TRACE(true, true),
    /** Files, by the audit log and the DataNodes' clienttrace. HDFS has no random writes. */
    HDFS(true, false),
    /** Files, by the audit log alone, which says nothing of offsets. */
    HDFS_AUDIT_ONLY(false, false);

    private final boolean sequentialityKnown;
    private final boolean randomWrites;

    Source(boolean sequentialityKnown, boolean randomWrites) {
      this.sequentialityKnown = sequentialityKnown;
      this.randomWrites = randomWrites;
    }

    public boolean sequentialityKnown() {
      return sequentialityKnown;
    }

    public boolean hasRandomWrites() {
      return randomWrites;
    }
  }

  public ChunkActivity {
    if (window.isZero() || window.isNegative()) {
      throw new IllegalArgumentException("a window of " + window + ": must be longer than nothing");
    }
  }

  public double seconds() {
    return window.toNanos() / 1e9;
  }
}
