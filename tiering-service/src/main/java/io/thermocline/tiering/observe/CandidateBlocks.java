// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import io.thermocline.placement.model.StorageType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which file each block of the hottest files belongs to, as HDFS showed them at one moment. Immutable.
 *
 * <p>DataNodes name blocks, not files. The NameNode's image would tell of every block, at 16 bytes and more for each;
 * what is asked for are the files that have a profile, so their blocks are all that is kept, about 100 bytes each.
 */
public final class CandidateBlocks {

  /** Before HDFS was asked: nothing is known. */
  public static final CandidateBlocks NONE =
      new CandidateBlocks(Map.of(), "", Long.MIN_VALUE, Long.MAX_VALUE, 0);

  private final Map<Long, Block> byId;
  private final String poolId;
  private final long asOfMillis;
  private final long firstMillis;
  private final int leftOut;

  /**
   * A block of a file. Its replicas are the lists of the files that HDFS showed.
   *
   * @param length in bytes
   * @param replicas as HDFS showed them last
   * @param change null where they never were others
   */
  public record Block(String path, long length, List<FileView.Replica> replicas, Change change) {

    /** The type of the replica that a DataNode had then; empty where it had none, or that isn't sure. */
    Optional<StorageType> type(String node, long millis) {
      StorageType found = null;
      for (List<FileView.Replica> shown : at(millis)) {
        for (FileView.Replica replica : shown) {
          if (replica.node().equals(node)) {
            if (found != null && found != replica.type()) {
              return Optional.empty();
            }
            found = replica.type();
          }
        }
      }
      return Optional.ofNullable(found);
    }

    private List<List<FileView.Replica>> at(long millis) {
      if (change == null || millis > change.toMillis()) {
        return List.of(replicas);
      }
      return millis <= change.fromMillis()
          ? List.of(change.before())
          : List.of(change.before(), replicas);
    }
  }

  /**
   * Replicas of a block became others.
   *
   * @param fromMillis up to then they were as before, milliseconds since 1970
   * @param toMillis since then they are as they are; Long.MAX_VALUE where that isn't known yet
   */
  public record Change(List<FileView.Replica> before, long fromMillis, long toMillis) {}

  private CandidateBlocks(
      Map<Long, Block> byId, String poolId, long asOfMillis, long firstMillis, int leftOut) {
    this.byId = byId;
    this.poolId = poolId;
    this.asOfMillis = asOfMillis;
    this.firstMillis = firstMillis;
    this.leftOut = leftOut;
  }

  /**
   * Those of the next time that HDFS shows files.
   *
   * @param hottestFirst as HDFS shows them: where there are more blocks than may be kept, those of the last are left out
   * @param most blocks to keep
   * @param asOfMillis all files that were among the hottest then are among these, milliseconds since 1970
   */
  public CandidateBlocks next(List<FileView> hottestFirst, int most, long asOfMillis) {
    Map<Long, Block> found = new HashMap<>();
    String pool = "";
    int without = 0;
    for (FileView file : hottestFirst) {
      for (FileView.Block block : file.blocks()) {
        if (found.size() < most) {
          found.put(block.id(), next(file.path(), block, asOfMillis));
          pool = block.poolId();
        } else {
          without++;
        }
      }
    }
    long first = this == NONE ? asOfMillis : firstMillis;
    return new CandidateBlocks(found, pool, asOfMillis, first, without);
  }

  /**
   * @param nowMillis HDFS shows it later than that
   */
  private Block next(String path, FileView.Block block, long nowMillis) {
    Block known = byId.get(block.id());
    return new Block(
        path,
        block.length(),
        block.replicas(),
        known == null ? null : change(known, block, nowMillis));
  }

  private Change change(Block known, FileView.Block block, long nowMillis) {
    // In whatever order.
    if (known.replicas().size() != block.replicas().size()
        || !known.replicas().containsAll(block.replicas())) {
      return new Change(known.replicas(), asOfMillis, Long.MAX_VALUE);
    }
    Change change = known.change();
    return change == null || change.toMillis() < Long.MAX_VALUE
        ? change
        : new Change(change.before(), change.fromMillis(), nowMillis);
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

  /** Whether places of blocks were known when it happened, so that it counts among what storage types served. */
  public boolean isCounted(BlockAccess access) {
    return access.timeMillis() > firstMillis;
  }

  /** The type of the replica that was read; empty where that isn't known for sure. */
  public Optional<StorageType> type(BlockAccess access) {
    Block block = of(access);
    return block == null ? Optional.empty() : block.type(access.dataNode(), access.timeMillis());
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
