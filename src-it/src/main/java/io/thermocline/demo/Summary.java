// SPDX-License-Identifier: Apache-2.0
package io.thermocline.demo;

import io.thermocline.demo.report.RunRecord;
import io.thermocline.demo.report.TierWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The before/after table at the end of a run. */
final class Summary {

  private Summary() {}

  static String of(RunRecord record) {
    Map<String, Object> figures = record.figures();
    List<String> lines = new ArrayList<>();
    lines.add(
        format(
            "%-10s %14s %14s %14s %14s",
            "", "reads before", "reads after", "bytes before", "bytes after"));
    for (TierWindow after : record.after()) {
      TierWindow before =
          record.before().stream()
              .filter(tier -> tier.type() == after.type())
              .findFirst()
              .orElse(new TierWindow(after.type(), 0, 0));
      lines.add(
          format(
              "%-10s %12.1f %% %12.1f %% %12.1f %% %12.1f %%",
              after.type(),
              100 * before.shareOfReads(record.before()),
              100 * after.shareOfReads(record.after()),
              100 * before.shareOfBytes(record.before()),
              100 * after.shareOfBytes(record.after())));
    }
    lines.add(
        format(
            "%-10s %14s %14s",
            "MB/s", figures.get("read_mb_per_s_before"), figures.get("read_mb_per_s_after")));
    lines.add("");
    lines.add(
        format(
            "Reads from SSD and NVDIMM: %.1f %% of the first tenth, %.1f %% of the last third; the best"
                + " placement would have served %.1f %%.",
            percent(figures, "fast_read_share_before"),
            percent(figures, "fast_read_share_after"),
            percent(figures, "fast_read_share_oracle")));
    lines.add(
        format(
            "Replicas moved: %s of %s planned verified against located blocks, %s failed; %.1f MB.",
            figures.get("moves_verified"),
            figures.get("moves_planned"),
            figures.get("moves_failed"),
            ((Number) figures.get("bytes_moved")).doubleValue() / 1e6));
    lines.add(
        format(
            "Files checked: %s, changed: %s. Took %.0f s. Seed %s.",
            figures.get("files"),
            figures.get("files_changed"),
            figures.get("elapsed_seconds"),
            figures.get("seed")));
    return String.join(System.lineSeparator(), lines);
  }

  private static double percent(Map<String, Object> figures, String key) {
    return 100 * ((Number) figures.get(key)).doubleValue();
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
