// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.prs;

import io.thermocline.bench.prs.Load.Order;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The experiments of PRS, section 4: prints each, and adds its figures to the report. */
final class Evaluation {
  private static final int DISKS = 8;
  private static final int SSDS = 2;
  private static final long KIB = 1 << 10;

  private final boolean quick;
  private final long seed;
  private final Map<String, Object> figures;

  /** Results of figure 10's loads with nothing loaded ahead. */
  private final List<Map<Scheme, Playing.Result>> alone = new ArrayList<>();

  Evaluation(boolean quick, long seed, Map<String, Object> figures) {
    this.quick = quick;
    this.seed = seed;
    this.figures = figures;
  }

  void run() {
    fio();
    skew();
    applications();
    clients();
    schemes();
  }

  /** Figure 10. */
  private void fio() {
    List<Map<Scheme, Playing.Result>> all = new ArrayList<>();
    Scheme[] schemes = {Scheme.ONE, Scheme.THREE, Scheme.GROUPS, Scheme.PRS};
    List<Map<Scheme, Playing.Result>> series = new ArrayList<>();
    for (int jobs = 1; jobs <= (quick ? 64 : 512); jobs *= quick ? 8 : 2) {
      for (Order order : List.of(Order.RANDOM, Order.SEQUENTIAL)) {
        Load load = Load.fio(1, jobs, 256 * KIB, order);
        series.add(show("jobs_" + jobs + "_" + word(order), load, DISKS, SSDS, schemes));
      }
    }
    range("groups_vs_three_by_jobs", series, Scheme.GROUPS, Scheme.THREE, 2, 303);
    all.addAll(series);
    series = new ArrayList<>();
    for (long kib = quick ? 64 : 1; kib <= 4096; kib *= quick ? 8 : 4) {
      for (Order order : List.of(Order.RANDOM, Order.SEQUENTIAL)) {
        Load load = Load.fio(1, 16, kib * KIB, order);
        series.add(show("size_" + kib + "kb_" + word(order), load, DISKS, SSDS, schemes));
      }
    }
    range("groups_vs_three_by_size", series, Scheme.GROUPS, Scheme.THREE, 101, 273);
    all.addAll(series);
    range("layout_vs_groups", all, Scheme.PRS, Scheme.GROUPS, 109, 460);
    range("layout_alone_vs_groups", alone, Scheme.PRS, Scheme.GROUPS, 109, 460);
    range("prs_vs_three", all, Scheme.PRS, Scheme.THREE, 105, 1156);
  }

  /** Figure 11: 16 jobs on an SSD's node. */
  private void skew() {
    for (Order order : List.of(Order.DRAWN, Order.DRAWN_RUNS)) {
      List<Map<Scheme, Playing.Result>> series = new ArrayList<>();
      for (int tenths = 0; tenths <= 12; tenths += quick ? 6 : 2) {
        long requests = quick ? 1_000 : 8_000;
        Load load = new Load(1, 16, 12_800, requests, 256 * KIB, order, tenths / 10.0, 1, true);
        String name = "zipf_" + tenths / 10 + "p" + tenths % 10 + "_" + word(order);
        series.add(show(name, load, DISKS, SSDS, Scheme.THREE, Scheme.PRS));
      }
      range("prs_vs_three_by_skew_" + word(order), series, Scheme.PRS, Scheme.THREE, -1, -1);
    }
  }

  /** Figure 12, table 2. */
  private void applications() {
    List<Map<Scheme, Playing.Result>> series = new ArrayList<>();
    Scheme[] schemes = {Scheme.THREE, Scheme.STRAW, Scheme.PRS};
    long requests = quick ? 1_000 : 10_000;
    series.add(
        show(
            "fileserver",
            new Load(1, 16, 9_216, requests, 256 * KIB, Order.DRAWN, 0, 1 / 3.0, false),
            DISKS,
            SSDS,
            schemes));
    series.add(
        show(
            "varmail",
            new Load(1, 16, 3_840, requests, 32 * KIB, Order.DRAWN, 0, 0.5, false),
            DISKS,
            SSDS,
            schemes));
    series.add(
        show(
            "webserver",
            new Load(1, 16, 6_400, requests, 256 * KIB, Order.DRAWN, 0, 10 / 11.0, false),
            DISKS,
            SSDS,
            schemes));
    series.add(
        show(
            "videoserver",
            new Load(1, 16, 10_752, requests, 1024 * KIB, Order.DRAWN_RUNS, 0, 1, false),
            DISKS,
            SSDS,
            schemes));
    range("prs_vs_three_by_application", series, Scheme.PRS, Scheme.THREE, -1, -1);
    range("prs_vs_straw_by_application", series, Scheme.PRS, Scheme.STRAW, -1, -1);
  }

