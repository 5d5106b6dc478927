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

  @Option(names = "--quick", description = "A quarter of the time, for a first impression.")
  private boolean quick;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Map<String, Object> report = new TreeMap<>();
    for (IdleNameNode.Policy policy : IdleNameNode.Policy.values()) {
      countShares(policy, report);
    }
    for (int nodes : SIZES) {
      for (IdleNameNode.Policy policy : IdleNameNode.Policy.values()) {
        measure(policy, nodes, report);
      }
    }
    report.put("worst_ratio_to_default", worstRatio(report));
    report.put("benchmark", "namenode");
    report.put("quick", quick);
    report.put("hadoop_version", VersionInfo.getVersion());
    report.put("java_version", Runtime.version().toString());
    System.out.println(FlatJson.of(report));
    return 0;
  }

  /** How far nodes' shares of the replicas are from those of the capacity, in percent. */
  private void countShares(IdleNameNode.Policy policy, Map<String, Object> report)
      throws IOException, InterruptedException {
    Process process =
        started(NameNodeShares.class, policy.name(), Integer.toString(quick ? 200_000 : 1_000_000));
    String name = policy.name().toLowerCase(Locale.ROOT);
    double over = 0;
    int clusters = 0;
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(NameNodeShares.RESULT)) {
          String[] words = line.split(" ");
          report.put("deviation_pct_" + name + "_" + words[1], percent(words[2]));
          report.put("feasible_deviation_pct_" + words[1], percent(words[3]));
          over = Math.max(over, Double.parseDouble(words[4]));
          System.out.printf(
              "%-40s off by %s %%, at least %s %%%n",
              name + "_" + words[1], percent(words[2]), percent(words[3]));
          clusters++;
        }
      }
    }
    if (process.waitFor() != 0 || clusters == 0) {
      throw new IOException("counting the shares of " + policy + " failed");
    }
    report.put("max_deviation_over_feasible_pct_" + name, Math.round(100 * over) / 100.0);
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
          String which = which(policy, nodes, words[1], words[2]);
          report.put("choose_ns_" + which, Long.parseLong(words[3]));
          report.put("bytes_per_call_" + which, Long.parseLong(words[4]));
          System.out.printf("%-40s %8s ns %8s bytes%n", which, words[3], words[4]);
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

  private static String which(
      IdleNameNode.Policy policy, int nodes, String storagePolicy, String threads) {
    return policy.name().toLowerCase(Locale.ROOT)
        + "_"
        + nodes
        + (storagePolicy.equals("HOT") ? "" : "_" + storagePolicy.toLowerCase(Locale.ROOT))
        + (threads.equals("1") ? "" : "_" + threads + "threads");
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
