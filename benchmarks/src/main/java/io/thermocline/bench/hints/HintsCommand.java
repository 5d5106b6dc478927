// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.hints;

import io.thermocline.bench.ClientOverhead;
import io.thermocline.bench.FlatJson;
import io.thermocline.testbed.cluster.EmbeddedCluster;
import io.thermocline.tiering.config.ConfigException;
import io.thermocline.tiering.config.ServiceConfigFile;
import io.thermocline.tiering.hints.StaticHints;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * HintStor's experiments (thesis, chapter 2.4), simulated.
 *
 * <p>{@code bin/thermocline bench hints}
 */
@Command(
    name = "hints",
    description = {
      "HintStor's experiments on simulated devices: file system data classification with the service's classifier and"
          + " decisions; stream IDs and prefetching as models of the paper; and what hints cost."
          + " docs/evidence/hints.md has the published figures beside ours."
    },
    mixinStandardHelpOptions = true)
public final class HintsCommand implements Callable<Integer> {

  /** What the thesis has, by the end of a report's key: less is better below zero, more above. */
  private static final Map<String, Double> PUBLISHED =
      new TreeMap<>(
          Map.of(
              "two_tiers_level1_pct", -48.6,
              "two_tiers_level2_vs_level1_pct", -12.4,
              "three_tiers_level1_pct", -42.1,
              "three_tiers_level2_vs_level1_pct", -40.4,
              "stream_throughput_times", 3.2,
              "stream_migrated_change_pct", -93.5,
              "prefetch_1000_mbit_change_pct", -66.0,
              "prefetch_200_mbit_change_pct", -71.0,
              "prefetch_1000_mbit_level2_change_pct", -13.0,
              "prefetch_200_mbit_level2_change_pct", -34.0));

  private static final int MILLION = 1_000_000;

  @Spec private CommandSpec spec;

  @Option(
      names = "--quick",
      description =
          "An eighth of the time for streams and migration, a tenth of the files for the NameNode.")
  private boolean quick;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Of all that is random (default: ${DEFAULT-VALUE}).")
  private long seed = 1;

  @Option(
      names = "--populations",
      paramLabel = "N",
      description =
          "Sets of files that classification is the mean of, with seeds from --seed on (default:"
              + " ${DEFAULT-VALUE}; one with --quick).")
  private int populations = 4;

  private final Map<String, Object> report = new TreeMap<>();

  /** Of the busiest of the experiments. */
  private double requestsPerSecond;

  @Option(
      names = "--only",
      paramLabel = "PART",
      description = "One of ${COMPLETION-CANDIDATES} (default: all).")
  private Part only;

  private enum Part {
    CLASSIFICATION,
    MIGRATION,
    STREAMS,
    PREFETCHING,
    COST
  }

  @Override
  public Integer call() throws IOException, ConfigException {
    if (populations < 1) {
      throw new ParameterException(
          spec.commandLine(), "--populations " + populations + ": expected 1 or more");
    }
    if (wants(Part.CLASSIFICATION)) {
      classification();
    }
    if (wants(Part.MIGRATION)) {
      migration();
    }
    if (wants(Part.STREAMS)) {
      streams();
    }
    if (wants(Part.PREFETCHING)) {
      prefetching();
    }
    if (wants(Part.COST)) {
      cost();
      client();
      NameNodeCost nameNode = NameNodeCost.measure(quick ? 5_000 : 50_000);
      put("namenode_bytes_of_a_file", nameNode.file());
      put("namenode_bytes_of_a_hint", nameNode.hint());
      put("hint_text_bytes", nameNode.text());
    }
    PrintWriter out = spec.commandLine().getOut();
    published().forEach(out::println);
    out.println(FlatJson.of(report));
    out.flush();
    return 0;
  }

  private boolean wants(Part part) {
    return only == null || only == part;
  }

