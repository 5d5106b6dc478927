// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.apache.hadoop.util.VersionInfo;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs {@link NameNodePlacementBenchmark}. */
@Command(
    name = "namenode",
    description =
        "One placement of three replicas inside a NameNode, against Hadoop's default policy.",
    mixinStandardHelpOptions = true)
final class NameNodeCommand implements Callable<Integer> {
  @Option(names = "--quick", description = "A fifth of the time, for a first impression.")
  private boolean quick;

  @Override
  public Integer call() throws RunnerException {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include(NameNodePlacementBenchmark.class.getName())
            .forks(quick ? 1 : 3)
            .warmupIterations(quick ? 3 : 5)
            .warmupTime(TimeValue.seconds(1))
            .measurementIterations(quick ? 3 : 5)
            .measurementTime(TimeValue.seconds(1))
            .jvmArgsAppend("-Xmx1g");
    Map<String, Object> report = new TreeMap<>();
    Collection<RunResult> results = new Runner(options.build()).run();
    for (RunResult result : results) {
      String which =
          result.getParams().getParam("policy").toLowerCase(Locale.ROOT)
              + "_"
              + result.getParams().getParam("nodes");
      report.put("choose_ns_" + which, Math.round(result.getPrimaryResult().getScore()));
      report.put("error_ns_" + which, Math.round(result.getPrimaryResult().getScoreError()));
    }
    report.put("benchmark", "namenode");
    report.put("quick", quick);
    report.put("hadoop_version", VersionInfo.getVersion());
    report.put("java_version", Runtime.version().toString());
    System.out.println(FlatJson.of(report));
    return 0;
  }
}
