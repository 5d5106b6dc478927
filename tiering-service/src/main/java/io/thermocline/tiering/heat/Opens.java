// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

/**
 * The opens of a file, cooled, by what they read of it. Immutable.
 *
 * @param whole opens each of which reads the file, or goes on reading it
 * @param parts opens that share the file with one of those, about a block each
 * @param again of the parts, those by a client that opened the file just before
 * @param requests to DataNodes for each block that is read, on average
 * @param share of the bytes of the blocks that are read, on average, 0 to 1
 * @param fromDisk of the reads, the share that page caches leave to disks, if opens that share the file read different blocks
 * @param fromDiskAtBlock the same if all read the same block
 */
public record Opens(
    double whole,
    double parts,
    double again,
    double requests,
    double share,
    double fromDisk,
    double fromDiskAtBlock) {

  /** Readers of columns read less of the bytes on average, by more than one request. */
  private static final double COLUMNS = 0.65;

  /** A block has so many replicas, each of which a reader may take. */
  private static final int REPLICAS = 3;

  /** Blocks whose places a NameNode gives at a time, by default; a client that reads on opens the file again. */
  private static final int BLOCKS_AT_A_TIME = 10;

  /** Without page caches. */
  public Opens(double whole, double parts, double again, double requests, double share) {
    this(whole, parts, again, requests, share, 1, 1);
  }

  Opens withPageCaches(double left, double leftAtBlock) {
    return new Opens(whole, parts, again, requests, share, left, leftAtBlock);
  }

  /** Opens of a file of which no more is known: as few reads as they can be. */
  static Opens shared(double all) {
    double whole = Math.min(1, all);
    return new Opens(whole, all - whole, 0, 1, 1);
  }

  /** How often a reader of all blocks opens a file of so many. */
  public static int byLoneReader(int blocks) {
    return (blocks + BLOCKS_AT_A_TIME - 1) / BLOCKS_AT_A_TIME;
  }

  /**
   * Estimates how often the whole file was read.
   *
   * <p>An application whose tasks share a file of B blocks opens it N times, and reads max(B, N) blocks. Of a file of more
   * than ten blocks, a client has the places of ten, and opens it again for others: a lone reader once for each ten
   * blocks, a task once more. A reader of columns opens a file once for the footer and again for the columns; if the file has a
   * single block, there is nothing else to open it again for.
   *
   * @param blocks of the file, at least 1
   * @return so many times as many block reads as the file has blocks
   */
  public double wholeReads(int blocks) {
    int opensByRead = byLoneReader(blocks);
    double goingOn = Math.min(parts, whole * (opensByRead - 1));
    boolean isOfColumns = share < COLUMNS && requests > 1;
    double blockReads = whole + parts - (opensByRead > 1 || isOfColumns && blocks == 1 ? again : 0);
    return Math.max((whole + goingOn) / opensByRead, blockReads / blocks);
  }

  /**
   * Of the block reads, the share that page caches leave to disks; 1 where they aren't modeled.
   *
   * <p>Where an application opens a file of several blocks more often than it has blocks, its first readers of each block find
   * it at none of the replicas, and the others do.
   */
  public double ofDisks(int blocks) {
    if (blocks == 1) {
      return fromDiskAtBlock;
    }
    if (fromDisk == 1 || whole == 0) {
      return fromDisk;
    }
    double readers = Math.max(1, (whole + parts - again) / whole / blocks);
    double ofOthers = (REPLICAS - 1.0) / REPLICAS;
    return fromDisk * REPLICAS * (1 - Math.pow(ofOthers, readers)) / readers;
  }
}
