// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.attributed;

/**
 * Which device of a heterogeneous sector: a number line on which each device has one range, as long as
 * its bandwidth, and {@code val = f(x, seed, u)} drawn from it. Pure; bandwidths in MB/s.
 *
 * <p>Source: attributedCH, section 3.4.2.
 */
final class BandwidthStrategy {
  // The paper's lengths are bandwidth / smallest bandwidth of the sector. Drawing from [0, sum of
  // bandwidths) instead is the same line in another unit, and needs no smallest.

  /** Fresh draws before the search goes on from member to member. */
  static final int DRAWS = 64;

  /** A sector is homogeneous while its fastest device is at most that many times its slowest. */
  private static final double SIMILAR = 1.1;

  private BandwidthStrategy() {}

  /** Whether there is a significant gap between bandwidths, so that this strategy is the one to use. */
  static boolean applies(double slowest, double fastest) {
    return fastest > slowest * SIMILAR;
  }

  /** Index of the member that a draw leads to: draw 0 of a replica is its first choice. */
  static int draw(long hash, long stream, Sectors sectors, int sector, float[] bandwidths) {
    int base = sectors.base(sector);
    int size = sectors.size(sector);
    double end = 0;
    for (int i = 0; i < base; i++) {
      end += bandwidths[sectors.member(sector, i)];
    }
    int member = memberAt(Hash.unit(hash, stream << 16) * end, sectors, sector, bandwidths);
    // Those merged in later take their share of the line so far, and nothing else moves.
    for (int k = base; k < size; k++) {
      double length = bandwidths[sectors.member(sector, k)];
      end += length;
      if (Hash.unit(hash, (stream << 16) + k) * end < length) {
        member = k;
      }
    }
    return member;
  }

  /**
   * Index of the member whose range holds the value, among those that the line was laid out with.
   *
   * @param value in MB/s, in [0, sum of their bandwidths)
   */
  static int memberAt(double value, Sectors sectors, int sector, float[] bandwidths) {
    int last = sectors.base(sector) - 1;
    int member = 0;
    double end = bandwidths[sectors.member(sector, 0)];
    while (value >= end && member < last) {
      member++;
      end += bandwidths[sectors.member(sector, member)];
    }
    return member;
  }
}
