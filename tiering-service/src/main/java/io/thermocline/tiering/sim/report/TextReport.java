// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.report;

import java.util.List;
import java.util.Locale;

/** A comparison for the terminal. */
public final class TextReport {
  private TextReport() {}

  /** Lines, each with its end. */
  public static String of(Comparison comparison) {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%s: %,d accesses of %,d files of %s; fastest tier %s of %s, moves %s%n%n",
            comparison.trace(),
            comparison.accesses(),
            comparison.files(),
            Quantities.bytes(comparison.fileBytes()),
            comparison.tiers().get(comparison.tiers().size() - 1),
            Quantities.bytes(comparison.fastBytes()),
            comparison.mode().name().toLowerCase(Locale.ROOT)));
    ReportTable table = ReportTable.of(comparison);
    int[] widths = new int[table.columns().size()];
    widen(widths, table.columns());
    table.rows().forEach(row -> widen(widths, row));
    line(text, widths, table.columns());
    table.rows().forEach(row -> line(text, widths, row));
    return text.toString();
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
