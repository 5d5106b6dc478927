// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.shadow;

import io.thermocline.placement.model.StorageType;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;

/** What text and page say of a report in common. */
final class Figures {

  private Figures() {}

  /** The sentence that sums it up. */
  static String headline(ShadowReport report) {
    long reads = sum(report, ShadowReport.Served::reads);
    long fast = fast(report, ShadowReport.Served::reads);
    long fastIf = fast(report, ShadowReport.Served::readsIf);
    return "%s of %d reads came from fast storage; %s would have"
        .formatted(percent(fast, reads), reads, percent(fastIf, reads));
  }

  /** What it would have cost. */
  static String cost(ShadowReport report) {
    long moves = report.moves().values().stream().mapToLong(ShadowReport.Flow::moves).sum();
    long bytes = report.moves().values().stream().mapToLong(ShadowReport.Flow::bytes).sum();
    return "%d moves of %s, %s of devices' time; readers would have waited %s instead of %s"
        .formatted(
            moves,
            bytes(bytes),
            seconds(report.seconds().copied()),
            seconds(report.seconds().readIf()),
            seconds(report.seconds().read()));
  }

  private static long sum(ShadowReport report, ToLongFunction<ShadowReport.Served> value) {
    return report.served().values().stream().mapToLong(value).sum();
  }

  private static long fast(ShadowReport report, ToLongFunction<ShadowReport.Served> value) {
    return report.served().entrySet().stream()
        .filter(served -> StorageType.valueOf(served.getKey()).isFast())
        .map(Map.Entry::getValue)
        .mapToLong(value)
        .sum();
  }

  static String percent(long part, long all) {
    return all == 0 ? "0 %" : String.format(Locale.ROOT, "%.1f %%", 100.0 * part / all);
  }

  static String bytes(long bytes) {
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
