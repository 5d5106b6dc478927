// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.suora;

import io.thermocline.bench.FlatJson;
import io.thermocline.tiering.process.ServiceRuntime;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.LongSupplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * SUORA's evaluation on a storage system (sections 4.5 to 4.7), simulated.
 *
 * <p>{@code bin/thermocline bench suora}
 */
@Command(
    name = "suora",
    description = {
      "The evaluation of SUORA on 30 storage nodes, simulated: throughput by request size, skew and application,"
          + " with the service's hotness table, decisions and plans, against consistent hashing, CRUSH and SSDs"
          + " alone. docs/evidence/suora.md has the published figures beside ours."
    },
    mixinStandardHelpOptions = true)
public final class SuoraCommand implements Callable<Integer> {
  private static final LongSupplier NANOS = ServiceRuntime.system().nanos();

  @Option(names = "--quick", description = "One run on an eighth of the data.")
  private boolean quick;

  @Option(
      names = "--runs",
      paramLabel = "N",
      description = "With a seed each, of which figures are the mean (default: ${DEFAULT-VALUE}).")
  private int runs = 3;

  @Option(names = "--seed", paramLabel = "N", description = "Of the first run (default: 1).")
  private long seed = 1;

  @Option(
      names = "--ssd-latency",
      paramLabel = "US",
      description =
          "Microseconds of an SSD's request; the paper's table 1 has 35 to 350 (default:"
              + " ${DEFAULT-VALUE}).")
  private double ssdLatencyMicros = 100;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "Write an HTML page with curves there.")
  private Path report;

  @Override
  public Integer call() throws IOException {
    Results results = new Results();
    int count = quick ? 1 : runs;
    if (count < 1 || !(ssdLatencyMicros >= 0)) {
      throw new IllegalArgumentException(
          "--runs " + runs + ", --ssd-latency " + ssdLatencyMicros + ": from 1, from 0");
    }
    Progress progress = new Progress(count * work(scenarios(seed)), NANOS);
    for (int run = 0; run < count; run++) {
      for (Scenario scenario : scenarios(seed + run)) {
        for (Placement placement : Placement.values()) {
          results.add(scenario.workload().field(), placement, scenario.run(placement, seed + run));
        }
        progress.done(work(List.of(scenario)), scenario.workload().field());
      }
    }
    print(results);
    double nanos = HotnessCost.nanos(NANOS, seed);
    System.out.printf(
        Locale.ROOT, "%nThe hotness table takes %.0f ns a read on this machine.%n", nanos);
    if (report != null) {
      SuoraPage.write(results, report);
    }
    Map<String, Object> figures = results.figures();
    figures.put("benchmark", "suora");
    figures.put("quick", quick);
    figures.put("runs", count);
    figures.put("seed", seed);
    figures.put("thresholds", Arrays.toString(SuoraStore.THRESHOLDS.heats()));
    figures.put("ssd_latency_us", ssdLatencyMicros);
    figures.put("hotness_ns_per_read", Math.round(nanos));
    figures.put("published_improvement_least_pct", 112);
    figures.put("published_improvement_most_pct", 246);
    figures.put("published_moved_share", 0.2);
    figures.put("java_version", Runtime.version().toString());
    System.out.println(FlatJson.of(figures));
    return 0;
  }

  private List<Scenario> scenarios(long ofSeed) {
    return Scenario.all(quick, ssdLatencyMicros / 1e6, ofSeed);
  }

  private static long work(List<Scenario> scenarios) {
    return Placement.values().length
        * scenarios.stream().mapToLong(scenario -> scenario.workload().work()).sum();
  }

  private static void print(Results results) {
    System.out.printf(Locale.ROOT, "%n%-22s", "MB/s");
    for (Placement placement : Placement.values()) {
      System.out.printf(Locale.ROOT, "%11s", placement.field());
    }
    System.out.printf("%14s%12s%12s%n", "suora to ch", "SSD reads", "moved");
    for (String field : results.fields("")) {
      System.out.printf(Locale.ROOT, "%-22s", field);
      for (Placement placement : Placement.values()) {
        System.out.printf(Locale.ROOT, "%11.1f", results.of(field, placement).megabytesPerSecond());
      }
      Outcome suora = results.of(field, Placement.SUORA);
      System.out.printf(
          Locale.ROOT,
          "%+12.0f %%%10.1f %%%10.1f %%%n",
          suora.improvement(results.of(field, Placement.CH)),
          100 * suora.ssdReads(),
          100 * suora.movedShare());
    }
  }
}
