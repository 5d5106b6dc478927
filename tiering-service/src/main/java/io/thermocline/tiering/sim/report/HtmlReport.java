// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** A comparison as an HTML page: curves over sizes of the fastest tier, and all their numbers in tables. */
public final class HtmlReport {
  private static final int COLOURS = 16;

  private final Comparison comparison;
  private final List<String> names;
  private final HtmlPage page;

  private HtmlReport(Comparison comparison) {
    this.comparison = comparison;
    names = comparison.asItIs().stream().map(PolicyRow::name).toList();
    page =
        new HtmlPage(
            "Thermocline: what if",
            headline(fastest()),
            String.format(
                Locale.ROOT,
                "%s: %,d accesses of %,d files, %s. Moves are %s. Seed %d.",
                comparison.trace(),
                comparison.accesses(),
                comparison.files(),
                Quantities.bytes(comparison.fileBytes()),
                comparison.mode().name().toLowerCase(Locale.ROOT),
                comparison.seed()));
  }

  /** Writes the page in UTF-8, creating the directory where needed, replacing what was there. */
  public static void write(Comparison comparison, Path file) throws IOException {
    HtmlReport report = new HtmlReport(comparison);
    report.sections();
    report.page.write(file);
  }

  private String fastest() {
    return comparison.tiers().get(comparison.tiers().size() - 1);
  }

  private void sections() {
    String fastest = fastest();
    int tier = comparison.tiers().size() - 1;
    page.section(
        "The cluster as it is, with "
            + Quantities.bytes(comparison.fastBytes())
            + " of "
            + fastest);
    ReportTable table = ReportTable.of(comparison);
    page.table(table.columns(), table.rows());
    chart(
        "Share of reads that " + fastest + " serves",
        row -> row.result().hitShare(tier),
        Quantities::percent);
    chart(
        "Share of bytes read that " + fastest + " serves",
        row -> row.result().byteHitShare(tier),
        Quantities::percent);
    chart("Mean latency", row -> row.result().latency().mean(), Quantities::seconds);
    chart("Bytes moved to a faster tier", row -> row.result().bytesUp(), Quantities::bytes);
  }

  private String headline(String fastest) {
    PolicyRow best = comparison.asItIs().get(0);
    for (PolicyRow row : comparison.asItIs()) {
      boolean hitsMore =
          row.result().hitShare(comparison.tiers().size() - 1)
              > best.result().hitShare(comparison.tiers().size() - 1);
      if (best.name().equals("oracle") || hitsMore && !row.name().equals("oracle")) {
        best = row;
      }
    }
    return "%s: %s of %s serve %s of the reads"
        .formatted(
            best.title(),
            Quantities.bytes(comparison.fastBytes()),
            fastest,
            Quantities.percent(best.result().hitShare(comparison.tiers().size() - 1)));
  }

  private void chart(String title, ToDoubleFunction<PolicyRow> value, DoubleFunction<String> unit) {
    page.section(title);
    page.note("By capacity of the fastest tier.");
    page.chart(
        title + " by capacity of the fastest tier",
        Axis.ofSizes(comparison.sizes()),
        names.stream().map(name -> new Curve(title(name), css(name), values(name, value))).toList(),
        unit);
    page.table(
        Stream.concat(Stream.of("policy"), comparison.sizes().stream().map(Quantities::bytes))
            .toList(),
        names.stream().map(name -> numbers(name, value, unit)).toList());
  }

  private List<String> numbers(
      String name, ToDoubleFunction<PolicyRow> value, DoubleFunction<String> unit) {
    return Stream.concat(Stream.of(title(name)), values(name, value).stream().map(unit::apply))
        .toList();
  }

  private List<Double> values(String name, ToDoubleFunction<PolicyRow> value) {
    return comparison.sizes().stream().map(size -> value.applyAsDouble(row(name, size))).toList();
  }

  private PolicyRow row(String name, long size) {
    return comparison.rows().stream()
        .filter(row -> row.name().equals(name) && row.fastBytes() == size)
        .findFirst()
        .orElseThrow();
  }

  private String title(String name) {
    return row(name, comparison.fastBytes()).title();
  }

  private String css(String name) {
    if (name.isEmpty()) {
      return "ours";
    }
    return name.equals("oracle") ? "oracle" : "c" + names.indexOf(name) % COLOURS;
  }
}
