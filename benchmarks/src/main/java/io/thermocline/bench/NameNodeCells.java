// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import java.io.PrintStream;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * The process of {@link NameNodeCommand} that measures one placement policy on one number of nodes: all
 * storage policies, with one thread and two, on one NameNode. No other policy is loaded in it that
 * could make its calls harder to compile.
 */
final class NameNodeCells {
  /** Starts a line of the standard output that is a result. */
  static final String RESULT = "cell ";

  private static final String ALLOCATED = "gc.alloc.rate.norm";

  private NameNodeCells() {}

  /** Arguments: policy, nodes, iterations of warm-up and of measurement, of half a second each. */
  public static void main(String[] args) throws RunnerException {
    PrintStream out = System.out;
    for (int threads = 1; threads <= 2; threads++) {
      ChainedOptionsBuilder options =
          new OptionsBuilder()
              .include(NameNodePlacementBenchmark.class.getName())
              .param("policy", args[0])
              .param("nodes", args[1])
              // This process is the fork: a NameNode takes longer to start than a cell to measure.
              .forks(0)
              .threads(threads)
              .warmupIterations(Integer.parseInt(args[2]))
              .warmupTime(TimeValue.milliseconds(500))
              .measurementIterations(Integer.parseInt(args[3]))
              .measurementTime(TimeValue.milliseconds(500))
              .addProfiler(GCProfiler.class);
      for (RunResult result : new Runner(options.build()).run()) {
        out.println(
            RESULT
                + String.join(
                    " ",
                    result.getParams().getParam("storagePolicy"),
                    result.getParams().getParam("writers"),
                    Integer.toString(threads),
                    Long.toString(
                        Math.round(result.getPrimaryResult().getStatistics().getPercentile(50))),
                    Long.toString(
                        Math.round(result.getSecondaryResults().get(ALLOCATED).getScore()))));
      }
    }
    System.exit(0);
  }
}