  /** Figure 13: 15 nodes. */
  private void clients() {
    List<Map<Scheme, Playing.Result>> series = new ArrayList<>();
    for (int clients = 1; clients <= 16; clients *= quick ? 4 : 2) {
      for (Order order : List.of(Order.RANDOM, Order.SEQUENTIAL)) {
        Load load = Load.fio(clients, 16, 256 * KIB, order);
        series.add(
            show(
                "clients_" + clients + "_" + word(order),
                load,
                12,
                3,
                Scheme.THREE,
                Scheme.STRAW,
                Scheme.GROUPS,
                Scheme.PRS));
      }
    }
    range("layout_vs_groups_by_clients", series, Scheme.PRS, Scheme.GROUPS, -1, -1);
    range("prs_vs_three_by_clients", series, Scheme.PRS, Scheme.THREE, -1, -1);
    range("prs_vs_straw_by_clients", series, Scheme.PRS, Scheme.STRAW, -1, -1);
  }

  /** Figure 14: 16 clients, with four jobs each. */
  private void schemes() {
    List<Map<Scheme, Playing.Result>> series = new ArrayList<>();
    for (long kib = quick ? 256 : 16; kib <= 4096; kib *= quick ? 16 : 4) {
      for (Order order : List.of(Order.RANDOM, Order.SEQUENTIAL)) {
        series.add(
            show(
                "schemes_" + kib + "kb_" + word(order),
                Load.fio(16, 4, kib * KIB, order),
                13,
                3,
                Scheme.THREE,
                Scheme.SEQUENCE,
                Scheme.FREQUENCY,
                Scheme.SEQUENCE_FREQUENCY,
                Scheme.PRS));
      }
    }
    for (Scheme other : List.of(Scheme.SEQUENCE, Scheme.FREQUENCY, Scheme.SEQUENCE_FREQUENCY)) {
      range("prs_vs_" + other.field(), series, Scheme.PRS, other, -1, -1);
    }
  }

  private Map<Scheme, Playing.Result> show(
      String name, Load load, int disks, int ssds, Scheme... schemes) {
    Experiment experiment = new Experiment(load, disks, ssds, seed);
    Map<Scheme, Playing.Result> results = experiment.run(schemes);
    StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%-30s", name));
    results.forEach(
        (scheme, result) -> {
          line.append(
              String.format(
                  Locale.ROOT, " %s %,.1f MB/s", scheme.field(), result.megabytesPerSecond()));
          figures.put(name + "_" + scheme.field() + "_mb_s", round(result.megabytesPerSecond()));
        });
    line.append(String.format(Locale.ROOT, ", %.0f %% grouped", 100 * experiment.grouped()));
    System.out.println(line);
    if (name.startsWith("jobs_") || name.startsWith("size_")) {
      showAlone(name, experiment);
    }
    if (name.endsWith("server") || name.equals("varmail")) {
      results.forEach(
          (scheme, result) -> {
            figures.put(name + "_" + scheme.field() + "_iops", round(result.requestsPerSecond()));
            figures.put(name + "_" + scheme.field() + "_ms", round(result.meanMillis()));
          });
    }
    return results;
  }

  /** What the layout brings where no memory hides the devices. */
  private void showAlone(String name, Experiment experiment) {
    Map<Scheme, Playing.Result> results = experiment.withoutLoading(Scheme.GROUPS, Scheme.PRS);
    double groups = results.get(Scheme.GROUPS).megabytesPerSecond();
    double prs = results.get(Scheme.PRS).megabytesPerSecond();
    System.out.printf(
        Locale.ROOT,
        "%-30s groups %,.1f MB/s prs %,.1f MB/s%n",
        "  nothing loaded ahead",
        groups,
        prs);
    figures.put(name + "_alone_groups_mb_s", round(groups));
    figures.put(name + "_alone_prs_mb_s", round(prs));
    alone.add(results);
  }

  private void range(
      String name,
      List<Map<Scheme, Playing.Result>> series,
      Scheme scheme,
      Scheme base,
      int publishedLeast,
      int publishedMost) {
    double least = Double.MAX_VALUE;
    double most = -Double.MAX_VALUE;
    for (Map<Scheme, Playing.Result> results : series) {
      double percent =
          100
              * (results.get(scheme).megabytesPerSecond() / results.get(base).megabytesPerSecond()
                  - 1);
      least = Math.min(least, percent);
      most = Math.max(most, percent);
    }
    figures.put(name + "_least_pct", round(least));
    figures.put(name + "_most_pct", round(most));
    if (publishedMost > 0) {
      figures.put("published_" + name + "_least_pct", publishedLeast);
      figures.put("published_" + name + "_most_pct", publishedMost);
    }
    System.out.printf(Locale.ROOT, "  %s: %+.0f to %+.0f %%%n", name, least, most);
  }

  private static String word(Order order) {
    return order.name().toLowerCase(Locale.ROOT);
  }

  private static double round(double value) {
    return Math.round(value * 100) / 100.0;
  }
}
