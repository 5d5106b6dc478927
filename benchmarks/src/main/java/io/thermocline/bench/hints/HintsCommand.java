// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.hints;

import io.thermocline.bench.ClientOverhead;
import io.thermocline.bench.FlatJson;
import io.thermocline.bench.hints.StaticExperiment.Created;
import io.thermocline.bench.hints.StaticExperiment.Load;
import io.thermocline.testbed.cluster.EmbeddedCluster;
import io.thermocline.tiering.hints.StaticHints;
import io.thermocline.tiering.sim.device.DeviceSpec;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * HintStor's experiments (thesis, chapter 2.4), simulated.
 *
 * <p>{@code bin/thermocline bench hints}
 */
@Command(
    name = "hints",
    description = {
      "HintStor's experiments on simulated devices, with the service's classifier, hints and decisions: file system data"
          + " classification, stream IDs, prefetching; and what hints cost. docs/evidence/hints.md has the"
          + " published figures beside ours."
    },
    mixinStandardHelpOptions = true)
public final class HintsCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(
      names = "--quick",
      description = "An eighth of the time for streams, a tenth of the files for the NameNode.")
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
  public Integer call() throws IOException {
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

  /** A way to read what the thesis leaves open; the first name's keys have no suffix. */
  private record Reading(
      String suffix, Load load, int metadataPercent, Created created, DeviceSpec... specs) {}

  private static final List<Reading> READINGS =
      List.of(
          new Reading("", Load.TIMED, 100, Created.MIXED, Volume.DEVICES),
          new Reading("_as_listed", Load.TIMED, 100, Created.AS_LISTED, Volume.DEVICES),
          new Reading("_counted", Load.COUNTED, 100, Created.MIXED, Volume.DEVICES),
          new Reading("_counted_as_listed", Load.COUNTED, 100, Created.AS_LISTED, Volume.DEVICES),
          new Reading("_turns", Load.COUNTED_IN_TURNS, 100, Created.MIXED, Volume.DEVICES),
          new Reading(
              "_turns_as_listed", Load.COUNTED_IN_TURNS, 100, Created.AS_LISTED, Volume.DEVICES),
          new Reading(
              "_turns_as_listed_metadata_50_pct",
              Load.COUNTED_IN_TURNS,
              50,
              Created.AS_LISTED,
              Volume.DEVICES),
          new Reading("_metadata_50_pct", Load.TIMED, 50, Created.MIXED, Volume.DEVICES),
          new Reading("_metadata_200_pct", Load.TIMED, 200, Created.MIXED, Volume.DEVICES),
          new Reading("_table_1_1", Load.TIMED, 100, Created.MIXED, Volume.TABLE_1_1));

  /** Means of so many populations, by each reading. */
  private void classification() {
    for (Reading reading : READINGS) {
      List<StaticExperiment> experiments =
          LongStream.range(seed, seed + (quick ? 1 : populations))
              .mapToObj(
                  each ->
                      new StaticExperiment(
                          each,
                          reading.load(),
                          reading.metadataPercent(),
                          reading.created(),
                          reading.specs()))
              .toList();
      for (StaticExperiment.Tiers tiers : StaticExperiment.Tiers.values()) {
        classification(
            tiers.name().toLowerCase(Locale.ROOT) + "_tiers" + reading.suffix(),
            experiments,
            tiers);
      }
    }
  }

  private void classification(
      String name, List<StaticExperiment> experiments, StaticExperiment.Tiers tiers) {
    Map<String, List<Double>> found = new TreeMap<>();
    for (StaticExperiment each : experiments) {
      double none = each.latencyMillis(tiers, StaticHints.Level.OFF);
      double first = each.latencyMillis(tiers, StaticHints.Level.LEVEL1);
      double second = each.latencyMillis(tiers, StaticHints.Level.LEVEL2);
      Map<String, Double> of =
          Map.of(
              "latency_" + name + "_no_hints_ms", none,
              "latency_" + name + "_level1_ms", first,
              "latency_" + name + "_level2_ms", second,
              "change_" + name + "_level1_pct", change(first, none),
              "change_" + name + "_level2_vs_level1_pct", change(second, first),
              "change_" + name + "_level2_pct", change(second, none),
              "fast_bytes_" + name + "_level1_pct",
                  each.fastPercent(tiers, StaticHints.Level.LEVEL1),
              "fast_bytes_" + name + "_level2_pct",
                  each.fastPercent(tiers, StaticHints.Level.LEVEL2));
      of.forEach((key, value) -> found.computeIfAbsent(key, k -> new ArrayList<>()).add(value));
    }
    found.forEach(
        (key, values) ->
            put(key, values.stream().mapToDouble(Double::doubleValue).average().orElseThrow()));
  }

  /** Figures 2.5 and 2.6. */
  private void migration() {
    StaticExperiment experiment =
        new StaticExperiment(seed, Load.TIMED, 100, Created.MIXED, Volume.DEVICES);
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
      PrefetchExperiment.Result none =
          PrefetchExperiment.run(PrefetchExperiment.Hints.NONE, megabits, buffer, seed);
      PrefetchExperiment.Result second =
          PrefetchExperiment.run(PrefetchExperiment.Hints.LEVEL2, megabits, buffer, seed);
      PrefetchExperiment.Result prefetch =
          PrefetchExperiment.run(PrefetchExperiment.Hints.PREFETCH, megabits, buffer, seed);
      String name = "prefetch_" + megabits + "_mbit_";
      put(name + "no_hints_s", none.seconds());
      put(name + "level2_s", second.seconds());
      put(name + "prefetch_s", prefetch.seconds());
      put(name + "level2_change_pct", change(second.seconds(), none.seconds()));
      put(name + "change_pct", change(prefetch.seconds(), none.seconds()));
      put(name + "no_hints_remote_mib", none.remoteMib());
      put(name + "level2_remote_mib", second.remoteMib());
      put(name + "remote_mib", prefetch.remoteMib());
      put(name + "remote_share", prefetch.remoteMib() / none.remoteMib());
    }
  }

  private void cost() {
    // Of this thread alone: of others on the machine only what they take from caches counts.
    HintCost cost = new HintCost(ManagementFactory.getThreadMXBean()::getCurrentThreadCpuTime);
    double access = cost.nanosOfAccess();
    double file = cost.nanosOfFile();
    put("hint_ns_per_access", access);
    put("hint_ns_per_file", file);
    // As many opens a second as a busy NameNode has; a plan over ten million files every five
    // minutes.
    put("hint_cpu_pct_50000_opens_s", 100 * access * 50_000 / 1e9);
    put("hint_cpu_pct_10_million_files_5_min", 100 * file * 10_000_000 / 300 / 1e9);
    double both = 100 * (access * 50_000 + file * 10_000_000 / 300) / 1e9;
    put("hint_cpu_pct_both_of_a_core", both);
    put("hint_cpu_pct_both_of_this_machine", both / Runtime.getRuntime().availableProcessors());
    if (requestsPerSecond > 0) {
      put("hint_cpu_pct_experiment", 100 * access * requestsPerSecond / 1e9);
    }
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

  /** A line for each figure of the thesis and each reading of it. */
  private List<String> published() {
    List<String> lines = new ArrayList<>();
    PUBLISHED.forEach(
        (figure, theirs) -> {
          for (Reading reading : READINGS) {
            String key = figure.replace("_tiers", "_tiers" + reading.suffix());
            Object ours = report.getOrDefault(key, report.get("change_" + key));
            if (ours != null && (reading.suffix().isEmpty() || !key.equals(figure))) {
              double is = (Double) ours;
              boolean reached = theirs < 0 ? is <= theirs : is >= theirs;
              String word = reached ? "reached" : "missed";
              report.put(word + "_" + key, theirs);
              lines.add(
                  String.format(
                      Locale.ROOT, "%-60s published %6.1f, ours %6.1f: %s", key, theirs, is, word));
            }
          }
        });
    return lines;
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
