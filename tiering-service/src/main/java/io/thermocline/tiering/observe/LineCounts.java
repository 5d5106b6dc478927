// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

/**
 * What became of the lines so far. Immutable.
 *
 * @param lines of any kind: the sum of the next three
 * @param parsed stand for an access, or are part of one
 * @param ignored say nothing of the heat of data: listings, what was denied, maintenance, empty lines
 * @param malformed no audit record
 * @param repeated of the parsed ones, opens that belong to a read that was counted before
 * @param scanned of the parsed ones, reads that didn't count since they were of a scan
 * @param ownUsers of the ignored ones, reads as the service's own user, which can't be told from the service's
 * @param discarded records that the NameNode's logger says it dropped
 * @param gaps how often a file was gone before it was read
 */
public record LineCounts(
    long lines,
    long parsed,
    long ignored,
    long malformed,
    long repeated,
    long scanned,
    long ownUsers,
    long discarded,
    long gaps) {

  public static final LineCounts NONE = new LineCounts(0, 0, 0, 0, 0, 0, 0, 0, 0);

  public LineCounts plus(LineCounts other) {
    return new LineCounts(
        lines + other.lines,
        parsed + other.parsed,
        ignored + other.ignored,
        malformed + other.malformed,
        repeated + other.repeated,
        scanned + other.scanned,
        ownUsers + other.ownUsers,
        discarded + other.discarded,
        gaps + other.gaps);
  }
}
