// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.prs;

import io.thermocline.bench.FlatJson;
import io.thermocline.tiering.app.groups.FoundSets;
import io.thermocline.tiering.app.groups.GeneratedSets;
import io.thermocline.tiering.app.groups.GeneratedSets.Marks;
import io.thermocline.tiering.classify.groups.MiningSettings;
import io.thermocline.tiering.process.ServiceRuntime;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.LongSupplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * PRS: mining by the number of reads, and the paper's experiments simulated.
 *
 * <p>{@code bin/thermocline bench prs}
 */
@Command(
    name = "prs",
    description = {
      "Pattern-directed replication (PRS): how long mining takes and how much memory, by the number of"
          + " reads, and the paper's experiments on its ten storage nodes, simulated, beside the published"
          + " figures. docs/evidence/prs.md says what is what."
    },
    mixinStandardHelpOptions = true)
public final class PrsCommand implements Callable<Integer> {
  private static final LongSupplier NANOS = ServiceRuntime.system().nanos();
  private static final int WARM_RUNS = 20;
  private static final long LEAST_READS = 100_000;

  /** Of which a read may take a microsecond. */
  private static final long GOAL_READS = 10_000_000;

  private static final int MOST_RUNS = 15;

  @Option(names = "--quick", description = "Mining up to a million reads only, and less data.")
  private boolean quick;

  @Option(
      names = "--reads",
      paramLabel = "N",
      description = "Mining up to so many reads (default: 100000000, with --quick 1000000).")
  private long mostReads;

  @Option(names = "--seed", paramLabel = "N", description = "Of all that is drawn (default: 1).")
  private long seed = 1;

  /** What there is to run. */
  enum Part {
    MINING,
    REDIRECT,
    /** On a cluster with the service; a quarter of an hour, with --quick two minutes. */
    CLUSTER,
    /** Of the simulation, the experiment that the paper gives numbers of. */
    FIGURE10,
    /** All others that are simulated. */
    FIGURES
  }

  @Option(
      names = "--only",
      paramLabel = "PART",
      split = ",",
      description = "Of ${COMPLETION-CANDIDATES} (default: all).")
  private Set<Part> only = EnumSet.allOf(Part.class);

  @Override
  public Integer call() throws IOException {
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("benchmark", "prs");
    figures.put("quick", quick);
    figures.put("seed", seed);
    if (only.contains(Part.MINING)) {
      mining(figures);
    }
    if (only.contains(Part.REDIRECT)) {
      RedirectRun.run(figures, NANOS);
    }
    if (only.contains(Part.CLUSTER)) {
      new ClusterRun(quick ? SetScale.QUICK : SetScale.FULL, ServiceRuntime.system())
          .run(figures, seed);
    }
    Evaluation evaluation = new Evaluation(quick, seed, figures);
    if (only.contains(Part.FIGURE10)) {
      evaluation.figure10();
    }
    if (only.contains(Part.FIGURES)) {
      evaluation.otherFigures();
    }
    figures.put("java_version", Runtime.version().toString());
    System.out.println(FlatJson.of(figures));
    return 0;
  }

  private void mining(Map<String, Object> figures) {
    for (int i = 0; i < WARM_RUNS; i++) {
      MiningRun.of(LEAST_READS, seed + i, NANOS);
    }
    List<MiningRun> runs = new ArrayList<>();
    long most = mostReads > 0 ? Math.max(LEAST_READS, mostReads) : quick ? 1_000_000 : 100_000_000;
    for (long reads = LEAST_READS; reads <= most; reads *= 10) {
      MiningRun run = median(reads);
      runs.add(run);
      System.out.printf(
          Locale.ROOT,
          "mining %,12d reads: %,9.1f ms (counting %,.1f, grouping %,.1f; CPU %,.1f), %,.0f MB, %,d objects,"
              + " %,d pairs (at most %d missed), %,d groups%n",
          reads,
          run.milliseconds(),
          run.distanceNanos() / 1e6,
          run.groupingNanos() / 1e6,
          run.cpuNanos() / 1e6,
          run.bytes() / 1e6,
          run.objects(),
          run.pairs(),
          run.pairError(),
          run.groups());
      String name = name(reads);
      figures.put("mining_ms_" + name, round(run.milliseconds()));
      figures.put("mining_cpu_ms_" + name, round(run.cpuNanos() / 1e6));
      figures.put("mining_distance_ms_" + name, round(run.distanceNanos() / 1e6));
      figures.put("mining_grouping_ms_" + name, round(run.groupingNanos() / 1e6));
      figures.put("mining_bytes_" + name, run.bytes());
      figures.put("mining_pair_error_" + name, run.pairError());
      figures.put("ns_per_read_" + name, round(run.cpuNanosPerRead()));
      if (reads <= GOAL_READS) {
        figures.put("ns_per_read", round(run.cpuNanosPerRead()));
      }
    }
    found(figures);
    MiningRun first = runs.get(0);
    MiningRun last = runs.get(runs.size() - 1);
    figures.put("mining_most_reads", last.reads());
    // 1 is linear; caches make it more.
    figures.put("mining_time_growth", round(last.cpuNanosPerRead() / first.cpuNanosPerRead()));
    figures.put("published_distance_ms_100k", 950);
    figures.put("published_grouping_ms_100k", 1570);
    figures.put("mining_speedup_100k", round((950 + 1570) / first.milliseconds()));
  }

