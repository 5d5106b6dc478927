// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.prs;

import io.thermocline.bench.prs.Playing.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What the experiments report: printed, and kept under its name. */
final class Figures {
  /** Above any published. */
  private static final int UNKNOWN = -1;

  private final Map<String, Object> figures;

  Figures(Map<String, Object> figures) {
    this.figures = figures;
  }

  void put(String name, double value) {
    figures.put(name, Math.round(value * 100) / 100.0);
  }

  /**
   * Least and most that a scheme gains over another, in percent; the paper says nothing of it in
   * numbers.
   */
  void range(String name, List<Map<Scheme, Result>> series, Scheme scheme, Scheme base) {
    range(name, series, scheme, base, UNKNOWN, UNKNOWN);
  }

  /**
   * The same beside what was published. It is reached where the median of all loads is at least the
   * middle of the published range. The network bounds all schemes: beside it stands the median of what devices
   * without any time would gain ({@link Scheme#MEMORY}).
   */
  void range(
      String name,
      List<Map<Scheme, Result>> series,
      Scheme scheme,
      Scheme base,
      int publishedLeast,
      int publishedMost) {
    List<Double> gains = new ArrayList<>();
    List<Double> left = new ArrayList<>();
    for (Map<Scheme, Result> results : series) {
      double before = results.get(base).megabytesPerSecond();
      gains.add(gain(results.get(scheme).megabytesPerSecond(), before));
      if (publishedMost != UNKNOWN) {
        left.add(gain(results.get(Scheme.MEMORY).megabytesPerSecond(), before));
      }
    }
    double least = gains.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    double most = gains.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    put(name + "_least_pct", least);
    put(name + "_median_pct", median(gains));
    put(name + "_most_pct", most);
    String published = "";
    if (publishedMost != UNKNOWN) {
      double middle = (publishedLeast + publishedMost) / 2.0;
      boolean reached = median(gains) >= middle;
      put(name + "_left_by_network_median_pct", median(left));
      figures.put("published_" + name + "_least_pct", publishedLeast);
      figures.put("published_" + name + "_most_pct", publishedMost);
      figures.put(name + "_reached", reached);
      published =
          String.format(
              Locale.ROOT,
              "; published %+d to %+d %%, the middle of which is %sreached; the network leaves %+.0f %%",
              publishedLeast,
              publishedMost,
              reached ? "" : "not ",
              median(left));
    }
    System.out.printf(
        Locale.ROOT,
        "  %s: %+.0f to %+.0f %%, median %+.0f %%%s%n",
        name,
        least,
        most,
        median(gains),
        published);
  }

  private static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int half = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(half)
        : (sorted.get(half - 1) + sorted.get(half)) / 2;
  }

  /**
   * Whether two gains, one on top of the other, can both be had: in how many of the loads {@code
   * base} leaves as much of one link as the least of both come to.
   *
   * @param linkMegabytes a second
   */
  void both(
      String name,
      List<Map<Scheme, Result>> series,
      Scheme base,
      int firstLeast,
      int secondLeast,
      double linkMegabytes) {
    double times = (1 + firstLeast / 100.0) * (1 + secondLeast / 100.0);
    double most = linkMegabytes / times;
    long room =
        series.stream().filter(results -> results.get(base).megabytesPerSecond() <= most).count();
    put(name + "_times", times);
    put(name + "_most_before_mb_s", most);
    figures.put(name + "_loads", series.size());
    figures.put(name + "_loads_with_room", room);
    System.out.printf(
        Locale.ROOT,
        "  %s: %+d %% and %+d %% more is %.2f times, so %.1f MB/s before at most, as the link carries"
            + " %.0f: %d of %d loads%n",
        name,
        firstLeast,
        secondLeast,
        times,
        most,
        linkMegabytes,
        room,
        series.size());
  }

  private static double gain(double with, double without) {
    return 100 * (with / without - 1);
  }
}
