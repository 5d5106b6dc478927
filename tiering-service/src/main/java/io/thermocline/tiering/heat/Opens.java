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
 */
public record Opens(double whole, double parts, double again, double requests, double share) {

  /** Blocks whose places a NameNode gives at a time, by default; a client that reads on opens the file again. */
  private static final int BLOCKS_AT_A_TIME = 10;

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
   * blocks, a task once more.
   *
   * @param blocks of the file, at least 1
   * @return so many times as many block reads as the file has blocks
   */
  public double wholeReads(int blocks) {
    int opensByRead = byLoneReader(blocks);
    double goingOn = Math.min(parts, whole * (opensByRead - 1));
    double blockReads = whole + parts - (opensByRead > 1 ? again : 0);
    return Math.max((whole + goingOn) / opensByRead, blockReads / blocks);
  }
}
