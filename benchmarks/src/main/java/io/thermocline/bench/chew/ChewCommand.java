// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.chew;

import io.thermocline.bench.FlatJson;
import io.thermocline.tiering.classify.PatternLibrary;
import io.thermocline.tiering.config.ChewConfig;
import io.thermocline.tiering.config.ChewFile;
import io.thermocline.tiering.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * ChewAnalyzer and ChewAnalyzer++ beside the baselines of its paper, on simulated pools.
 *
 * <p>{@code bin/thermocline bench chew}
 */
@Command(
    name = "chew",
    description = {
      "Block traces on pools of memory, flash and disk: latency and data moved, with chunks placed by"
          + " their patterns, against IOPS-only dynamic tiering and EDT. docs/evidence/chew.md describes"
          + " the traces, which are generated but for one, and the pools, which are simulated."
    },
    mixinStandardHelpOptions = true)
public final class ChewCommand implements Callable<Integer> {

  /** Of each generated trace. */
  static final int EPOCHS = 32;

  private static final int QUICK_EPOCHS = 10;

  /** Of a disk about as large as prxy_0's, so on pools as for that. */
  private static final double CLOUDPHYSICS_EPOCH = 20 * 60;

  @Option(names = "--quick", description = "A third of each generated trace.")
  private boolean quick;

  @Option(names = "--seed", paramLabel = "N", description = "Of the traces (default: 1).")
  private long seed = 1;

  @Option(
      names = "--library",
      paramLabel = "FILE",
      description = "Patterns and weights (default: conf/chew.yaml).")
  private Path library;

  @Option(
      names = "--traces",
      paramLabel = "DIR",
      description =
          "Where block-cloudphysics/cloudPhysicsIO.csv.gz is (default: ../shared/traces beside the"
              + " project); left out where it isn't.")
  private Path traces;

  @Override
  public Integer call() throws ConfigException, IOException {
    Path home = Path.of(System.getProperty("thermocline.home", "."));
    ChewConfig config = ChewFile.read(library == null ? home.resolve("conf/chew.yaml") : library);
    List<BlockTrace> all = new ArrayList<>();
    for (TraceModel model : TraceModel.ALL) {
      all.add(GeneratedTrace.of(model, quick ? QUICK_EPOCHS : EPOCHS, seed));
    }
    Path real =
        (traces == null ? home.resolve("../shared/traces") : traces)
            .resolve("block-cloudphysics/cloudPhysicsIO.csv.gz");
    if (Files.exists(real)) {
      all.add(
          new BlockTrace(
              "cloudphysics",
              CloudPhysics.read(real),
              TraceModel.PRXY_0.scmBytes(),
              TraceModel.PRXY_0.ssdBytes(),
              CLOUDPHYSICS_EPOCH));
    } else {
      System.out.println("left out: " + real + " isn't there");
    }
    Map<String, Object> report = new TreeMap<>();
    report.put("benchmark", "chew");
    report.put("quick", quick);
    report.put("seed", seed);
    report.put("java_version", Runtime.version().toString());
    for (BlockTrace trace : all) {
      replay(trace, config, report);
    }
    System.out.println(FlatJson.of(report));
    return 0;
  }

  /** Every policy on one trace, into fields {@code <trace>_<policy>_<what>}. */
  static void replay(BlockTrace trace, ChewConfig config, Map<String, Object> report) {
    System.out.printf(
        "%s: %d requests in %d epochs%n",
        trace.name(),
        trace.requests().size(),
        (int)
            Math.ceil(
                trace.requests().get(trace.requests().size() - 1).seconds()
                    / trace.epochSeconds()));
    ChewReplay.Result base = null;
    for (PoolPolicy policy : policies(trace, config)) {
      ChewReplay.Result result = ChewReplay.run(trace, policy);
      base = base == null ? result : base;
      String prefix = trace.name() + "_" + policy.name() + "_";
      double latency = 1 - result.meanSeconds() / base.meanSeconds();
      double moved = 1 - (double) result.movedBytes() / base.movedBytes();
      report.put(prefix + "latency_ms", round(1e3 * result.meanSeconds()));
      report.put(prefix + "p99_ms", round(1e3 * result.p99Seconds()));
      report.put(prefix + "moved_gb", round(result.movedBytes() / 1e9));
      report.put(prefix + "latency_below_iops", round(latency));
      report.put(prefix + "moved_below_iops", round(moved));
      report.put(prefix + "overwritten_share", round(result.overwrittenShare()));
      long served = Arrays.stream(result.requests()).sum();
      long writes = 0;
      for (long some : result.writes()) {
        writes += some;
      }
      String[] pools = {"scm", "ssd", "hdd"};
      for (int i = 0; i < pools.length; i++) {
        report.put(prefix + pools[i] + "_requests", round((double) result.requests()[i] / served));
        report.put(
            prefix + pools[i] + "_writes",
            round((double) result.writes()[i] / Math.max(1, writes)));
      }
      System.out.printf(
          Locale.ROOT,
          "  %-11s %8.3f ms, p99 %8.3f ms, %7.1f GB moved, writes %2.0f/%2.0f/%2.0f %%, requests to disk %4.1f %%,"
              + " overwritten %2.0f %%; latency %+.1f %%, moved %+.1f %%%n",
          policy.name(),
          1e3 * result.meanSeconds(),
          1e3 * result.p99Seconds(),
          result.movedBytes() / 1e9,
          100.0 * result.writes()[0] / Math.max(1, writes),
          100.0 * result.writes()[1] / Math.max(1, writes),
          100.0 * result.writes()[2] / Math.max(1, writes),
          100.0 * result.requests()[2] / served,
          100 * result.overwrittenShare(),
          -100 * latency,
          -100 * moved);
    }
  }

  private static List<PoolPolicy> policies(BlockTrace trace, ChewConfig config) {
    PatternLibrary library = config.library();
    return List.of(
        RankedTiering.byRequests("iops", 1, 0),
        RankedTiering.edt(ChewReplay.pools(trace).get(2)),
        RankedTiering.byRequests("iops_window", config.window(), library.stay()),
        ChewPolicy.plain(library, config.window()),
        ChewPolicy.plus(library, config.split(), config.window()));
  }

  private static double round(double value) {
    return Math.round(1e4 * value) / 1e4;
  }
}
