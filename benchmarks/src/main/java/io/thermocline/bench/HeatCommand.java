// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import io.thermocline.bench.truth.ClusterTruth;
import io.thermocline.bench.truth.GeneratedTruth;
import io.thermocline.testbed.audit.GeneratedAuditLog;
import io.thermocline.testbed.process.Janitor;
import io.thermocline.tiering.process.ServiceRuntime;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs {@link HeatProbe} for each structure, each in a JVM of its own. */
@Command(
    name = "heat",
    description =
        "The hotness table, with decay: time of an increment and of a query, precision and recall at the"
            + " thresholds of SUORA's table 5, beside the paper's own layout and other structures."
            + " With --truth: which files heat finds, of audit logs whose true reads are known.",
    mixinStandardHelpOptions = true)
final class HeatCommand implements Callable<Integer> {
  private static final long ITEMS = 150_000_000;
  private static final long BYTES = 250_000_000;
  private static final long SUORA_BYTES = 630_000_000;

  /** Table, keys and code together stay in the second-level cache. */
  private static final long CACHED_BYTES = 1 << 20;

  private static final long CACHED_ITEMS = 100_000;

  @Option(names = "--quick", description = "A tenth of the items in a tenth of the memory.")
  private boolean quick;

  @Option(
      names = "--map-heap",
      paramLabel = "SIZE",
      description = "Heap of the JVM that has the map (default: 10g, with --quick 2g).")
  private String mapHeap;

  @ArgGroup(
      exclusive = false,
      heading = "Heat against what DataNodes read (docs/evidence/heat.md):%n")
  private Truth truth;

  private final Map<String, Object> report = new TreeMap<>();

  private static final class Truth {
    @Option(
        names = "--truth",
        required = true,
        description =
            "Instead: generated audit logs of many kinds of clients, and the share of the true disk time that the"
                + " hottest 1, 5 and 20 %% of the bytes by heat carry.")
    private boolean isAsked;

    @Option(
        names = "--cluster",
        description = {
          "Real programs on a cluster of processes instead of generated logs: MapReduce, Spark SQL, distcp, and"
              + " Hadoop's shell. Takes five minutes, and 2 GB in the temporary directory.",
          "Maven fetches the programs where they aren't there."
        })
    private boolean isOnCluster;

    @Option(names = "--seed", paramLabel = "N", description = "Of the logs (default: 1).")
    private long seed = 1;

    @Option(
        names = "--tables",
        paramLabel = "N",
        description = "Tables of several hundred files each (default: 24).")
    private int tables = 24;

    @Option(names = "--hours", paramLabel = "N", description = "How long each log is (default: 2).")
    private int hours = 2;

    @Option(
        names = "--job-every",
        paramLabel = "S",
        description = "Seconds between two jobs of one load, on average (default: 60).")
    private int everySeconds = 60;

    @Option(
        names = "--seek",
        paramLabel = "MS",
        description = "Milliseconds of a disk's head for each block read (default: 10).")
    private double seekMillis = 10;

    @Option(
        names = "--rate",
        paramLabel = "MB/S",
        description = "Of a disk, in millions of bytes (default: 150).")
    private double megabytesPerSecond = 150;

    @Option(
        names = "--page-cache",
        paramLabel = "GB",
        description =
            "Of the host of each DataNode, for the blocks that were read last: the truth is what disks read besides"
                + " (default: 0).")
    private long pageCacheGigabytes;

    @Option(
        names = "--keep",
        paramLabel = "DIR",
        description =
            "Leave the logs in this directory, each with a table of what was read of each file. `thermocline simulate"
                + " --audit-log` reads them.")
    private Path kept;

    void run() throws IOException, InterruptedException {
      if (isOnCluster) {
        Path directory = Files.createTempDirectory("thermocline-truth");
        Janitor janitor = Janitor.watch(directory);
        try {
          new ClusterTruth(
                  seekMillis / 1e3, megabytesPerSecond * 1e6, seed, ServiceRuntime.system())
              .run(directory, kept);
        } finally {
          janitor.close();
        }
        return;
      }
      GeneratedTruth generated =
          new GeneratedTruth(
              new GeneratedAuditLog.Settings(
                  tables,
                  Instant.parse("2026-11-20T00:00:00Z"),
                  Duration.ofHours(hours),
                  Duration.ofSeconds(everySeconds),
                  pageCacheGigabytes << 30),
              seekMillis / 1e3,
              megabytesPerSecond * 1e6,
              seed,
              ServiceRuntime.system().clock());
      if (kept != null) {
        generated.run(Files.createDirectories(kept), true);
        return;
      }
      Path directory = Files.createTempDirectory("thermocline-truth");
      try {
        generated.run(directory, false);
      } finally {
        Files.delete(directory);
      }
    }
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (truth != null) {
      truth.run();
      return 0;
    }
    long items = quick ? ITEMS / 10 : ITEMS;
    long bytes = quick ? BYTES / 10 : BYTES;
    long suoraBytes = quick ? SUORA_BYTES / 10 : SUORA_BYTES;
    String heap = quick ? "-Xmx1g" : "-Xmx2g";

