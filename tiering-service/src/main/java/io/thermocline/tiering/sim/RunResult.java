// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim;

import java.util.Arrays;
import java.util.List;

/**
 * What came of a run.
 *
 * @param reads served by each tier, as its copies' shares of the reads
 * @param readBytes likewise
 * @param writes of all tiers
 * @param moves that were begun
 * @param refused moves that were asked for and had no room
 * @param bytesUp of moves to a faster tier
 * @param bytesDown of moves to a slower tier
 * @param flashBytes written to tiers of flash, by moves and by applications
 * @param decisions how often the policy was asked
 * @param decisionNanos how long its answers took, together
 * @param diskTime of the home tier, for reads and for moves
 * @param latency of all accesses, NaN where none was modelled
 * @param planned what plans of the service would do, file by file; of other policies nothing
 */
public record RunResult(
    double[] reads,
    double[] readBytes,
    long writes,
    long moves,
    long refused,
    long bytesUp,
    long bytesDown,
    long flashBytes,
    long decisions,
    long decisionNanos,
    DiskTime diskTime,
    Latency latency,
    List<PlannedFile> planned) {

  /**
   * From an access's arrival to its end, in seconds.
   *
   * @param mean of all
   * @param p99 99 of 100 take no longer, to 1 %
   */
  public record Latency(double mean, double p99) {}

  /**
   * How long devices work, in seconds, all devices together.
   *
   * @param all in the whole run
   * @param peak in the busiest ten minutes
   */
  public record DiskTime(double all, double peak) {}

  /** Share of the reads that the tier served, 0 to 1; 0 if there was none. */
  public double hitShare(int tier) {
    return share(reads, tier);
  }

  /** Share of the bytes read that the tier served, 0 to 1; 0 if there was none. */
  public double byteHitShare(int tier) {
    return share(readBytes, tier);
  }

  private static double share(double[] counts, int tier) {
    double all = Arrays.stream(counts).sum();
    return all == 0 ? 0 : counts[tier] / all;
  }
}
