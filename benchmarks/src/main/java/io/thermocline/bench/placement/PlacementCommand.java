// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.placement;

import io.thermocline.bench.FlatJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs {@link PlacementBenchmark}, and counts shares and moves. */
@Command(
    name = "placement",
    description =
        "Three weighted replicas of a key, looked up by the plugin's plan, SUORA and its peers; how fair it is, and what"
            + " moves when a node joins. Times are the best of several iterations.",
    mixinStandardHelpOptions = true)
public final class PlacementCommand implements Callable<Integer> {
  private static final String ALLOCATED = "gc.alloc.rate.norm";
  private static final int NODES_THAT_ONE_JOINS = 512;
  private static final long STRAW_KEYS = 2_000_000;

  @Option(names = "--quick", description = "Three sizes and fewer keys, for a first impression.")
  private boolean quick;

  @Option(names = "--seed", paramLabel = "N", description = "Of the random clusters (default: 1).")
  private long seed = 1;

  private final Map<String, Object> report = new TreeMap<>();

  @Override
  public Integer call() throws RunnerException {
    countReplicas();
    String[] sizes =
        quick
            ? new String[] {"64", "4096", "100000"}
            : new String[] {"64", "512", "4096", "32768", "100000"};
    List<String> algorithms = new ArrayList<>();
    for (PlacementBenchmark.Algorithm algorithm : PlacementBenchmark.Algorithm.values()) {
      algorithms.add(algorithm.name());
    }
    algorithms.remove("STRAW2");
    lookUps(algorithms.toArray(String[]::new), sizes);
    // It asks every node.
    lookUps(new String[] {"STRAW2"}, quick ? new String[] {"64", "4096"} : sizes);
    report.put(
        "bytes_per_vnode",
        rounded(new AttributedPlacer(PlacementBenchmark.weights(4096)).bytesPerVirtualNode(), 2));
    report.put("benchmark", "placement");
    report.put("quick", quick);
    report.put("seed", seed);
    report.put("replicas", PlacementBenchmark.REPLICAS);
    report.put("java_version", Runtime.version().toString());
    System.out.println(FlatJson.of(report));
    return 0;
  }

  /** The figures that are the same on every machine. */
  Map<String, Object> countReplicas() {
    shares();
    moves();
    return report;
  }

  private void shares() {
    double error = quick ? 0.1 : 0.05;
    List<WeightedCluster> clusters = new ArrayList<>(WeightedCluster.hard());
    clusters.addAll(WeightedCluster.random(quick ? 4 : 12, seed));
    double ours = 0;
    double suora = 0;
    for (WeightedCluster cluster : clusters) {
      double[] weights = cluster.weights();
      long keys = cluster.keysFor(error);
      double planned = cluster.worstBiasPercent(new PlanPlacer(weights), keys);
      double drawn = cluster.worstBiasPercent(SuoraPlacer.assigned(weights), STRAW_KEYS);
      System.out.printf(
          Locale.ROOT,
          "# %s: the plan off by %.3f %%, SUORA's draws %.1f %%%n",
          cluster.name(),
          planned,
          drawn);
      ours = Math.max(ours, planned);
      suora = Math.max(suora, drawn);
    }
    double straw = 0;
    for (WeightedCluster cluster : WeightedCluster.hard()) {
      double bias = cluster.worstBiasPercent(new Straw2Placer(cluster.weights()), STRAW_KEYS);
      System.out.printf(Locale.ROOT, "# %s: straw2 off by %.1f %%%n", cluster.name(), bias);
      straw = Math.max(straw, bias);
    }
    double lost = 0;
    for (WeightedCluster cluster : WeightedCluster.hard()) {
      for (boolean heavy : new boolean[] {true, false}) {
        lost = Math.max(lost, afterRemoval(cluster, heavy, error));
      }
    }
    report.put("max_bias_pct", rounded(ours, 3));
    report.put("suora_max_bias_pct", rounded(suora, 1));
    report.put("max_bias_standard_error_pct", error);
    report.put("max_bias_after_removal_pct", rounded(lost, 2));
    report.put("straw2_max_bias_pct", rounded(straw, 1));
    report.put("bias_clusters", clusters.size());
  }

  private static double afterRemoval(WeightedCluster cluster, boolean heavy, double error) {
    int gone = heavy ? 0 : cluster.weights().length - 1;
    WeightedCluster left = cluster.without(gone);
    double bias = left.worstBiasPercent(new PlanPlacer(left.weights()), left.keysFor(error));
    System.out.printf(
        Locale.ROOT,
        "# %s, one of weight %.0f gone: the plan off by %.2f %%%n",
        cluster.name(),
        cluster.weights()[gone],
        bias);
    return bias;
  }

  private void moves() {
    Moves joining = new Moves();
    double expected = joining.addNode(NODES_THAT_ONE_JOINS, quick ? 2_000_000 : 20_000_000);
    Moves all = new Moves();
    for (int history = 0; history < (quick ? 10 : 100); history++) {
      all.chequeredHistory(seed + history, 60, 5_000);
    }
    report.put("moved_fraction_add_node", rounded(joining.movedFraction(), 6));
    report.put("moved_fraction_expected", rounded(expected, 6));
    report.put("old_to_old_moves", joining.oldToOld() + all.oldToOld());
  }

  private void lookUps(String[] algorithms, String[] sizes) throws RunnerException {
    TimeValue time = TimeValue.milliseconds(quick ? 200 : 300);
    OptionsBuilder options = new OptionsBuilder();
    options
        .include(PlacementBenchmark.class.getName())
        .param("algorithm", algorithms)
        .param("nodes", sizes)
        .forks(quick ? 1 : 3)
        .warmupIterations(5)
        .warmupTime(time)
        .measurementIterations(quick ? 5 : 8)
        .measurementTime(time)
        .addProfiler(GCProfiler.class)
        .jvmArgsAppend("-Xmx2g");
    for (RunResult result : new Runner(options.build()).run()) {
      String algorithm = result.getParams().getParam("algorithm").toLowerCase(Locale.ROOT);
      report.put(
          algorithm + "_ns_" + result.getParams().getParam("nodes"),
          rounded(result.getPrimaryResult().getStatistics().getMin(), 1));
      report.merge(
          algorithm + "_allocated_bytes",
          Math.round(result.getSecondaryResults().get(ALLOCATED).getScore()),
          (a, b) -> Math.max((Long) a, (Long) b));
    }
    int nodes = Integer.parseInt(sizes[sizes.length - 1]);
    for (String name : algorithms) {
      ReplicaPlacer placer =
          PlacementBenchmark.Algorithm.valueOf(name).on(PlacementBenchmark.weights(nodes));
      report.put(
          name.toLowerCase(Locale.ROOT) + "_bytes_per_node",
          rounded((double) placer.bytes() / nodes, 1));
    }
  }

  private static double rounded(double value, int digits) {
    double scale = Math.pow(10, digits);
    return Math.round(value * scale) / scale;
  }
}
