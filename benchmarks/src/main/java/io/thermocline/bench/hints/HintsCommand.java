// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.hints;

import io.thermocline.bench.ClientOverhead;
import io.thermocline.bench.FlatJson;
import io.thermocline.testbed.cluster.EmbeddedCluster;
import io.thermocline.tiering.hints.StaticHints;
import io.thermocline.tiering.process.Seams;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
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

  private final Map<String, Object> report = new TreeMap<>();

  /** Of the busiest of the experiments. */
  private double requestsPerSecond;

  @Override
  public Integer call() throws IOException {
    classification();
    migration();
    streams();
    prefetching();
    cost();
    client();
    NameNodeCost nameNode = NameNodeCost.measure(quick ? 5_000 : 50_000);
    put("namenode_bytes_of_a_file", nameNode.file());
    put("namenode_bytes_of_a_hint", nameNode.hint());
    put("hint_text_bytes", nameNode.text());
    PrintWriter out = spec.commandLine().getOut();
    out.println(FlatJson.of(report));
    out.flush();
    return 0;
  }

  private void classification() {
    for (int percent : new int[] {100, 50, 200}) {
      String suffix = percent == 100 ? "" : "_metadata_" + percent + "_pct";
      classification(new StaticExperiment(seed, percent, Volume.DEVICES), suffix);
    }
    classification(new StaticExperiment(seed, 100, Volume.TABLE_1_1), "_table_1_1");
  }

  private void classification(StaticExperiment experiment, String suffix) {
    for (StaticExperiment.Tiers tiers : StaticExperiment.Tiers.values()) {
      String name = tiers.name().toLowerCase(Locale.ROOT) + "_tiers" + suffix;
      double none = experiment.latencyMillis(tiers, StaticHints.Level.OFF);
      double first = experiment.latencyMillis(tiers, StaticHints.Level.LEVEL1);
      double second = experiment.latencyMillis(tiers, StaticHints.Level.LEVEL2);
      put("latency_" + name + "_no_hints_ms", none);
      put("latency_" + name + "_level1_ms", first);
      put("latency_" + name + "_level2_ms", second);
      put("change_" + name + "_level1_pct", change(first, none));
      put("change_" + name + "_level2_vs_level1_pct", change(second, first));
      put("change_" + name + "_level2_pct", change(second, none));
    }
  }

  /** Figures 2.5 and 2.6. */
  private void migration() {
    StaticExperiment experiment = new StaticExperiment(seed, 100, Volume.DEVICES);
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
    HintCost cost = new HintCost(Seams.system().nanos());
    double access = cost.nanosOfAccess();
    double file = cost.nanosOfFile();
    put("hint_ns_per_access", access);
    put("hint_ns_per_file", file);
    // As many opens a second as a busy NameNode has; a plan over ten million files every five
    // minutes.
    put("hint_cpu_pct_50000_opens_s", 100 * access * 50_000 / 1e9);
    put("hint_cpu_pct_10_million_files_5_min", 100 * file * 10_000_000 / 300 / 1e9);
    put("hint_cpu_pct_experiment", 100 * access * requestsPerSecond / 1e9);
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

  private static double change(double with, double without) {
    return 100 * (with - without) / without;
  }

  private void put(String name, double value) {
    report.put(name, Math.round(value * 100) / 100.0);
    spec.commandLine().getOut().printf(Locale.ROOT, "%-50s %10.2f%n", name, value);
    spec.commandLine().getOut().flush();
  }
}
