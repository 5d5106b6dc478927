// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import java.time.Duration;

/** How often a file will be read. Pure: the same file gives the same number. */
@FunctionalInterface
public interface ExpectedReads {

  /** Reads of the whole file from now to the horizon; at least 0. */
  double of(HotFile file, Duration horizon);

  /**
   * As if each file went on being read as it was. A rate of r reads for each unit of time heats to r times half-life
   * / ln 2, so heat tells the rate.
   *
   * @param halfLife of the heat
   */
  static ExpectedReads steady(Duration halfLife) {
    double perMilli = Math.log(2) / halfLife.toMillis();
    return (file, horizon) -> file.heat() * perMilli * horizon.toMillis();
  }

  /**
   * By what was learned, where that is in force: read as often as it will be soon, but no more often than it is
   * expected to come again at all. A hint that it will be read counts for as long as it holds. Else as {@link #steady}.
   */
  static ExpectedReads learned(Duration halfLife) {
    double perMilli = Math.log(2) / halfLife.toMillis();
    ExpectedReads steady = steady(halfLife);
    return (file, horizon) -> {
      if (file.hinted() != null && file.hinted().expected().isUp()) {
        // What was seen goes on; what is hinted beyond it ends with the lease.
        double seen = file.hinted().observed() * perMilli * horizon.toMillis();
        return Math.max(seen, file.hinted().expected().reads(horizon.toMillis()));
      }
      return file.isForecast()
          ? Math.min(
              file.forecast().reads(), file.forecast().heat() * perMilli * horizon.toMillis())
          : steady.of(file, horizon);
    };
  }
}
