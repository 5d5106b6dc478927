// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.prs;

import io.thermocline.bench.prs.Playing.Result;
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
   * The same beside what was published. The network bounds all schemes: of the loads of which
   * {@code base} leaves so much of what devices without any time give ({@link Scheme#MEMORY})
   * that the least that was published fits, it is counted how many reach that.
   */
  void range(
      String name,
      List<Map<Scheme, Result>> series,
      Scheme scheme,
      Scheme base,
      int publishedLeast,
      int publishedMost) {
    double least = Double.MAX_VALUE;
    double most = -Double.MAX_VALUE;
    int room = 0;
    int reached = 0;
    for (Map<Scheme, Result> results : series) {
      double before = results.get(base).megabytesPerSecond();
      double percent = gain(results.get(scheme).megabytesPerSecond(), before);
      least = Math.min(least, percent);
      most = Math.max(most, percent);
      if (publishedMost != UNKNOWN
          && gain(results.get(Scheme.MEMORY).megabytesPerSecond(), before) >= publishedLeast) {
        room++;
        reached += percent >= publishedLeast ? 1 : 0;
      }
    }
    put(name + "_least_pct", least);
    put(name + "_most_pct", most);
    String published = "";
    if (publishedMost != UNKNOWN) {
      figures.put("published_" + name + "_least_pct", publishedLeast);
      figures.put("published_" + name + "_most_pct", publishedMost);
      figures.put(name + "_loads", series.size());
      figures.put(name + "_loads_with_room", room);
      figures.put(name + "_loads_reached", reached);
      published =
          String.format(
              Locale.ROOT,
              " (published %+d to %+d %%; %d of %d loads leave room for the least, %d reach it)",
              publishedLeast,
              publishedMost,
              room,
              series.size(),
              reached);
    }
    System.out.printf(Locale.ROOT, "  %s: %+.0f to %+.0f %%%s%n", name, least, most, published);
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
