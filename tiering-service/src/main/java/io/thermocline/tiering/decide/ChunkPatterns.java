// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.tiering.classify.Chunk;
import io.thermocline.tiering.classify.HdfsChunks;
import io.thermocline.tiering.decide.pools.Placement;
import io.thermocline.tiering.observe.FileView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Which patterns of the library files were found to have: that of their chunk, or those of their blocks. Put together at
 * the first question. Thread-safe.
 */
final class ChunkPatterns implements Function<FileView, List<String>> {

  private final HdfsChunks chunks;
  private final List<Placement> placements;

  /** By the id of a whole chunk; null before the first question. */
  private Map<String, TreeSet<String>> names;

  ChunkPatterns(HdfsChunks chunks, List<Placement> placements) {
    this.chunks = chunks;
    this.placements = placements;
  }

  @Override
  public synchronized List<String> apply(FileView file) {
    if (names == null) {
      names = new HashMap<>();
      for (Placement placement : placements) {
        Chunk chunk = placement.classified().activity().chunk();
        names
            .computeIfAbsent(
                chunk.whole().isEmpty() ? chunk.id() : chunk.whole(), first -> new TreeSet<>())
            .add(placement.classified().group().name());
      }
    }
    TreeSet<String> found = names.get(chunks.idOf(file));
    return found == null ? List.of() : List.copyOf(found);
  }
}
