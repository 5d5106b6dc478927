// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.suora;

import io.thermocline.tiering.sim.report.Axis;
import io.thermocline.tiering.sim.report.Curve;
import io.thermocline.tiering.sim.report.HtmlPage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;

/** The results as an HTML page. */
final class SuoraPage {
  private static final String SIZE = "size_";
  private static final String SKEW = "zipf_";

  private final Results results;
  private final HtmlPage page;

  private SuoraPage(Results results) {
    this.results = results;
    List<Double> improvements =
        results.fields(SIZE).stream()
            .map(
                field ->
                    results.of(field, Placement.SUORA).improvement(results.of(field, Placement.CH)))
            .sorted()
            .toList();
    this.page =
        new HtmlPage(
            "Thermocline: SUORA's evaluation",
            String.format(
                Locale.ROOT,
                "SUORA reads %+.0f to %+.0f %% against consistent hashing, and moves %.1f %% of the data",
                improvements.get(0),
                improvements.get(improvements.size() - 1),
                100 * results.movedShare()),
            "Published: +112 to +246 %, about 20 % moved. 30 simulated nodes: 10 WD disks, 10 Seagate disks, 10 SSDs;"
                + " docs/evidence/suora.md describes them, and says where this differs and why.");
  }

  static void write(Results results, Path file) throws IOException {
    SuoraPage page = new SuoraPage(results);
    page.curves(
        "Random reads by request size (figure 13 a, b)", SIZE, field -> field.replace("kb", " KB"));
    page.curves(
        "Reads of 512 KB by Zipf exponent (figure 13 c, d)",
        SKEW,
        field -> field.replace('p', '.'));
    page.section(
        "The access patterns of table 5, 512 KB", List.of("pattern_", "bandwidth_", "one_by_one"));
    page.section(
        "The applications of table 6, writes to reads 1 to 1 and 1 to 10 (figure 13 e, f)",
        List.of("fileserv", "varmail", "webserver", "video", "randomrw"));
    page.page.write(file);
  }

  private void curves(String title, String prefix, Function<String, String> name) {
    List<String> fields = results.fields(prefix);
    page.section(title);
    page.chart(
        title + ", MB/s",
        Axis.even(
            fields.stream().map(field -> name.apply(field.substring(prefix.length()))).toList()),
        Arrays.stream(Placement.values()).map(placement -> curve(placement, fields)).toList(),
        SuoraPage::megabytes);
    table(fields);
  }

  private Curve curve(Placement placement, List<String> fields) {
    String css =
        switch (placement) {
          case SUORA -> "ours";
          case SSD -> "oracle";
          default -> "c" + placement.ordinal();
        };
    return new Curve(
        placement.title(),
        css,
        fields.stream().map(field -> results.of(field, placement).megabytesPerSecond()).toList());
  }

  private void section(String title, List<String> prefixes) {
    page.section(title);
    table(prefixes.stream().flatMap(prefix -> results.fields(prefix).stream()).toList());
  }

  private void table(List<String> fields) {
    List<String> columns =
        Stream.concat(
                Stream.concat(
                    Stream.of("MB/s"), Arrays.stream(Placement.values()).map(Placement::field)),
                Stream.of("suora to ch", "reads from SSDs", "objects moved"))
            .toList();
    page.table(columns, fields.stream().map(this::row).toList());
  }

  private List<String> row(String field) {
    Outcome suora = results.of(field, Placement.SUORA);
    return Stream.concat(
            Stream.concat(
                Stream.of(field),
                Arrays.stream(Placement.values())
                    .map(
                        placement -> megabytes(results.of(field, placement).megabytesPerSecond()))),
            Stream.of(
                String.format(
                    Locale.ROOT, "%+.0f %%", suora.improvement(results.of(field, Placement.CH))),
                percent(suora.ssdReads()),
                percent(suora.movedShare())))
        .toList();
  }

  private static String megabytes(double value) {
    return String.format(Locale.ROOT, "%,.0f", value);
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }
}
