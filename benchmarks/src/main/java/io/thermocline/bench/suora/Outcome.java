// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.suora;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What came of a workload on a placement.
 *
 * @param megabytesPerSecond read and written, of 10^6 bytes, in the measured pass, in which nothing moves
 * @param learningMegabytesPerSecond the same in the passes before, beside moves
 * @param ssdReads share of the measured reads that SSDs served
 * @param movedShare of the objects: those of which a replica went to another node, once or more often
 * @param demotionsPerObject of replicas from an SSD to a disk, for hotter objects or above the upper watermark
 */
record Outcome(
    double megabytesPerSecond,
    double learningMegabytesPerSecond,
    double ssdReads,
    double movedShare,
    double demotionsPerObject) {

  /** Of several runs. */
  static Outcome mean(List<Outcome> runs) {
    return new Outcome(
        mean(runs, Outcome::megabytesPerSecond),
        mean(runs, Outcome::learningMegabytesPerSecond),
        mean(runs, Outcome::ssdReads),
        mean(runs, Outcome::movedShare),
        mean(runs, Outcome::demotionsPerObject));
  }

  private static double mean(List<Outcome> runs, ToDoubleFunction<Outcome> value) {
    return runs.stream().mapToDouble(value).average().orElseThrow();
  }

  /** By how many percent more than another. */
  double improvement(Outcome over) {
    return 100 * (megabytesPerSecond / over.megabytesPerSecond - 1);
  }
}
