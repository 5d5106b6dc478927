// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.tiering.classify.Chunk;
import io.thermocline.tiering.classify.ChunkActivity;
import io.thermocline.tiering.classify.HdfsChunks;
import io.thermocline.tiering.decide.pools.Placement;
import io.thermocline.tiering.decide.pools.PoolAssignment;
import io.thermocline.tiering.observe.FileView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What of one file was placed as one, and where.
 *
 * @param hot the file, or the part of it that its blocks make
 */
record ChewUnit(HotFile hot, Placement placement) {

  /** The units of files, in the order in which their chunks were placed. */
  static List<ChewUnit> of(List<HotFile> files, PoolAssignment assignment, HdfsChunks chunks) {
    Map<String, List<HotFile>> byChunk = new HashMap<>();
    for (HotFile hot : files) {
      byChunk.computeIfAbsent(chunks.idOf(hot.file()), id -> new ArrayList<>()).add(hot);
    }
    List<ChewUnit> units = new ArrayList<>();
    for (Placement one : assignment.placements()) {
      ChunkActivity activity = one.classified().activity();
      Chunk chunk = activity.chunk();
      if (chunk.kind() == Chunk.Kind.BLOCK) {
        units.add(new ChewUnit(part(byChunk.get(chunk.whole()).get(0), activity), one));
      } else {
        byChunk
            .getOrDefault(chunk.id(), List.of())
            .forEach(hot -> units.add(new ChewUnit(hot, one)));
      }
    }
    return units;
  }

  boolean isPart() {
    return placement.classified().activity().chunk().kind() == Chunk.Kind.BLOCK;
  }

  /** With the heat of the file: how many opens read of a part nobody tells. */
  private static HotFile part(HotFile hot, ChunkActivity part) {
    FileView file = hot.file();
    int first = HdfsChunks.firstBlock(part.chunk());
    int after = first;
    for (long bytes = 0; bytes < part.chunk().bytes(); after++) {
      bytes += file.blocks().get(after).length();
    }
    return new HotFile(part(file, first, after), hot.heat());
  }

  /** Some blocks of a file, as a file of its own. */
  static FileView part(FileView file, int from, int to) {
    List<FileView.Block> blocks = file.blocks().subList(from, to);
    return new FileView(
        file.path(),
        blocks.stream().mapToLong(FileView.Block::length).sum(),
        file.replication(),
        file.storagePolicy(),
        blocks,
        file.owner());
  }
}
