// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.pools;

import io.thermocline.tiering.classify.Accesses;
import io.thermocline.tiering.classify.Chunk;
import io.thermocline.tiering.classify.ChunkActivity;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The parts of files: their blocks, neighbours together where one is below the least size, as a file's last often is; a part
 * has the id of its first block.
 * Only where our placement plugin is loaded: elsewhere the NameNode deletes, and Mover and the Storage Policy Satisfier
 * undo, a replica whose storage type its file's policy doesn't name.
 */
public final class BlockParts implements ChunkParts {

  /** Whether the NameNode runs our placement plugin. */
  public enum Plugin {
    LOADED,
    ABSENT
  }

  private final Plugin plugin;
  private final Function<String, List<ChunkActivity>> blocks;

  /**
   * @param blocks of a file, by its path, in their order, with what clienttrace says of each; none where it says nothing
   */
  public BlockParts(Plugin plugin, Function<String, List<ChunkActivity>> blocks) {
    this.plugin = plugin;
    this.blocks = blocks;
  }

  @Override
  public Split split(ChunkActivity whole, long least, int most) {
    if (whole.chunk().kind() == Chunk.Kind.GROUP) {
      return Split.none("small files of a directory are placed together");
    }
    if (whole.chunk().kind() != Chunk.Kind.FILE) {
      return Split.none("they are blocks");
    }
    if (plugin == Plugin.ABSENT) {
      return Split.none(
          "without the placement plugin a block doesn't stay outside of its file's storage policy,"
              + " so splitting stops at files");
    }
    List<ChunkActivity> all = blocks.apply(whole.chunk().id());
    if (all.isEmpty()) {
      return Split.none("no clienttrace tells which of their blocks are read");
    }
    List<ChunkActivity> parts = joined(whole, all, least);
    return parts.size() < 2
        ? Split.none("their blocks are too few for two parts of the least size")
        : new Split(parts, "");
  }

  private static List<ChunkActivity> joined(
      ChunkActivity whole, List<ChunkActivity> all, long least) {
    List<ChunkActivity> parts = new ArrayList<>();
    long left = whole.chunk().bytes();
    long bytes = 0;
    int first = 0;
    Accesses accesses = Accesses.NONE;
    for (int i = 0; i < all.size(); i++) {
      bytes += all.get(i).chunk().bytes();
      accesses = accesses.plus(all.get(i).accesses());
      boolean last = i == all.size() - 1;
      // What would be left after this part must be one too.
      if (last || bytes >= least && left - bytes >= least) {
        parts.add(
            new ChunkActivity(
                new Chunk(all.get(first).chunk().id(), Chunk.Kind.BLOCK, bytes, whole.chunk().id()),
                accesses,
                whole.source(),
                whole.window()));
        left -= bytes;
        bytes = 0;
        accesses = Accesses.NONE;
        first = i + 1;
      }
    }
    return parts;
  }
}
