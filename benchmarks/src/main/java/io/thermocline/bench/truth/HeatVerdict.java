// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.truth;

import io.thermocline.testbed.audit.FileReads;
import io.thermocline.tiering.observe.FileView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * The service's heat of one audit log beside the truth. Immutable.
 *
 * @param captured by order, "" the service's, at each of {@link #PERCENT}
 * @param ratios of estimated to true disk time of the hottest files: at 0.1, 0.5 and 0.9
 * @param lines of the log
 * @param malformed of these
 */
record HeatVerdict(
    Map<String, double[]> captured,
    double[] ratios,
    double trueSeconds,
    int files,
    long lines,
    long malformed) {

  static final double[] PERCENT = {1, 5, 20};

  /** The disks of docs/evidence/heat.md. */
  record Disk(double seek, double rate) {
    double seconds(FileReads file) {
      return file.diskSeconds(seek, rate);
    }

    /** Writes what was read of each file, as a table beside a log. */
    void writeTruth(Path log, List<FileReads> files) throws IOException {
      Files.writeString(
          log.resolveSibling(log.getFileName() + ".truth.tsv"),
          files.stream()
              .map(
                  file ->
                      String.format(
                          Locale.ROOT,
                          "%s\t%d\t%d\t%d\t%.3f%n",
                          file.path(),
                          file.length(),
                          file.blockReads(),
                          file.bytes(),
                          seconds(file)))
              .collect(Collectors.joining("", "path\tlength\tblock_reads\tbytes\tdisk_s\n", "")));
    }
  }

  /**
   * Judges.
   *
   * @param trace log of some DataNodes, with which the service is judged too
   * @param views of the files, with where their blocks are
   * @param pageCache how long the service is told that page caches keep what was read; zero: it isn't
   */
  static HeatVerdict of(
      Path log,
      Path trace,
      List<FileReads> files,
      Function<FileReads, FileView> views,
      Duration pageCache,
      Disk disk,
      Clock clock)
      throws IOException {
    ProductHeat product = new ProductHeat(log, views, Duration.ZERO, clock);
    OpenCounts opens = new OpenCounts(log);
    Captured judge = new Captured(files, disk::seconds);
    Map<String, ToDoubleFunction<FileReads>> orders = new LinkedHashMap<>();
    orders.put("", product::rank);
    orders.put("_opens", file -> opens.opens(file.path()));
    orders.put(
        "_opens_per_byte", file -> (double) opens.opens(file.path()) / Math.max(1, file.length()));
    orders.put("_age", file -> opens.lastOpen(file.path()));
    orders.put("_ssm", file -> opens.ssm(file.path()));
    WindowedReads windowed = new WindowedReads(log);
    orders.put("_windowed", file -> (double) windowed.of(file.path()) / Math.max(1, file.length()));
    orders.put("_traced", new ProductHeat(log, trace, files, views, clock)::rank);
    if (!pageCache.isZero()) {
      orders.put("_cached", new ProductHeat(log, views, pageCache, clock)::rank);
    }
    Map<String, double[]> captured = new LinkedHashMap<>();
    orders.forEach((name, rank) -> captured.put(name, judge.shares(PERCENT, rank)));
    return new HeatVerdict(
        captured,
        judge.ratios(
            20, file -> product.diskSeconds(file, disk.seek(), disk.rate()), 0.1, 0.5, 0.9),
        judge.allSeconds(),
        files.size(),
        product.counts().lines(),
        product.counts().malformed());
  }

  /** A line of a table for people. */
  String row(String load) {
    StringBuilder row = new StringBuilder("%-13s".formatted(load));
    captured.forEach(
        (name, shares) -> {
          row.append("  ");
          for (double share : shares) {
            row.append(" %4.2f".formatted(share));
          }
        });
    row.append("   %5.2f %5.2f %5.2f".formatted(ratios[0], ratios[1], ratios[2]));
    row.append(" %9d %7d %9.0f".formatted(lines, files, trueSeconds));
    return row.toString();
  }

  static String header() {
    return """
                    captured at 1, 5, 20 % of the bytes, by                                                               \
          estimated : true
      load           heat             opens            opens a byte     last open        SSM              windowed     \
          traced           p10   p50   p90     lines   files  true s""";
  }

  /** Adds fields to a report. */
  void put(String load, Map<String, Object> report) {
    captured.forEach(
        (name, shares) -> {
          for (int at = 0; at < PERCENT.length; at++) {
            report.put("captured_" + load + "_" + (int) PERCENT[at] + name, rounded(shares[at]));
          }
        });
    report.put("estimate_" + load + "_p10", rounded(ratios[0]));
    report.put("estimate_" + load + "_median", rounded(ratios[1]));
    report.put("estimate_" + load + "_p90", rounded(ratios[2]));
    report.put("lines_" + load, lines);
    report.put("files_" + load, files);
    report.put("true_seconds_" + load, Math.round(trueSeconds));
  }

  private static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }
}
