// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.flow;

import io.thermocline.redundancy.chunk.ChunkSize;
import java.time.Duration;

/**
 * What the controller aims at.
 *
 * @param interval between two looks at a flow
 * @param minThroughput bytes a second of one flow's chunking, below which chunks get larger: at best the link's rate
 * @param targetRatio redundancy elimination (RE) ratio that warm-up looks for, from 0 to 1
 * @param minRatio below it chunking isn't worth its time
 * @param probeAfter how long a flow stays off before the first probe; twice as long after each vain one, at most 16 times
 * @param minBytes of a flow, below which an interval says nothing
 * @param minSize smallest expected chunk size, in bytes
 * @param maxSize largest expected chunk size, in bytes
 */
public record ControllerSettings(
    Duration interval,
    double minThroughput,
    double targetRatio,
    double minRatio,
    Duration probeAfter,
    long minBytes,
    int minSize,
    int maxSize) {

  public static final ControllerSettings DEFAULT =
      new ControllerSettings(
          Duration.ofMinutes(10), 125e6, 0.5, 0.02, Duration.ofHours(1), 8 << 20, 512, 64 << 10);

  public ControllerSettings {
    ChunkSize.of(minSize);
    ChunkSize.of(maxSize);
    if (interval.isNegative() || interval.isZero()) {
      throw new IllegalArgumentException("interval: expected more than 0, found " + interval);
    }
    if (!(0 <= minRatio && minRatio <= targetRatio && targetRatio <= 1)) {
      throw new IllegalArgumentException(
          "ratios: expected 0 <= min <= target <= 1, found " + minRatio + ", " + targetRatio);
    }
  }

  public ControllerSettings withInterval(Duration other) {
    return new ControllerSettings(
        other, minThroughput, targetRatio, minRatio, probeAfter, minBytes, minSize, maxSize);
  }

  public ControllerSettings withMinThroughput(double other) {
    return new ControllerSettings(
        interval, other, targetRatio, minRatio, probeAfter, minBytes, minSize, maxSize);
  }
}