    speed(HeatPeers.OURS, "", items, bytes, heap);
    speed(HeatPeers.SUORA, "suora_", items, suoraBytes, heap);
    speed(HeatPeers.BLOCKED, "blocked_", items, bytes, heap);
    speed(HeatPeers.CAFFEINE, "caffeine_", items, bytes, heap);
    speed(HeatPeers.DATASKETCHES, "datasketches_", items, bytes, heap);
    String large = "-Xmx" + (mapHeap == null ? (quick ? "2g" : "10g") : mapHeap);
    speed(HeatPeers.CHM, "chm_", items, bytes, large);

    put("", probe("accept", HeatPeers.OURS, CACHED_ITEMS, 0, heap));
    put("", probe("checkpoint", HeatPeers.OURS, Math.round(items * 0.4442), 0, heap));

    for (ReadPattern pattern : ReadPattern.values()) {
      quality(pattern, HeatPeers.OURS, "", items, bytes, heap);
      quality(pattern, HeatPeers.SUORA, "suora_", items, suoraBytes, heap);
    }
    ReadPattern first = ReadPattern.FIO_RANDREAD;
    quality(first, HeatPeers.BLOCKED, "blocked_", items, bytes, heap);
    quality(first, HeatPeers.CAFFEINE, "caffeine_", items, bytes, heap);
    quality(first, HeatPeers.DATASKETCHES, "datasketches_", items, bytes, heap);

    report.put("lower_bound_bytes", Math.round(first.lowerBoundBytes(items)));
    double ours = (Double) report.get("increment_ns_full");
    report.put("ratio_to_chm", rounded(ours / (Double) report.get("chm_increment_ns_full")));
    report.put("benchmark", "heat");
    report.put("decay", true);
    report.put("items", items);
    report.put("items_read", Math.round(first.readShare() * items));
    report.put("chm_heap", large.substring("-Xmx".length()));
    report.put("quick", quick);
    report.put("java_version", Runtime.version().toString());
    System.out.println(FlatJson.of(report));
    return 0;
  }

  private void speed(HeatPeers kind, String name, long items, long bytes, String heap)
      throws IOException, InterruptedException {
    put(name, probe("cached", kind, CACHED_ITEMS, CACHED_BYTES, heap));
    put(name, probe("full", kind, items, bytes, heap));
  }

  private void quality(
      ReadPattern pattern, HeatPeers kind, String name, long items, long bytes, String heap)
      throws IOException, InterruptedException {
    Map<String, Double> found = probe(pattern.name(), kind, items, bytes, heap);
    report.put(name + "table_bytes", found.remove("bytes").longValue());
    found.forEach(
        (what, value) -> {
          String kept = what.startsWith("precision") ? "precision" : "recall";
          String least =
              name + kept + "_min" + (what.endsWith("_half_life") ? "_after_half_life" : "");
          report.merge(least, rounded(value), (a, b) -> Math.min((Double) a, (Double) b));
          report.put(name + pattern.name().toLowerCase(Locale.ROOT) + "_" + what, rounded(value));
        });
  }

  private void put(String name, Map<String, Double> found) {
    found.forEach((what, value) -> report.put(name + what, rounded(value)));
  }

  private static double rounded(double value) {
    return Math.round(value * 10_000) / 10_000.0;
  }

  private Map<String, Double> probe(
      String what, HeatPeers kind, long items, long bytes, String heap)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(heap, "-XX:+UseParallelGC"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(HeatProbe.class.getName());
    command.addAll(List.of(what, kind.name(), Long.toString(items), Long.toString(bytes)));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    Map<String, Double> found = new TreeMap<>();
    try (BufferedReader lines = process.inputReader()) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        int equals = line.indexOf('=');
        found.put(line.substring(0, equals), Double.valueOf(line.substring(equals + 1)));
      }
    }
    int status = process.waitFor();
    if (status != 0) {
      throw new IOException(
          kind
              + ", "
              + what
              + ", ended with status "
              + status
              + "; is there memory for "
              + heap
              + "?");
    }
    System.out.println(kind + " " + what + ": " + found);
    return found;
  }
}
