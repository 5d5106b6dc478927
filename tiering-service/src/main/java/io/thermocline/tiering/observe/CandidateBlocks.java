// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which file each block of the hottest files belongs to, as HDFS showed them at one moment. Immutable.
 *
 * <p>DataNodes name blocks, not files. The NameNode's image would tell of every block, at 16 bytes and more for each;
 * what is asked for are the files that have a profile, so their blocks are all that is kept, about 100 bytes each.
 */
public final class CandidateBlocks {

  /** Before HDFS was asked: nothing is known. */
  public static final CandidateBlocks NONE = of(List.of(), 0, Long.MIN_VALUE);

  private final Map<Long, Block> byId;
  private final String poolId;
  private final long asOfMillis;
  private final int leftOut;

  /**
   * A block of a file.
   *
   * @param length in bytes
   */
  public record Block(String path, long length) {}

  private CandidateBlocks(Map<Long, Block> byId, String poolId, long asOfMillis, int leftOut) {
    this.byId = byId;
    this.poolId = poolId;
    this.asOfMillis = asOfMillis;
    this.leftOut = leftOut;
  }

  /**
   * @param hottestFirst as HDFS shows them: where there are more blocks than may be kept, those of the last are left out
   * @param most blocks to keep
   * @param asOfMillis all files that were among the hottest then are among these, milliseconds since 1970
   */
  public static CandidateBlocks of(List<FileView> hottestFirst, int most, long asOfMillis) {
    Map<Long, Block> byId = new HashMap<>();
    String poolId = "";
    int leftOut = 0;
    for (FileView file : hottestFirst) {
      for (FileView.Block block : file.blocks()) {
        if (byId.size() < most) {
          byId.put(block.id(), new Block(file.path(), block.length()));
          poolId = block.poolId();
        } else {
          leftOut++;
        }
      }
    }
    return new CandidateBlocks(byId, poolId, asOfMillis, leftOut);
  }

  /** The block that was accessed, or null where it isn't one of these. */
  public Block of(BlockAccess access) {
    Block block = byId.get(access.blockId());
    if (block == null) {
      return null;
    }
    // Two nameservices on the same DataNodes may both have a block of that number.
    String pool = access.poolId();
    return pool.isEmpty() || pool.equals(poolId) ? block : null;
  }

  /** What happened up to then is known by these blocks, in milliseconds since 1970. */
  public long asOfMillis() {
    return asOfMillis;
  }

  public int size() {
    return byId.size();
  }

  /** Blocks that there was no room for. */
  public int leftOut() {
    return leftOut;
  }
}
