// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * A comparison as one HTML page that needs nothing but a browser: no network, no script. Curves over sizes of
 * the fastest tier, and all their numbers in tables.
 */
public final class HtmlReport {
  private static final int COLOURS = 16;

  private final Comparison comparison;
  private final List<String> names;
  private final StringBuilder page = new StringBuilder();

  private HtmlReport(Comparison comparison) {
    this.comparison = comparison;
    names = comparison.asItIs().stream().map(PolicyRow::name).toList();
  }

  /** Writes the page in UTF-8, creating the directory where needed, replacing what was there. */
  public static void write(Comparison comparison, Path file) throws IOException {
    String page = new HtmlReport(comparison).page();
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.writeString(file, page);
  }

  private String page() {
    String fastest = comparison.tiers().get(comparison.tiers().size() - 1);
    int tier = comparison.tiers().size() - 1;
    page.append(resource("simulate-head.html").replace("{{style}}", resource("simulate.css")));
    add(
        "<header><p class=\"kicker\">Thermocline: what if</p><h1>%s</h1>",
        LineChart.escape(headline(fastest)));
    add(
        "<p class=\"lead\">%s: %,d accesses of %,d files, %s. Moves are %s. Seed %d.</p></header>",
        LineChart.escape(comparison.trace()),
        comparison.accesses(),
        comparison.files(),
        Quantities.bytes(comparison.fileBytes()),
        comparison.mode().name().toLowerCase(Locale.ROOT),
        comparison.seed());
    section(
        "The cluster as it is, with "
            + Quantities.bytes(comparison.fastBytes())
            + " of "
            + fastest);
    table(ReportTable.of(comparison));
    page.append("</section>\n");
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
    page.append("</main></body></html>\n");
    return page.toString();
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
    section(title);
    add("<p class=\"lead\">By capacity of the fastest tier.</p>");
    page.append("<div class=\"scroll\">");
    page.append(
        LineChart.svg(
            title + " by capacity of the fastest tier",
            comparison.sizes(),
            names.stream()
                .map(name -> new LineChart.Line(title(name), css(name), values(name, value)))
                .toList(),
            unit));
    page.append("</div>\n<ul class=\"legend\">\n");
    names.forEach(
        name -> add("<li class=\"%s\"><i></i>%s</li>", css(name), LineChart.escape(title(name))));
    page.append("</ul>\n");
    table(
        new ReportTable(
            Stream.concat(Stream.of("policy"), comparison.sizes().stream().map(Quantities::bytes))
                .toList(),
            names.stream().map(name -> numbers(name, value, unit)).toList()));
    page.append("</section>\n");
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

  private void section(String title) {
    add("<section><h2>%s</h2>", LineChart.escape(title));
  }

  private void table(ReportTable table) {
    page.append("<div class=\"scroll\"><table><thead><tr>");
    table.columns().forEach(head -> add("<th scope=\"col\">%s</th>", LineChart.escape(head)));
    page.append("</tr></thead><tbody>\n");
    for (List<String> row : table.rows()) {
      add("<tr><th scope=\"row\">%s</th>", LineChart.escape(row.get(0)));
      row.subList(1, row.size()).forEach(cell -> add("<td>%s</td>", LineChart.escape(cell)));
      page.append("</tr>\n");
    }
    page.append("</tbody></table></div>\n");
  }

  private void add(String format, Object... values) {
    page.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  private static String resource(String name) {
    try (InputStream in = HtmlReport.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is missing on the class path");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
