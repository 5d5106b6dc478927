// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.shadow;

import io.thermocline.placement.model.StorageType;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * A report in a few numbers.
 *
 * @param reads of files that plans were made of
 * @param fast of them, from SSD or faster
 * @param fastIf how many would have been
 * @param moves of replicas that would have been made
 * @param movedBytes of them
 */
public record ShadowTotals(long reads, long fast, long fastIf, long moves, long movedBytes) {

  /** What a report comes to. */
  public static ShadowTotals of(ShadowReport report) {
    return new ShadowTotals(
        sum(report, ShadowReport.Served::reads),
        fast(report, ShadowReport.Served::reads),
        fast(report, ShadowReport.Served::readsIf),
        report.moves().values().stream().mapToLong(ShadowReport.Flow::moves).sum(),
        report.moves().values().stream().mapToLong(ShadowReport.Flow::bytes).sum());
  }

  private static long sum(ShadowReport report, ToDoubleFunction<ShadowReport.Served> value) {
    return Math.round(report.served().values().stream().mapToDouble(value).sum());
  }

  private static long fast(ShadowReport report, ToDoubleFunction<ShadowReport.Served> value) {
    return Math.round(
        report.served().entrySet().stream()
            .filter(served -> StorageType.valueOf(served.getKey()).isFast())
            .map(Map.Entry::getValue)
            .mapToDouble(value)
            .sum());
  }
}
