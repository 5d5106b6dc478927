// SPDX-License-Identifier: Apache-2.0
package io.thermocline.demo.report;

import io.thermocline.placement.model.StorageType;
import java.util.List;
import java.util.Objects;

/**
 * What one storage type served in one measured window of a run. A window is a list of these, each
 * type at most once.
 *
 * @param reads number of reads, at least 0
 * @param bytesRead bytes, at least 0
 */
public record TierWindow(StorageType type, long reads, long bytesRead) {

  public TierWindow {
    Objects.requireNonNull(type, "type");
    Require.notNegative("reads of " + type, reads);
    Require.notNegative("bytes read of " + type, bytesRead);
  }

  /** Share of the window's reads that this type served, 0 to 1; 0 where there was no read at all. */
  public double shareOfReads(List<TierWindow> window) {
    return Ratio.of(reads, window.stream().mapToLong(TierWindow::reads).sum());
  }

  /** Share of the window's bytes that this type served, 0 to 1; 0 where nothing was read. */
  public double shareOfBytes(List<TierWindow> window) {
    return Ratio.of(bytesRead, window.stream().mapToLong(TierWindow::bytesRead).sum());
  }

  /** Share of the window's reads served by types faster than disk, 0 to 1. */
  public static double fastShareOfReads(List<TierWindow> window) {
    return window.stream()
        .filter(tier -> tier.type().isFast())
        .mapToDouble(tier -> tier.shareOfReads(window))
        .sum();
  }
}
