// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.report;

import io.thermocline.tiering.sim.PlannedFile;
import java.util.List;
import java.util.Locale;

/** A comparison for the terminal. */
public final class TextReport {
  /** Files that are named. */
  private static final int SHOWN = 40;

  private TextReport() {}

  /** Lines, each with its end. */
  public static String of(Comparison comparison) {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%s: %,d accesses of %,d files of %s; fastest tier %s of %s, moves %s. %s.%n%n",
            comparison.trace(),
            comparison.accesses(),
            comparison.files(),
            Quantities.bytes(comparison.fileBytes()),
            comparison.tiers().get(comparison.tiers().size() - 1),
            Quantities.bytes(comparison.fastBytes()),
            comparison.mode().name().toLowerCase(Locale.ROOT),
            comparison.readOrder().words()));
    ReportTable table = ReportTable.of(comparison);
    int[] widths = new int[table.columns().size()];
    widen(widths, table.columns());
    table.rows().forEach(row -> widen(widths, row));
    line(text, widths, table.columns());
    table.rows().forEach(row -> line(text, widths, row));
    comparison.asItIs().forEach(row -> planned(text, row));
    return text.toString();
  }

  /** The first files that plans would move. */
  private static void planned(StringBuilder text, PolicyRow row) {
    List<PlannedFile> planned = row.result().planned();
    if (planned.isEmpty()) {
      return;
    }
    text.append(String.format(Locale.ROOT, "%n%s: plans move%n", row.title()));
    for (PlannedFile file : planned.subList(0, Math.min(SHOWN, planned.size()))) {
      text.append(
          String.format(
              Locale.ROOT,
              "  plan %d, at %,d s: %s %s to %s, %s%n",
              file.plan(),
              file.atMicros() / 1_000_000,
              file.cause(),
              file.path(),
              file.target(),
              Quantities.bytes(file.bytes())));
    }
    if (planned.size() > SHOWN) {
      text.append(
          String.format(
              Locale.ROOT, "  and %,d more, which --json lists%n", planned.size() - SHOWN));
    }
  }

  private static void widen(int[] widths, List<String> cells) {
    for (int i = 0; i < widths.length; i++) {
      widths[i] = Math.max(widths[i], cells.get(i).length());
    }
  }

  private static void line(StringBuilder text, int[] widths, List<String> cells) {
    for (int i = 0; i < widths.length; i++) {
      String padding = " ".repeat(widths[i] - cells.get(i).length());
      text.append(i == 0 ? cells.get(i) + padding : "  " + padding + cells.get(i));
    }
    text.append(System.lineSeparator());
  }
}
