// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs {@link AuditLineBenchmark}. */
@Command(
    name = "audit",
    description =
        "One audit line, parsed and counted into the hotness table, against a regular expression"
            + " and a map.",
    mixinStandardHelpOptions = true)
final class AuditCommand implements Callable<Integer> {
  private static final String ALLOCATED = "gc.alloc.rate.norm";

  @Option(names = "--quick", description = "A fifth of the time, for a first impression.")
  private boolean quick;

  @Option(names = "--seed", paramLabel = "N", description = "Of the lines (default: 1).")
  private long seed = 1;

  @Override
  public Integer call() throws RunnerException {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include(AuditLineBenchmark.class.getName())
            .param("seed", Long.toString(seed))
            .forks(quick ? 1 : 3)
            .warmupIterations(quick ? 3 : 5)
            .warmupTime(TimeValue.seconds(1))
            .measurementIterations(quick ? 3 : 5)
            .measurementTime(TimeValue.seconds(1))
            .addProfiler(GCProfiler.class)
            .jvmArgsAppend("-Xmx1g");
    Map<String, Object> report = new TreeMap<>();
    Map<String, Double> nanos = new TreeMap<>();
    for (RunResult result : new Runner(options.build()).run()) {
      String which = result.getParams().getParam("counter").toLowerCase(Locale.ROOT);
      double score = result.getPrimaryResult().getScore();
      nanos.put(which, score);
      report.put(which + "_ns_per_line", Math.round(score));
      report.put(which + "_error_ns", Math.round(result.getPrimaryResult().getScoreError()));
      report.put(which + "_lines_per_s", Math.round(1e9 / score));
      report.put(
          which.equals("audit") ? "bytes_allocated_per_line" : "peer_bytes_allocated_per_line",
          Math.round(result.getSecondaryResults().get(ALLOCATED).getScore()));
      report.put("distinct_paths", Integer.parseInt(result.getParams().getParam("distinctPaths")));
    }
    report.put("ratio", Math.round(100 * nanos.get("peer") / nanos.get("audit")) / 100.0);
    report.put("benchmark", "audit");
    report.put("quick", quick);
    report.put("seed", seed);
    report.put("java_version", Runtime.version().toString());
    System.out.println(FlatJson.of(report));
    return 0;
  }
}
