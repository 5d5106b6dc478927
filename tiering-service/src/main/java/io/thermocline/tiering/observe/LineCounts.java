// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

/**
 * What became of the lines so far. Immutable.
 *
 * @param lines of any kind: the sum of the next three
 * @param parsed stand for an access, or are part of one
 * @param ignored say nothing of the heat of data: listings, what was denied, maintenance, empty lines
 * @param malformed no audit record
 * @param shared of the parsed ones, opens that share a file with others of their application: each counts as a block
 * @param scanned of the parsed ones, opens that didn't count since they were of a scan
 * @param maintenance of the ignored ones, opens that don't count by the configuration, and the service's own
 * @param ownUsers of the ignored ones, reads as the service's own user, which can't be told from the service's
 * @param scansForgotten files whose scan was forgotten for want of room, so that the next one doesn't count either
 * @param discarded records that the NameNode's logger says it dropped
 * @param gaps how often a file was gone before it was read
 */
public record LineCounts(
    long lines,
    long parsed,
    long ignored,
    long malformed,
    long shared,
    long scanned,
    long maintenance,
    long ownUsers,
    long scansForgotten,
    long discarded,
    long gaps) {

  public static final LineCounts NONE = new LineCounts(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  public LineCounts plus(LineCounts other) {
    return new LineCounts(
        lines + other.lines,
        parsed + other.parsed,
        ignored + other.ignored,
        malformed + other.malformed,
        shared + other.shared,
        scanned + other.scanned,
        maintenance + other.maintenance,
        ownUsers + other.ownUsers,
        scansForgotten + other.scansForgotten,
        discarded + other.discarded,
        gaps + other.gaps);
  }
}