  /** What is found of generated sets, against the truth, by as many readers at once. */
  private void found(Map<String, Object> figures) {
    sets(seed).forEach((name, sets) -> found(figures, name, sets));
    found(
        figures,
        "10000_sets",
        new GeneratedSets(
            10_000, 8, 2048, quick ? 800_000 : 2_400_000, 0, 0, 0, 1, Marks.ADDRESSES, seed));
  }

  /** All but the largest. */
  static Map<String, GeneratedSets> sets(long seed) {
    Map<String, GeneratedSets> sets = new LinkedHashMap<>();
    for (int clients : new int[] {1, 8, 32, 128, 512, 2048}) {
      sets.put("" + clients, GeneratedSets.of(clients, Marks.ADDRESSES, seed));
    }
    sets.put("gateway_8", GeneratedSets.of(8, Marks.USERS, seed));
    sets.put("gateway_128", GeneratedSets.of(128, Marks.USERS, seed));
    sets.put("unmarked_128", GeneratedSets.of(128, Marks.NONE, seed));
    sets.put(
        "singles_128",
        new GeneratedSets(200, 8, 128, 96_000, 32.0 / 33, 0, 0, 1, Marks.ADDRESSES, seed));
    sets.put(
        "skipping_128",
        new GeneratedSets(200, 8, 128, 48_000, 0, 0.1, 0, 1, Marks.ADDRESSES, seed));
    sets.put(
        "sharing_128", new GeneratedSets(200, 8, 128, 48_000, 0, 0, 1, 1, Marks.ADDRESSES, seed));
    // Four reads of each set a week.
    sets.put(
        "weekly_128", new GeneratedSets(200, 8, 128, 51_200, 0, 0, 0, 8, Marks.ADDRESSES, seed));
    return sets;
  }

  private static void found(Map<String, Object> figures, String name, GeneratedSets sets) {
    FoundSets found = FoundSets.of(sets, MiningSettings.ofFiles());
    System.out.printf(
        Locale.ROOT,
        "sets of %d files, %,6d clients (%s): %,d of %,d found whole, %.1f %% of the pairs, %.1f %% of those found wrong%n",
        sets.files(),
        sets.clients(),
        name,
        found.whole(),
        found.sets(),
        found.foundPercent(),
        found.wrongPercent());
    figures.put("pairs_found_pct_" + name, round(found.foundPercent()));
    figures.put("pairs_wrong_pct_" + name, round(found.wrongPercent()));
  }

  /** Of several where they are short: others use the machine too, which the CPU's time doesn't see. */
  private MiningRun median(long reads) {
    List<MiningRun> runs = new ArrayList<>();
    for (int i = 0; i < Math.max(1, Math.min(MOST_RUNS, 2_000_000 / reads)); i++) {
      runs.add(MiningRun.of(reads, seed, NANOS));
    }
    runs.sort(Comparator.comparingLong(MiningRun::cpuNanos));
    return runs.get(runs.size() / 2);
  }

  private static String name(long reads) {
    return reads < 1_000_000 ? reads / 1000 + "k" : reads / 1_000_000 + "m";
  }

  private static double round(double value) {
    return Math.round(value * 100) / 100.0;
  }
}
