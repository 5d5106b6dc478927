// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.prs;

import io.thermocline.bench.prs.Load.Order;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** The experiments of PRS, section 4: prints each, and adds its figures to the report. */
final class Evaluation {
  private static final int DISKS = 8;
  private static final int SSDS = 2;
  private static final long KIB = 1 << 10;
  private static final int ALL = Integer.MAX_VALUE;

  private final boolean quick;
  private final long seed;
  private final Figures figures;

  Evaluation(boolean quick, long seed, Map<String, Object> figures) {
    this.quick = quick;
    this.seed = seed;
    this.figures = new Figures(figures);
  }

  /** And the devices by themselves. */
  void figure10() {
    new DeviceRun(figures).run();
    fio();
  }

  void otherFigures() {
    skew();
    applications();
    clients();
    schemes();
    rewrites();
  }

  /**
   * Figure 10 in four ways, as the paper leaves two things open: each request asked of a device, as what ships does, or
   * groups loaded ahead by nodes; and of the client as many requests under way as it has jobs, or one.
   */
  private void fio() {
    List<Fio> ways =
        List.of(
            new Fio("", false, ALL),
            new Fio("_single", false, 1),
            new Fio("_paper_loading", true, ALL),
            new Fio("_paper_loading_single", true, 1));
    for (int jobs = 1; jobs <= (quick ? 64 : 512); jobs *= quick ? 8 : 2) {
      for (Order order : List.of(Order.RANDOM, Order.SEQUENTIAL)) {
        Load load = Load.fio(1, jobs, 256 * KIB, order);
        for (Fio way : ways) {
          way.run("jobs_" + jobs + "_" + word(order), load, way.byJobs);
        }
      }
    }
    for (long kib = quick ? 64 : 1; kib <= 4096; kib *= quick ? 8 : 4) {
      for (Order order : List.of(Order.RANDOM, Order.SEQUENTIAL)) {
        Load load = Load.fio(1, 16, kib * KIB, order);
        for (Fio way : ways) {
          way.run("size_" + kib + "kb_" + word(order), load, way.bySize);
        }
      }
    }
    ways.forEach(Fio::compare);
  }

  /** One way to read figure 10. */
  private final class Fio {
    private final String name;
    private final boolean loads;
    private final int atOnce;
    private final List<Map<Scheme, Playing.Result>> byJobs = new ArrayList<>();
    private final List<Map<Scheme, Playing.Result>> bySize = new ArrayList<>();

    Fio(String name, boolean loads, int atOnce) {
      this.name = name;
      this.loads = loads;
      this.atOnce = atOnce;
    }

    void run(String load, Load asked, List<Map<Scheme, Playing.Result>> series) {
      Scheme[] schemes = {Scheme.ONE, Scheme.THREE, Scheme.GROUPS, Scheme.PRS, Scheme.MEMORY};
      Experiment experiment = new Experiment(asked.withAtOnce(atOnce), DISKS, SSDS, seed);
      Map<Scheme, Playing.Result> results =
          loads ? experiment.loading(schemes) : experiment.run(schemes);
      series.add(show(load + name, experiment, results));
    }

    void compare() {
      List<Map<Scheme, Playing.Result>> all =
          Stream.concat(byJobs.stream(), bySize.stream()).toList();
      String groups = "groups" + name + "_vs_three_by_";
      figures.range(groups + "jobs", byJobs, Scheme.GROUPS, Scheme.THREE, 2, 303);
      figures.range(groups + "size", bySize, Scheme.GROUPS, Scheme.THREE, 101, 273);
      figures.range("layout" + name + "_vs_groups", all, Scheme.PRS, Scheme.GROUPS, 109, 460);
      figures.range("prs" + name + "_vs_three", all, Scheme.PRS, Scheme.THREE, 105, 1156);
      // Figures 10b, d and 10f, h are of the same loads.
      figures.both(
          "both" + name + "_by_size",
          bySize,
          Scheme.THREE,
          101,
          109,
          Network.BYTES_PER_SECOND / 1e6);
    }
  }

  /** Figure 11: 16 jobs on an SSD's node. */
  private void skew() {
    for (Order order : List.of(Order.DRAWN, Order.DRAWN_RUNS)) {
      List<Map<Scheme, Playing.Result>> series = new ArrayList<>();
      for (int tenths = 0; tenths <= 12; tenths += quick ? 6 : 2) {
        long requests = quick ? 1_000 : 8_000;
        Load load =
            new Load(1, 16, 12_800, requests, 256 * KIB, order, tenths / 10.0, 1, true, ALL, false);
        String name = "zipf_" + tenths / 10 + "p" + tenths % 10 + "_" + word(order);
        series.add(show(name, load, DISKS, SSDS, Scheme.THREE, Scheme.THIRD));
      }
      figures.range("prs_vs_three_by_skew_" + word(order), series, Scheme.THIRD, Scheme.THREE);
    }
  }

