// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.pools;

import io.thermocline.tiering.classify.Chunk;
import io.thermocline.tiering.classify.ChunkActivity;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All that a placement is decided by, at the end of an epoch. Immutable.
 *
 * @param pools the fastest first
 * @param chunks all chunks that are to be placed, with what was done with them in the epoch
 * @param now in which pool a chunk is, by its id; a part without one is where its whole is, and a chunk without
 *     is new
 */
public record PoolSnapshot(List<Pool> pools, List<ChunkActivity> chunks, Map<String, String> now) {

  public PoolSnapshot {
    pools = List.copyOf(pools);
    chunks = List.copyOf(chunks);
    now = Map.copyOf(now);
    Set<String> ids = new HashSet<>();
    for (ChunkActivity one : chunks) {
      if (!ids.add(one.chunk().id())) {
        throw new IllegalArgumentException("chunk " + one.chunk().id() + " is there twice");
      }
    }
  }

  Optional<String> whereIs(Chunk chunk) {
    String pool = now.get(chunk.id());
    return Optional.ofNullable(pool != null ? pool : now.get(chunk.whole()));
  }

  PoolSnapshot withChunks(List<ChunkActivity> others) {
    return new PoolSnapshot(pools, others, now);
  }
}
