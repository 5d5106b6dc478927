// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.classify;

import java.time.Duration;

/** Chunks of a block device, with as many requests a second of each kind as asked for. */
public final class ChunkSamples {
  public static final long CHUNK = 256L << 20;
  private static final int SECONDS = 100;
  private static final long REQUEST = 512;

  private ChunkSamples() {}

  /** One chunk; kinds and their requests a second in turn. */
  public static ChunkActivity chunk(String id, long bytes, Object... kindsAndRates) {
    return new ChunkActivity(
        new Chunk(id, Chunk.Kind.EXTENT, bytes, ""),
        accesses(kindsAndRates),
        ChunkActivity.Source.BLOCK_TRACE,
        Duration.ofSeconds(SECONDS));
  }

  public static Accesses accesses(Object... kindsAndRates) {
    Accesses accesses = Accesses.NONE;
    for (int i = 0; i < kindsAndRates.length; i += 2) {
      long requests = Math.round(((Number) kindsAndRates[i + 1]).doubleValue() * SECONDS);
      accesses = accesses.plus((AccessClass) kindsAndRates[i], requests, requests * REQUEST);
    }
    return accesses;
  }
}