  /** Figure 12, table 2. */
  private void applications() {
    List<Map<Scheme, Playing.Result>> series = new ArrayList<>();
    Scheme[] schemes = {Scheme.THREE, Scheme.STRAW, Scheme.THIRD};
    long requests = quick ? 1_000 : 10_000;
    series.add(
        show(
            "fileserver",
            new Load(1, 16, 9_216, requests, 256 * KIB, Order.DRAWN, 0, 1 / 3.0, false, ALL, false),
            DISKS,
            SSDS,
            schemes));
    series.add(
        show(
            "varmail",
            new Load(1, 16, 3_840, requests, 32 * KIB, Order.DRAWN, 0, 0.5, false, ALL, false),
            DISKS,
            SSDS,
            schemes));
    series.add(
        show(
            "webserver",
            new Load(
                1, 16, 6_400, requests, 256 * KIB, Order.DRAWN, 0, 10 / 11.0, false, ALL, false),
            DISKS,
            SSDS,
            schemes));
    series.add(
        show(
            "videoserver",
            new Load(
                1, 16, 10_752, requests, 1024 * KIB, Order.DRAWN_RUNS, 0, 1, false, ALL, false),
            DISKS,
            SSDS,
            schemes));
    figures.range("prs_vs_three_by_application", series, Scheme.THIRD, Scheme.THREE);
    figures.range("prs_vs_straw_by_application", series, Scheme.THIRD, Scheme.STRAW);
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
                Scheme.PRS,
                Scheme.THIRD));
      }
    }
    figures.range("layout_vs_groups_by_clients", series, Scheme.PRS, Scheme.GROUPS);
    figures.range("prs_vs_three_by_clients", series, Scheme.THIRD, Scheme.THREE);
    figures.range("prs_vs_straw_by_clients", series, Scheme.THIRD, Scheme.STRAW);
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
                Scheme.THIRD));
      }
    }
    for (Scheme other : List.of(Scheme.SEQUENCE, Scheme.FREQUENCY, Scheme.SEQUENCE_FREQUENCY)) {
      figures.range("prs_vs_" + other.field(), series, Scheme.THIRD, other);
    }
  }

  /**
   * Figure 16: what was there is written again, with a copy more, against written for the first
   * time.
   */
  void rewrites() {
    double least = Double.MAX_VALUE;
    double most = 0;
    for (long kib = quick ? 64 : 4; kib <= 4096; kib *= quick ? 8 : 4) {
      Map<Scheme, Playing.Result> again = write(kib, false, Scheme.ONE, Scheme.ONE_PRS);
      double created = write(kib, true, Scheme.ONE).get(Scheme.ONE).megabytesPerSecond();
      double rewritten = again.get(Scheme.ONE).megabytesPerSecond();
      double grouped = again.get(Scheme.ONE_PRS).megabytesPerSecond();
      System.out.printf(
          Locale.ROOT,
          "%-30s created %,.1f MB/s, written again %,.1f MB/s, with the groups' copy %,.1f MB/s%n",
          "write_" + kib + "kb",
          created,
          rewritten,
          grouped);
      figures.put("write_" + kib + "kb_created_mb_s", created);
      figures.put("write_" + kib + "kb_again_mb_s", rewritten);
      figures.put("write_" + kib + "kb_again_prs_mb_s", grouped);
      least = Math.min(least, grouped / created);
      most = Math.max(most, grouped / created);
    }
    figures.put("write_again_prs_vs_created_least", least);
    figures.put("write_again_prs_vs_created_most", most);
    figures.put("published_write_most", 1.75);
  }

  private Map<Scheme, Playing.Result> write(long kib, boolean creates, Scheme... schemes) {
    Load load = Load.writing(16, kib * KIB, creates);
    return new Experiment(load, DISKS, SSDS, seed).run(schemes);
  }

  private Map<Scheme, Playing.Result> show(
      String name, Load load, int disks, int ssds, Scheme... schemes) {
    Experiment experiment = new Experiment(load, disks, ssds, seed);
    return show(name, experiment, experiment.run(schemes));
  }

  private Map<Scheme, Playing.Result> show(
      String name, Experiment experiment, Map<Scheme, Playing.Result> results) {
    StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%-30s", name));
    results.forEach(
        (scheme, result) -> {
          line.append(
              String.format(
                  Locale.ROOT, " %s %,.1f MB/s", scheme.field(), result.megabytesPerSecond()));
          figures.put(name + "_" + scheme.field() + "_mb_s", result.megabytesPerSecond());
        });
    line.append(String.format(Locale.ROOT, ", %.0f %% grouped", 100 * experiment.grouped()));
    System.out.println(line);
    if (name.endsWith("server") || name.equals("varmail")) {
      results.forEach(
          (scheme, result) -> {
            figures.put(name + "_" + scheme.field() + "_iops", result.requestsPerSecond());
            figures.put(name + "_" + scheme.field() + "_ms", result.meanMillis());
          });
    }
    return results;
  }

  private static String word(Order order) {
    return order.name().toLowerCase(Locale.ROOT);
  }
}