  /** By each reading. */
  private void classification() {
    Map<Reading.Created, List<StaticExperiment>> files = new EnumMap<>(Reading.Created.class);
    for (Reading reading : Reading.ALL) {
      files.computeIfAbsent(
          reading.created(),
          created ->
              LongStream.range(seed, seed + (quick ? 1 : populations))
                  .mapToObj(each -> new StaticExperiment(each, reading))
                  .toList());
      new Classification(reading, files.get(reading.created())).measure(this::put);
    }
  }

  /** Figures 2.5 and 2.6. */
  private void migration() {
    StaticExperiment experiment = new StaticExperiment(seed, Reading.ALL.get(0));
    double seconds = quick ? 900 : 7200;
    for (int times : new int[] {0, 2, 6, 12}) {
      double every = times == 0 ? 2 * seconds : seconds / times;
      for (StaticHints.Level level : StaticHints.Level.values()) {
        StaticExperiment.Migrated run = experiment.migrated(level, seconds, every);
        String name = "_" + times + "_times_" + level.name().toLowerCase(Locale.ROOT);
        put("migration" + name + "_ms", run.millis());
        put("migration" + name + "_gb", run.migrated() / 1e9);
      }
    }
  }

  private void streams() {
    double seconds = quick ? 900 : 7200;
    StreamExperiment.Result without = StreamExperiment.run(false, seconds, seconds / 12, seed);
    StreamExperiment.Result with = StreamExperiment.run(true, seconds, seconds / 12, seed);
    requestsPerSecond = with.requestsPerSecond();
    put("stream_without_mb_s", without.megabytesPerSecond());
    put("stream_with_mb_s", with.megabytesPerSecond());
    put("stream_without_requests_s", without.requestsPerSecond());
    put("stream_with_requests_s", with.requestsPerSecond());
    put("stream_throughput_times", with.megabytesPerSecond() / without.megabytesPerSecond());
    put("stream_requests_times", with.requestsPerSecond() / without.requestsPerSecond());
    put("stream_without_migrated_gb", without.migrated() / 1e9);
    put("stream_with_migrated_gb", with.migrated() / 1e9);
    put("stream_migrated_change_pct", change(with.migrated(), without.migrated()));
  }

  private void prefetching() {
    for (int megabits : new int[] {1000, 200}) {
      int buffer = megabits == 1000 ? 1024 : 2048;
      // At 1 Gbit/s the thesis hints the first file alone.
      int hinted = megabits == 1000 ? 1 : 2;
      PrefetchExperiment.Result none =
          PrefetchExperiment.run(PrefetchExperiment.Hints.NONE, megabits, 0, 0, seed);
      PrefetchExperiment.Result second =
          PrefetchExperiment.run(PrefetchExperiment.Hints.LEVEL2, megabits, 0, 0, seed);
      String name = "prefetch_" + megabits + "_mbit";
      put(name + "_no_hints_s", none.seconds());
      put(name + "_level2_s", second.seconds());
      put(name + "_level2_change_pct", change(second.seconds(), none.seconds()));
      put(name + "_no_hints_remote_mib", none.remoteMib());
      put(name + "_level2_remote_mib", second.remoteMib());
      for (PrefetchExperiment.Hints begun :
          List.of(
              PrefetchExperiment.Hints.PREFETCH_BEFORE,
              PrefetchExperiment.Hints.PREFETCH_WITH_CP)) {
        String when = begun == PrefetchExperiment.Hints.PREFETCH_BEFORE ? "" : "_with_cp";
        for (int files = hinted; files <= 2; files++) {
          String reading = name + when + (files == hinted ? "" : "_both_files");
          PrefetchExperiment.Result prefetch =
              PrefetchExperiment.run(begun, megabits, buffer, files, seed);
          put(reading + "_prefetch_s", prefetch.seconds());
          put(reading + "_change_pct", change(prefetch.seconds(), none.seconds()));
          put(reading + "_remote_mib", prefetch.remoteMib());
        }
      }
    }
  }

