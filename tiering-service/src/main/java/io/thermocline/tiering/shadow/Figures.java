// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.shadow;

import java.util.Locale;

/** What text and page say of a report in common. */
final class Figures {

  private Figures() {}

  /** The sentence that sums it up. */
  static String headline(ShadowReport report) {
    ShadowTotals totals = ShadowTotals.of(report);
    return "%s of %d reads came from fast storage; %s would have (estimated)"
        .formatted(
            percent(totals.fast(), totals.reads()),
            totals.reads(),
            percent(totals.fastIf(), totals.reads()));
  }

  /** What it would have cost. */
  static String cost(ShadowReport report) {
    ShadowTotals totals = ShadowTotals.of(report);
    return "%d moves of %s, %s of devices' time; readers would have waited %s instead of %s"
        .formatted(
            totals.moves(),
            bytes(totals.movedBytes()),
            seconds(report.seconds().copied()),
            seconds(report.seconds().readIf()),
            seconds(report.seconds().read()));
  }

  static String percent(long part, long all) {
    return all == 0 ? "0 %" : String.format(Locale.ROOT, "%.1f %%", 100.0 * part / all);
  }

  static String bytes(double bytes) {
    String[] units = {"B", "KB", "MB", "GB", "TB", "PB"};
    double value = bytes;
    int unit = 0;
    while (value >= 1024 && unit < units.length - 1) {
      value /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
  }

  static String seconds(double seconds) {
    return seconds < 120
        ? String.format(Locale.ROOT, "%.1f s", seconds)
        : seconds < 7200
            ? String.format(Locale.ROOT, "%.1f min", seconds / 60)
            : String.format(Locale.ROOT, "%.1f h", seconds / 3600);
  }
}
