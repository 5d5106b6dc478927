// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.apache.hadoop.util.VersionInfo;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Compares placement policies inside real NameNodes. A plain field is storage policy HOT and one thread;
 * others carry a suffix.
 */
@Command(
    name = "namenode",
    description =
        "One placement of three replicas inside a NameNode, against Hadoop's default and"
            + " available-space policies.",
    mixinStandardHelpOptions = true)
final class NameNodeCommand implements Callable<Integer> {
  private static final int[] SIZES = {100, 1000, 4000};
  private static final int BLOCKS = 1_000_000;

  /** They are off by many times what chance makes of so few. */
  private static final int PEERS_BLOCKS = 100_000;

  @Option(names = "--quick", description = "A quarter of the time, for a first impression.")
  private boolean quick;

  @Option(
      names = "--only",
      paramLabel = "PART",
      description = "One of ${COMPLETION-CANDIDATES} (default: both).")
  private Part only;

  private enum Part {
    SHARES,
    TIMES
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Map<String, Object> report = new TreeMap<>();
    if (only != Part.TIMES) {
      for (IdleNameNode.Policy policy : IdleNameNode.Policy.values()) {
        countShares(policy, report);
      }
    }
    if (only != Part.SHARES) {
      for (int nodes : SIZES) {
        for (IdleNameNode.Policy policy : IdleNameNode.Policy.values()) {
          measure(policy, nodes, report);
        }
      }
      report.put("worst_ratio_to_default", worstRatio(report));
    }
    report.put("benchmark", "namenode");
    report.put("quick", quick);
    report.put("hadoop_version", VersionInfo.getVersion());
    report.put("java_version", Runtime.version().toString());
    System.out.println(FlatJson.of(report));
    return 0;
  }

  /** How far storages' shares of the replicas are from those of the capacity, in percent. */
  private void countShares(IdleNameNode.Policy policy, Map<String, Object> report)
      throws IOException, InterruptedException {
    int blocks = policy != IdleNameNode.Policy.OURS || quick ? PEERS_BLOCKS : BLOCKS;
    Process process = started(NameNodeShares.class, policy.name(), Integer.toString(blocks));
    String name = policy.name().toLowerCase(Locale.ROOT);
    Map<String, Double> worst = new TreeMap<>();
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(NameNodeShares.RESULT)) {
          String[] words = line.split(" ");
          double off = Double.parseDouble(words[3]);
          double nearest = Double.parseDouble(words[4]);
          double over = Double.parseDouble(words[5]);
          worst.merge("deviation_pct_" + name + "_" + words[1], off, Math::max);
          worst.merge("feasible_deviation_pct_" + words[1], nearest, Math::max);
          worst.merge("over_feasible_pct_" + name + "_" + words[2], over, Math::max);
          worst.merge("max_deviation_over_feasible_pct_" + name, over, Math::max);
          System.out.printf(
              "%-60s off by %s %%, at least %s %%, over the nearest %s %%%n",
              name + "_" + words[1] + "_" + words[2],
              percent(words[3]),
              percent(words[4]),
              percent(words[5]));
        }
      }
    }
    if (process.waitFor() != 0 || worst.isEmpty()) {
      throw new IOException("counting the shares of " + policy + " failed");
    }
    report.put("blocks_" + name, blocks);
    worst.forEach((key, value) -> report.put(key, Math.round(100 * value) / 100.0));
  }

  private static double percent(String value) {
    return Math.round(10 * Double.parseDouble(value)) / 10.0;
  }

  private static Process started(Class<?> main, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of("-Xmx1g", "-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private void measure(IdleNameNode.Policy policy, int nodes, Map<String, Object> report)
      throws IOException, InterruptedException {
    Process process =
        started(
            NameNodeCells.class,
            policy.name(),
            Integer.toString(nodes),
            quick ? "3" : "6",
            quick ? "2" : "10");
    int cells = 0;
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(NameNodeCells.RESULT)) {
          String[] words = line.split(" ");
          String which = which(policy, nodes, words);
          report.put("choose_ns_" + which, Long.parseLong(words[4]));
          report.put("bytes_per_call_" + which, Long.parseLong(words[5]));
          System.out.printf("%-40s %8s ns %8s bytes%n", which, words[4], words[5]);
          cells++;
        }
      }
    }
    int exit = process.waitFor();
    if (exit != 0 || cells == 0) {
      throw new IOException(
          "measuring " + policy + " on " + nodes + " nodes ended with exit code " + exit);
    }
  }

  private static String which(IdleNameNode.Policy policy, int nodes, String[] words) {
    return policy.name().toLowerCase(Locale.ROOT)
        + "_"
        + nodes
        + (words[1].equals("HOT") ? "" : "_" + words[1].toLowerCase(Locale.ROOT))
        + (words[2].equals("OUTSIDE") ? "" : "_" + words[2].toLowerCase(Locale.ROOT))
        + (words[3].equals("1") ? "" : "_" + words[3] + "threads");
  }

  /** The largest share of the default policy's time that ours takes in any cell. */
  private static double worstRatio(Map<String, Object> report) {
    double worst = 0;
    for (Map.Entry<String, Object> entry : report.entrySet()) {
      if (entry.getKey().startsWith("choose_ns_ours_")) {
        double peer =
            ((Number) report.get(entry.getKey().replace("_ours_", "_default_"))).doubleValue();
        worst = Math.max(worst, ((Number) entry.getValue()).doubleValue() / peer);
      }
    }
    return Math.round(1000 * worst) / 1000.0;
  }
}