  private void cost() throws ConfigException {
    // Of this thread alone: of others on the machine only what they take from caches counts.
    HintCost cost = new HintCost(ManagementFactory.getThreadMXBean()::getCurrentThreadCpuTime);
    double access = cost.nanosOfAccess();
    double file = cost.nanosOfFile();
    put("hint_ns_per_access", access);
    put("hint_ns_per_file", file);
    // As many opens a second as a busy NameNode has; and a million files, of which a plan comes as
    // often as the service
    // ever makes one. Plans of more files are further apart.
    put("hint_cpu_pct_50000_opens_s", 100 * access * 50_000 / 1e9);
    double least = ServiceConfigFile.defaults().interval().least().toSeconds();
    put("hint_plan_every_s", least);
    double files = MILLION / least;
    put("hint_cpu_pct_million_files", 100 * file * files / 1e9);
    double both = 100 * (access * 50_000 + file * files) / 1e9;
    put("hint_cpu_pct_both_of_a_core", both);
    put("hint_cpu_pct_both_of_this_machine", both / Runtime.getRuntime().availableProcessors());
    double scan = cost.nanosOfScan(quick ? 100_000 : 1_000_000);
    put("hint_ns_per_scanned_file", scan);
    put("hint_cpu_pct_with_scan_of_a_core", both + 100 * scan * files / 1e9);
    if (requestsPerSecond > 0) {
      put("hint_cpu_pct_experiment", 100 * access * requestsPerSecond / 1e9);
    }
    put("hints_in_force_ms_10000", cost.nanosOfInForce() / 1e6);
    put("directory_hints_ns_none", cost.nanosOfNewBlock(0, 0));
    put("directory_hints_ns_1_of_10000", cost.nanosOfNewBlock(10_000, 0));
    put("directory_hints_ns_none_of_10000", cost.nanosOfNewBlock(10_000, 10_000));
  }

  /** Of an application that knows no hints, beside one without them, by turns. */
  private void client() throws IOException {
    Path directory = Files.createTempDirectory("thermocline-bench-");
    try (EmbeddedCluster cluster = EmbeddedCluster.builder(directory).create()) {
      cluster.start();
      cluster.devices().fullSpeed();
      ClientOverhead overhead =
          ClientOverhead.measure(
              cluster.uri(), cluster.configuration(), "http://localhost:1", quick ? 300 : 1_000);
      put("client_create_us", overhead.plainCreateMicros());
      put("client_create_overhead_us", overhead.createMicros());
      put("client_open_us", overhead.plainOpenMicros());
      put("client_open_overhead_us", overhead.openMicros());
    }
  }

  /** A line for each figure of the thesis and each reading of it. */
  private Collection<String> published() {
    Map<String, String> lines = new LinkedHashMap<>();
    PUBLISHED.forEach(
        (figure, theirs) -> {
          for (Reading reading : Reading.ALL) {
            compare(
                "change_" + figure.replace("_tiers", "_tiers" + reading.suffix()), theirs, lines);
          }
          for (String suffix : List.of("", "_both_files", "_with_cp", "_with_cp_both_files")) {
            compare(figure.replace("_mbit_change", "_mbit" + suffix + "_change"), theirs, lines);
          }
        });
    return lines.values();
  }

  private void compare(String key, double theirs, Map<String, String> lines) {
    if (report.get(key) instanceof Double ours && !lines.containsKey(key)) {
      boolean reached = theirs < 0 ? ours <= theirs : ours >= theirs;
      String word = reached ? "reached" : "missed";
      report.put(word + "_" + key, theirs);
      lines.put(
          key,
          String.format(
              Locale.ROOT,
              "%-72s published %6.1f, %s %6.1f: %s",
              key,
              theirs,
              isOurs(key) ? "ours" : "the paper's model",
              ours,
              word));
    }
  }

  /** Whether the service's own decisions place what is measured. */
  private static boolean isOurs(String key) {
    return key.startsWith("change_");
  }

  private static double change(double with, double without) {
    return 100 * (with - without) / without;
  }

  private void put(String name, double value) {
    report.put(name, Math.round(value * 100) / 100.0);
    spec.commandLine().getOut().printf(Locale.ROOT, "%-50s %10.2f%n", name, value);
    spec.commandLine().getOut().flush();
  }
}
