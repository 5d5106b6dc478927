// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import io.thermocline.placement.model.SystemSeam;
import io.thermocline.tiering.sim.MoveMode;
import io.thermocline.tiering.sim.PolicyFactory;
import io.thermocline.tiering.sim.RunResult;
import io.thermocline.tiering.sim.SimTier;
import io.thermocline.tiering.sim.Simulation;
import io.thermocline.tiering.sim.Trace;
import io.thermocline.tiering.sim.policy.Policies;
import io.thermocline.tiering.sim.trace.Fb2010Reader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Hits and moved bytes of every tiering policy on a job trace, as shares of a clairvoyant oracle's. */
@Command(
    name = "tiering",
    description =
        "Tiering policies on a job trace: hits, bytes hit and bytes moved to the fast tier, as shares of"
            + " a clairvoyant oracle's, with moves at once and live.",
    mixinStandardHelpOptions = true)
final class TieringCommand implements Callable<Integer> {

  /** Sizes of the fast tier as shares of the files' bytes, by what they are called in the fields. */
  private static final Map<String, Double> SIZES = sizes();

  /** The home tier holds all files at any time. */
  private static final long ROOMY = Long.MAX_VALUE / 2;

  private static final int FAST = 1;

  @Option(
      names = "--trace",
      paramLabel = "PATH",
      description =
          "A file in the format of fb2010, or a folder of such, whose .tsv files are read in the order of"
              + " their names (default: ../shared/traces/fb2010 beside the project).")
  private Path trace =
      Path.of(System.getProperty("thermocline.home", ".")).resolve("../shared/traces/fb2010");

  @Option(
      names = "--home-bandwidth",
      paramLabel = "GB/S",
      description =
          "What the home tier reads and writes in a second, for live moves (default: ${DEFAULT-VALUE},"
              + " as 1,000 disks of 120 MB/s).",
      defaultValue = "120")
  private double homeBandwidth;

  @Option(
      names = "--fast-bandwidth",
      paramLabel = "GB/S",
      description =
          "What the fast tier reads and writes in a second, for live moves (default: ${DEFAULT-VALUE},"
              + " as 100 SSDs of 400 MB/s).",
      defaultValue = "40")
  private double fastBandwidth;

  @Option(
      names = "--seed",
      description = "Of policies that draw numbers (default: ${DEFAULT-VALUE}).")
  private long seed = 1;

  private final Map<String, Object> report = new TreeMap<>();

  private static Map<String, Double> sizes() {
    Map<String, Double> sizes = new LinkedHashMap<>();
    sizes.put("0p1", 0.001);
    sizes.put("0p5", 0.005);
    sizes.put("1", 0.01);
    sizes.put("5", 0.05);
    return sizes;
  }

  @Override
  public Integer call() throws IOException {
    Trace jobs =
        Files.isDirectory(trace) ? Fb2010Reader.readFolder(trace) : Fb2010Reader.read(trace);
    System.out.printf(
        Locale.ROOT,
        "%s: %,d reads of %,d files of %.1f TB. Live: decisions every 30 s, home tier %.0f GB/s, fast tier"
            + " %.0f GB/s.%n",
        jobs.name(),
        jobs.accesses().size(),
        jobs.files().size(),
        jobs.uniqueBytes() / 1e12,
        homeBandwidth,
        fastBandwidth);
    for (MoveMode mode : MoveMode.values()) {
      for (Map.Entry<String, Double> size : SIZES.entrySet()) {
        compare(jobs, mode, size.getKey(), size.getValue());
      }
    }
    report.put("benchmark", "tiering");
    report.put("trace", jobs.name());
    report.put("reads", jobs.accesses().size());
    report.put("files", jobs.files().size());
    report.put("home_gb_per_s", homeBandwidth);
    report.put("fast_gb_per_s", fastBandwidth);
    report.put("seed", seed);
    report.put("java_version", Runtime.version().toString());
    System.out.println(FlatJson.of(report));
    return 0;
  }

  private void compare(Trace jobs, MoveMode mode, String size, double share) {
    List<SimTier> tiers =
        List.of(
            new SimTier("DISK", ROOMY, homeBandwidth * 1e9, homeBandwidth * 1e9, false),
            new SimTier(
                "SSD",
                (long) (jobs.uniqueBytes() * share),
                fastBandwidth * 1e9,
                fastBandwidth * 1e9,
                true));
    String suffix = "_" + mode.name().toLowerCase(Locale.ROOT) + "_" + size;
    RunResult oracle = run(Policies.oracle(), jobs, tiers, mode);
    put("oracle_hit_share" + suffix, oracle.hitShare(FAST));
    put("oracle_byte_hit_share" + suffix, oracle.byteHitShare(FAST));
    report.put("oracle_bytes_moved" + suffix, oracle.bytesUp());
    System.out.printf(
        Locale.ROOT,
        "%n%s, fast tier %.1f %% of the bytes: the oracle hits %.2f %% of reads, %.2f %% of bytes, moves"
            + " %.1f TB%n%-16s %10s %10s %10s %12s%n",
        mode.name().toLowerCase(Locale.ROOT),
        share * 100,
        oracle.hitShare(FAST) * 100,
        oracle.byteHitShare(FAST) * 100,
        oracle.bytesUp() / 1e12,
        "of the oracle's",
        "hits",
        "byte hits",
        "moved",
        "ns/decision");
    for (PolicyFactory policy : policies()) {
      RunResult result = run(policy, jobs, tiers, mode);
      double hits = result.hitShare(FAST) / oracle.hitShare(FAST);
      double byteHits = result.byteHitShare(FAST) / oracle.byteHitShare(FAST);
      double moved = (double) result.bytesUp() / oracle.bytesUp();
      double nanos = (double) result.decisionNanos() / result.decisions();
      String prefix = policy.name().isEmpty() ? "" : policy.name() + "_";
      put(prefix + "hit_share_of_oracle" + suffix, hits);
      put(prefix + "byte_hit_share_of_oracle" + suffix, byteHits);
      put(prefix + "bytes_moved_vs_oracle" + suffix, moved);
      System.out.printf(
          Locale.ROOT,
          "%-16s %10.4f %10.4f %10.3f %,12.0f%n",
          policy.name().isEmpty() ? "ours" : policy.name(),
          hits,
          byteHits,
          moved,
          nanos);
    }
  }

  private static List<PolicyFactory> policies() {
    return Stream.concat(Policies.compared().stream(), Stream.of(Policies.oracleOfSecondReads()))
        .toList();
  }

  /** Four decimals; a trace in which nothing is read again has no oracle's hits to compare with. */
  private void put(String name, double value) {
    report.put(name, Double.isFinite(value) ? (Object) (Math.round(value * 1e4) / 1e4) : "none");
  }

  @SystemSeam
  private RunResult run(PolicyFactory policy, Trace jobs, List<SimTier> tiers, MoveMode mode) {
    return new Simulation(jobs, tiers, Simulation.Settings.of(mode), System::nanoTime)
        .run(policy.make().apply(new PolicyFactory.Setting(jobs, tiers, 0, mode, seed)));
  }
}
