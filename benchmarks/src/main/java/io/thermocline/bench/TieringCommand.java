// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import io.thermocline.placement.model.SystemRuntime;
import io.thermocline.tiering.app.simulated.ServicePolicies;
import io.thermocline.tiering.config.ConfigException;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.config.ServiceConfigFile;
import io.thermocline.tiering.readorder.ReadOrder;
import io.thermocline.tiering.sim.MoveMode;
import io.thermocline.tiering.sim.PolicyFactory;
import io.thermocline.tiering.sim.RunResult;
import io.thermocline.tiering.sim.SimTier;
import io.thermocline.tiering.sim.Simulation;
import io.thermocline.tiering.sim.Trace;
import io.thermocline.tiering.sim.cluster.ClusterSpec;
import io.thermocline.tiering.sim.cluster.TierSpec;
import io.thermocline.tiering.sim.device.DeviceSpec;
import io.thermocline.tiering.sim.policy.Policies;
import io.thermocline.tiering.sim.trace.Fb2010Reader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

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

  /** The home tier holds all files at any time: so many times their bytes, each in three copies. */
  private static final int ROOMY = 2;

  private static final int RACKS = 10;
  private static final int NODES_PER_RACK = 10;

  /** Of each node; with one SSD. */
  private static final int DISKS = 10;

  private static final int COPIES = 3;

  /** Of a disk, to a block. */
  private static final double SEEK_SECONDS = 0.01;

  private static final int FAST = 1;

  @Option(
      names = "--trace",
      paramLabel = "PATH",
      description =
          "A file in the format of fb2010, or a folder of such, whose .tsv files are read in the order of"
              + " their names (default: reads are generated).")
  private Path trace;

  @Option(
      names = "--workload",
      description =
          "Whose published figures reads are generated after: ${COMPLETION-CANDIDATES} (default:"
              + " ${DEFAULT-VALUE}).",
      defaultValue = "FACEBOOK")
  private GeneratedReads.Workload workload;

  @Option(
      names = "--sizes",
      paramLabel = "SIZE",
      split = ",",
      description = "Of the fast tier, in %% of the files' bytes: 0p1, 0p5, 1, 5 (default: all).")
  private Set<String> sizes = SIZES.keySet();

  @Option(names = "--mode", split = ",", description = "${COMPLETION-CANDIDATES} (default: both).")
  private Set<MoveMode> modes = EnumSet.allOf(MoveMode.class);

  @Spec private CommandSpec spec;

  @Option(
      names = "--read-order",
      paramLabel = "ORDER",
      description =
          "Which copy a reader gets first: ${COMPLETION-CANDIDATES} (default: by the Hadoop configuration that"
              + " --config names).")
  private ReadOrder readOrder;

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
      description = "Of reads and policies that are drawn (default: ${DEFAULT-VALUE}).")
  private long seed = 1;

  private ServiceConfig service;
  private final Map<String, Object> report = new TreeMap<>();

  private static Map<String, Double> sizes() {
    Map<String, Double> sizes = new LinkedHashMap<>();
    sizes.put("0p1", 0.001);
    sizes.put("0p5", 0.005);
    sizes.put("1", 0.01);
    sizes.put("5", 0.05);
    return sizes;
  }

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "The service's thermocline.yaml (default: every key as it is shipped, all files managed).")
  private Path config;

  @Option(
      names = "--parts",
      description =
          "Also the service with one setting changed at a time, live. Takes hours on the trace of fb2010.")
  private boolean parts;

  @Option(
      names = "--block-size",
      paramLabel = "MB",
      description =
          "Of the files that the service plans with (default: 1024; with --workload UBER 256, as its blocks have).")
  private long blockMebibytes;

  @Override
  public Integer call() throws IOException, ConfigException {
    if (!SIZES.keySet().containsAll(sizes)) {
      throw new ParameterException(spec.commandLine(), "--sizes are of " + SIZES.keySet());
    }
    service = config == null ? ServiceConfigFile.defaults() : ServiceConfigFile.read(config);
    if (blockMebibytes == 0) {
      blockMebibytes = trace == null ? workload.blockMebibytes() : 1024;
    }
    readOrder = readOrder == null ? ServicePolicies.readOrder(service) : readOrder;
    Trace jobs = jobs();
    System.out.printf(
        Locale.ROOT,
        "%s: %,d reads of %,d files of %.1f TB. Live: decisions every 30 s, of the service every %d s, home"
            + " tier %.0f GB/s, fast tier %.0f GB/s. %s.%n",
        jobs.name(),
        jobs.accesses().size(),
        jobs.files().size(),
        jobs.uniqueBytes() / 1e12,
        service.interval().least().toSeconds(),
        homeBandwidth,
        fastBandwidth,
        readOrder.words());
    for (MoveMode mode : modes) {
      for (String size : sizes) {
        compare(jobs, mode, size, SIZES.get(size));
      }
    }
    report.put("benchmark", "tiering");
    report.put("trace", jobs.name());
    report.put("reads", jobs.accesses().size());
    report.put("files", jobs.files().size());
    report.put("home_gb_per_s", homeBandwidth);
    report.put("fast_gb_per_s", fastBandwidth);
    report.put("seed", seed);
    report.put("read_order", readOrder.name().toLowerCase(Locale.ROOT));
    report.put("block_mb", blockMebibytes);
    report.put("decide_every_s", service.interval().least().toSeconds());
    report.put("java_version", Runtime.version().toString());
    System.out.println(FlatJson.of(report));
    return 0;
  }

  private Trace jobs() throws IOException {
    if (trace == null) {
      return workload.trace(seed);
    }
    return Files.isDirectory(trace) ? Fb2010Reader.readFolder(trace) : Fb2010Reader.read(trace);
  }

  private void compare(Trace jobs, MoveMode mode, String size, double share) {
    ClusterSpec cluster = cluster(jobs.uniqueBytes(), share);
    String suffix = "_" + mode.name().toLowerCase(Locale.ROOT) + "_" + size;
    RunResult stock = run(Policies.stock(), jobs, cluster, mode);
    RunResult oracle = run(Policies.oracle(), jobs, cluster, mode);
    put("oracle_hit_share" + suffix, oracle.hitShare(FAST));
    put("oracle_byte_hit_share" + suffix, oracle.byteHitShare(FAST));
    report.put("oracle_bytes_moved" + suffix, oracle.bytesUp());
    put("oracle_disk_time_saved" + suffix, saved(oracle, stock));
    put("oracle_peak_disk_time_saved" + suffix, peakSaved(oracle, stock));
    System.out.printf(
        Locale.ROOT,
        "%n%s, fast tier %.1f %% of the bytes: the oracle hits %.2f %% of reads, %.2f %% of bytes, moves"
            + " %.1f TB, saves %.2f %% of the disk time, %.2f %% of the busiest ten minutes'%n%-16s %10s %10s %10s %12s"
            + " %12s %12s%n",
        mode.name().toLowerCase(Locale.ROOT),
        share * 100,
        oracle.hitShare(FAST) * 100,
        oracle.byteHitShare(FAST) * 100,
        oracle.bytesUp() / 1e12,
        saved(oracle, stock) * 100,
        peakSaved(oracle, stock) * 100,
        "of the oracle's",
        "hits",
        "byte hits",
        "moved",
        "ns/decision",
        "disk time",
        "at the peak");
    for (PolicyFactory policy : policies(mode)) {
      RunResult result = run(policy, jobs, cluster, mode);
      double hits = result.hitShare(FAST) / oracle.hitShare(FAST);
      double byteHits = result.byteHitShare(FAST) / oracle.byteHitShare(FAST);
      double moved = (double) result.bytesUp() / oracle.bytesUp();
      double nanos = (double) result.decisionNanos() / result.decisions();
      String prefix = policy.name().isEmpty() ? "" : policy.name() + "_";
      put(prefix + "hit_share_of_oracle" + suffix, hits);
      put(prefix + "byte_hit_share_of_oracle" + suffix, byteHits);
      put(prefix + "bytes_moved_vs_oracle" + suffix, moved);
      put(prefix + "disk_time_saved" + suffix, saved(result, stock));
      put(prefix + "peak_disk_time_saved" + suffix, peakSaved(result, stock));
      System.out.printf(
          Locale.ROOT,
          "%-16s %10.4f %10.4f %10.3f %,12.0f %11.2f%% %11.2f%%%n",
          policy.name().isEmpty() ? "ours" : policy.name(),
          hits,
          byteHits,
          moved,
          nanos,
          saved(result, stock) * 100,
          peakSaved(result, stock) * 100);
    }
  }

  /** Of the disks' time without fast storage, the share that it takes off them; moves cost disk time, too. */
  private static double saved(RunResult result, RunResult stock) {
    return 1 - result.diskTime().all() / stock.diskTime().all();
  }

  private static double peakSaved(RunResult result, RunResult stock) {
    return 1 - result.diskTime().peak() / stock.diskTime().peak();
  }

  private ClusterSpec cluster(long bytes, double share) {
    int nodes = RACKS * NODES_PER_RACK;
    return new ClusterSpec(
        RACKS,
        NODES_PER_RACK,
        new ClusterSpec.Network(1e9, 0, 0),
        blockMebibytes << 20,
        List.of(
            tier(
                "DISK",
                DISKS,
                ROOMY * COPIES * (bytes / (nodes * DISKS) + 1),
                COPIES,
                homeBandwidth / (nodes * DISKS)),
            tier("SSD", 1, (long) (bytes * share / nodes), 1, fastBandwidth / nodes)),
        0,
        readOrder);
  }

  private static TierSpec tier(
      String name, int devices, long bytes, int copies, double gigabytesPerSecond) {
    double rate = gigabytesPerSecond * 1e9;
    boolean flash = name.equals("SSD");
    return new TierSpec(
        name,
        devices,
        bytes,
        copies,
        new DeviceSpec(rate, rate, 0, 0, flash ? 0 : SEEK_SECONDS, 0),
        flash);
  }

  /** The service, which has no moves at once, and its parts, then the policies of others. */
  private List<PolicyFactory> policies(MoveMode mode) {
    List<PolicyFactory> policies = new ArrayList<>();
    if (mode == MoveMode.LIVE) {
      policies.add(ServicePolicies.ours(service));
      if (parts) {
        policies.addAll(ServicePolicies.parts(service));
      }
    }
    policies.addAll(Policies.compared());
    policies.add(Policies.oracleOfSecondReads());
    return policies;
  }

  /** Four decimals; a trace in which nothing is read again has no oracle's hits to compare with. */
  private void put(String name, double value) {
    report.put(name, Double.isFinite(value) ? (Object) (Math.round(value * 1e4) / 1e4) : "none");
  }

  @SystemRuntime
  private RunResult run(PolicyFactory policy, Trace jobs, ClusterSpec cluster, MoveMode mode) {
    List<SimTier> tiers = cluster.simTiers();
    return new Simulation(jobs, tiers, Simulation.Settings.of(mode), System::nanoTime)
        .run(policy.make().apply(new PolicyFactory.Setting(jobs, tiers, 0, mode, seed, cluster)));
  }
}
