// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.pools;

import io.thermocline.tiering.classify.AccessClass;
import io.thermocline.tiering.classify.ChunkActivity;

/**
 * What is left of a pool while chunks are being placed (ChewAnalyzer, equation 3.5): space, and of its performance the
 * part that the chunks placed so far don't ask for. Sequential requests count by their bytes, random ones by
 * their number, each as a share of the peak (the combined model of Guerra et al.). Not thread-safe.
 */
final class PoolStatus {
  private final Pool pool;
  private long used;
  private double load;

  PoolStatus(Pool pool) {
    this.pool = pool;
  }

  /** Whether equation 3.5 still holds once this chunk is there. */
  boolean admits(ChunkActivity chunk) {
    return hasSpace(chunk) && load + loadOf(chunk) <= 1;
  }

  boolean hasSpace(ChunkActivity chunk) {
    return chunk.chunk().bytes() <= pool.bytes() - used;
  }

  void add(ChunkActivity chunk) {
    used += chunk.chunk().bytes();
    load += loadOf(chunk);
  }

  void remove(ChunkActivity chunk) {
    used -= chunk.chunk().bytes();
    load -= loadOf(chunk);
  }

  long free() {
    return pool.bytes() - used;
  }

  PoolAssignment.PoolUse use() {
    return new PoolAssignment.PoolUse(pool, used, load);
  }

  private double loadOf(ChunkActivity chunk) {
    // Where offsets aren't known, files are taken to be read through.
    boolean random = chunk.source().sequentialityKnown();
    double sum = 0;
    for (AccessClass kind : AccessClass.values()) {
      boolean byNumber =
          random
              && !kind.isSequential()
              && (kind != AccessClass.OVERWRITE || chunk.source().hasRandomWrites());
      sum +=
          byNumber
              ? chunk.accesses().requests(kind) / pool.peakRequests()
              : chunk.accesses().bytes(kind) / pool.peakBytes();
    }
    return sum / chunk.seconds();
  }
}
