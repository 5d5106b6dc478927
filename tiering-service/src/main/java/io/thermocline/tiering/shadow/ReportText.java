// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.shadow;

import io.thermocline.hints.wire.OneLine;
import java.util.Map;
import java.util.TreeMap;

/** A report for a terminal or a mail. */
final class ReportText {

  private static final int SLOW_READS = 25;

  private ReportText() {}

  static String of(ShadowReport report) {
    StringBuilder out = new StringBuilder();
    out.append("Thermocline in shadow mode, ").append(report.day()).append('\n');
    out.append(Figures.headline(report)).append(".\n");
    out.append("Cost: ").append(Figures.cost(report)).append(".\n");
    out.append(report.plans()).append(" plans; written ").append(report.updated()).append(".\n\n");
    row(out, "%-10s %12s %12s %12s %12s", "reads from", "were", "would be", "bytes", "would be");
    for (Map.Entry<String, ShadowReport.Served> type : new TreeMap<>(report.served()).entrySet()) {
      ShadowReport.Served served = type.getValue();
      row(
          out,
          "%-10s %12d %12d %12s %12s",
          type.getKey(),
          Math.round(served.reads()),
          Math.round(served.readsIf()),
          Figures.bytes(served.bytes()),
          Figures.bytes(served.bytesIf()));
    }
    row(out, "%-10s %12d", "elsewhere", report.otherReads());
    out.append('\n');
    row(out, "%-22s %12s %12s", "would have moved", "replicas", "bytes");
    for (Map.Entry<String, ShadowReport.Flow> way : new TreeMap<>(report.moves()).entrySet()) {
      row(
          out,
          "%-22s %12d %12s",
          way.getKey(),
          way.getValue().moves(),
          Figures.bytes(way.getValue().bytes()));
    }
    new TreeMap<>(report.actions()).forEach((cause, count) -> row(out, "%-22s %12d", cause, count));
    out.append('\n');
    row(out, "%-10s %12s %12s %12s", "storage", "is used", "would be", "capacity");
    for (Map.Entry<String, ShadowReport.Room> type : new TreeMap<>(report.storage()).entrySet()) {
      row(
          out,
          "%-10s %12s %12s %12s",
          type.getKey(),
          Figures.bytes(type.getValue().used()),
          Figures.bytes(type.getValue().usedIf()),
          Figures.bytes(type.getValue().capacity()));
    }
    out.append("\nRead most from slow storage:\n");
    row(out, "%10s %10s %8s  %s", "reads", "would be", "from", "path, and why");
    report.slowReads().stream()
        .limit(SLOW_READS)
        .forEach(
            slowRead ->
                row(
                    out,
                    "%10d %10d %8s  %s: %s",
                    slowRead.reads(),
                    slowRead.reads() - slowRead.readsIf(),
                    slowRead.from(),
                    OneLine.of(slowRead.path()),
                    OneLine.of(slowRead.why())));
    return out.toString();
  }

  private static void row(StringBuilder out, String format, Object... values) {
    out.append(String.format(java.util.Locale.ROOT, format, values).stripTrailing()).append('\n');
  }
}
