// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim;

import java.util.Arrays;
import java.util.List;

/** Counts what happens in a run. */
final class Tally {
  private static final long TEN_MINUTES = 600_000_000;

  private final List<SimTier> tiers;
  private final int home;
  private final double[] reads;
  private final double[] readBytes;
  private final LatencyHistogram latencies = new LatencyHistogram();

  /** Of the home tier, by ten minutes. */
  private double[] diskSeconds = new double[1];

  private long writes;
  private long moves;
  private long refused;
  private long bytesUp;
  private long bytesDown;
  private long flashBytes;
  private long decisions;
  private long decisionNanos;

  Tally(List<SimTier> tiers, int home) {
    this.tiers = tiers;
    this.home = home;
    reads = new double[tiers.size()];
    readBytes = new double[tiers.size()];
  }

  void written(FileAccess access, int tier) {
    writes++;
    wear(tier, access.bytes());
  }

  /**
   * @param shares of each tier
   */
  void read(FileAccess access, double[] shares) {
    for (int tier = 0; tier < shares.length; tier++) {
      reads[tier] += shares[tier];
      readBytes[tier] += shares[tier] * access.bytes();
    }
    worked(access.atMicros(), shares[home] * tiers.get(home).head().seconds(access.bytes()));
  }

  void served(double seconds) {
    latencies.add(seconds);
  }

  void moved(long bytes, int source, int target, long atMicros) {
    moves++;
    if (source == home || target == home) {
      worked(atMicros, tiers.get(home).head().seconds(bytes));
    }
    if (target > source) {
      bytesUp += bytes;
    } else {
      bytesDown += bytes;
    }
    wear(target, bytes);
  }

  private void worked(long atMicros, double seconds) {
    int part = (int) (atMicros / TEN_MINUTES);
    if (part >= diskSeconds.length) {
      diskSeconds = Arrays.copyOf(diskSeconds, Math.max(part + 1, 2 * diskSeconds.length));
    }
    diskSeconds[part] += seconds;
  }

  void refused() {
    refused++;
  }

  void decided(long nanos) {
    decisions++;
    decisionNanos += nanos;
  }

  private void wear(int tier, long bytes) {
    if (tiers.get(tier).flash()) {
      flashBytes += bytes;
    }
  }

  /**
   * @param planned what the policy says that it planned
   */
  RunResult result(List<PlannedFile> planned) {
    return new RunResult(
        reads,
        readBytes,
        writes,
        moves,
        refused,
        bytesUp,
        bytesDown,
        flashBytes,
        decisions,
        decisionNanos,
        new RunResult.DiskTime(
            Arrays.stream(diskSeconds).sum(), Arrays.stream(diskSeconds).max().orElseThrow()),
        new RunResult.Latency(latencies.mean(), latencies.quantile(0.99)),
        planned);
  }
}
