// SPDX-License-Identifier: Apache-2.0
package io.thermocline.demo.report;

import io.thermocline.placement.model.StorageType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * What the template of the page fills in, every text final but for its escaping. The accessors'
 * names are those of the template.
 */
record Page(
    String headline,
    String subtitle,
    List<Tile> tiles,
    List<Bar> bars,
    List<TierRow> tierRows,
    Best best,
    List<Measure> measures,
    Moves moves,
    TextTable heatTable,
    TextTable occupancyTable,
    TextTable shareTable,
    String windowSeconds,
    List<Decision> decisions,
    List<Figure> figures) {

  /** A bar of 100 %: what each tier served, slow to fast. */
  record Bar(String name, List<Segment> segments) {}

  /** A part of a bar, its width in percent with a point, whatever the locale. */
  record Segment(String tier, String css, String width, String percent) {}

  record TierRow(
      String tier,
      String css,
      String readsBefore,
      String readsAfter,
      String bytesBefore,
      String bytesAfter) {}

  /** What was measured before and after, and what the best possible placement would give. */
  record Measure(String name, String before, String after, String best) {}

  record Moves(String planned, String verified, String failed, String bytes) {}

  record Best(String width, String percent) {}

  record Figure(String key, String value) {}

  private static final String NONE = "\u2013";
  private static final String ORACLE = "fast_read_share_oracle";

  static Page of(RunRecord run, Series series) {
    List<StorageType> fastFirst = fastFirst(run);
    List<Bar> bars = new ArrayList<>();
    if (!run.before().isEmpty()) {
      bars.add(bar("Before", run.before()));
    }
    if (!run.after().isEmpty()) {
      bars.add(bar("After", run.after()));
    }
    return new Page(
        new Headline(run).sentence(),
        subtitle(run),
        Tile.of(run),
        bars,
        fastFirst.stream().map(type -> tierRow(type, run)).toList(),
        best(run),
        measures(run),
        moves(run.figures()),
        TextTable.ofHeat(run.heat()),
        TextTable.ofOccupancy(run.samples(), series),
        TextTable.ofReadShare(series),
        Format.number(series.windowSeconds(), 1),
        run.decisions(),
        run.figures().entrySet().stream()
            .map(figure -> new Figure(figure.getKey(), String.valueOf(figure.getValue())))
            .toList());
  }

  private static List<StorageType> fastFirst(RunRecord run) {
    return Arrays.stream(StorageType.values())
        .filter(type -> find(type, run.before()) != null || find(type, run.after()) != null)
        .sorted(Comparator.reverseOrder())
        .toList();
  }

  private static String subtitle(RunRecord run) {
    List<String> parts = new ArrayList<>();
    addPart(parts, "Hadoop ", run.figures().get("hadoop_version"), "");
    addPart(parts, "seed ", run.figures().get("seed"), "");
    Headline.figure(run.figures(), "elapsed_seconds")
        .ifPresent(seconds -> parts.add("ran for " + Format.number(seconds, 0) + " s"));
    return String.join(" \u00b7 ", parts);
  }

  private static void addPart(List<String> parts, String lead, Object value, String end) {
    if (value != null) {
      parts.add(lead + value + end);
    }
  }

  private static Bar bar(String name, List<TierWindow> window) {
    return new Bar(
        name,
        window.stream()
            .sorted(Comparator.comparing(TierWindow::type).reversed())
            .filter(tier -> tier.reads() > 0)
            .map(
                tier -> {
                  double share = tier.shareOfReads(window);
                  return new Segment(
                      tier.type().name(),
                      css(tier.type()),
                      Format.number(share * 100, 3),
                      Format.percent(share));
                })
            .toList());
  }

  private static TierRow tierRow(StorageType type, RunRecord run) {
    TierWindow before = find(type, run.before());
    TierWindow after = find(type, run.after());
    return new TierRow(
        type.name(),
        css(type),
        before == null ? NONE : Format.percent(before.shareOfReads(run.before())),
        after == null ? NONE : Format.percent(after.shareOfReads(run.after())),
        before == null ? NONE : Format.percent(before.shareOfBytes(run.before())),
        after == null ? NONE : Format.percent(after.shareOfBytes(run.after())));
  }

  private static TierWindow find(StorageType type, List<TierWindow> window) {
    return window.stream().filter(tier -> tier.type() == type).findFirst().orElse(null);
  }

  private static List<Measure> measures(RunRecord run) {
    Headline headline = new Headline(run);
    return List.of(
        new Measure(
            "Reads from SSD and faster",
            percent(headline.fastShare("fast_read_share_before", run.before())),
            percent(headline.fastShare("fast_read_share_after", run.after())),
            percent(Headline.figure(run.figures(), ORACLE))),
        new Measure(
            "Read throughput",
            megabytes(run, "read_mb_per_s_before"),
            megabytes(run, "read_mb_per_s_after"),
            NONE));
  }

  private static Moves moves(Map<String, Object> figures) {
    return new Moves(
        count(figures, "moves_planned"),
        count(figures, "moves_verified"),
        count(figures, "moves_failed"),
        figures.get("bytes_moved") instanceof Number bytes
            ? Format.bytes(bytes.doubleValue())
            : NONE);
  }

  /** Null, so that the template leaves it out, where the run has no oracle. */
  private static Best best(RunRecord run) {
    OptionalDouble share = Headline.figure(run.figures(), ORACLE);
    return share.isEmpty()
        ? null
        : new Best(
            Format.number(share.getAsDouble() * 100, 3), Format.percent(share.getAsDouble()));
  }

  private static String percent(OptionalDouble share) {
    return share.isEmpty() ? NONE : Format.percent(share.getAsDouble());
  }

  private static String count(Map<String, Object> figures, String key) {
    return figures.get(key) instanceof Number number ? Format.count(number.longValue()) : NONE;
  }

  private static String megabytes(RunRecord run, String figure) {
    return run.figures().get(figure) instanceof Number number
        ? Format.number(number.doubleValue(), 1) + "\u00a0MB/s"
        : NONE;
  }

  static String css(StorageType type) {
    return "tier-" + type.name();
  }
}
