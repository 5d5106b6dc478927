// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

/**
 * What became of the lines so far. Immutable.
 *
 * @param lines of any kind: the sum of the next three
 * @param parsed stand for an access, or are part of one
 * @param ignored say nothing of the heat of data: listings, what was denied, maintenance, empty lines
 * @param malformed no audit record
 * @param opens what became of those of the lines that are opens
 * @param scansForgotten files whose scan was forgotten for want of room, so that the next one doesn't count either
 * @param discarded records that the NameNode's logger says it dropped
 * @param gaps how often a file was gone before it was read
 */
public record LineCounts(
    long lines,
    long parsed,
    long ignored,
    long malformed,
    Opens opens,
    long scansForgotten,
    long discarded,
    long gaps) {

  public static final LineCounts NONE = new LineCounts(0, 0, 0, 0, Opens.NONE, 0, 0, 0);

  /**
   * Opens of files. Those that heat are the rest: all, but for the last seven.
   *
   * @param all lines with cmd=open
   * @param shared of those that heat, opens that share a file with others of their application: each counts as a block
   * @param scanned of a scan
   * @param maintenance left out by the configuration, or the service's own
   * @param ownUsers as the service's own user, which can't be told from the service's
   * @param seconds of a task of Spark that has opened the file just before: the first stands for both
   * @param refused by the NameNode, or without a path
   * @param redirected over WebHDFS: the DataNode that reads for the client opens the file itself
   * @param elsewhere of a nameservice whose heat nobody asks for
   */
  public record Opens(
      long all,
      long shared,
      long scanned,
      long maintenance,
      long ownUsers,
      long seconds,
      long refused,
      long redirected,
      long elsewhere) {

    public static final Opens NONE = new Opens(0, 0, 0, 0, 0, 0, 0, 0, 0);

    private Opens plus(Opens other) {
      return new Opens(
          all + other.all,
          shared + other.shared,
          scanned + other.scanned,
          maintenance + other.maintenance,
          ownUsers + other.ownUsers,
          seconds + other.seconds,
          refused + other.refused,
          redirected + other.redirected,
          elsewhere + other.elsewhere);
    }
  }

  public LineCounts plus(LineCounts other) {
    return new LineCounts(
        lines + other.lines,
        parsed + other.parsed,
        ignored + other.ignored,
        malformed + other.malformed,
        opens.plus(other.opens),
        scansForgotten + other.scansForgotten,
        discarded + other.discarded,
        gaps + other.gaps);
  }
}
