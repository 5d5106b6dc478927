// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.move;

import com.sun.management.OperatingSystemMXBean;
import io.thermocline.bench.FlatJson;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.EmbeddedCluster;
import io.thermocline.tiering.act.ActLimits;
import io.thermocline.tiering.act.Pacing;
import io.thermocline.tiering.cluster.HdfsReader;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.config.ServiceConfigFile;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.process.ServiceRuntime;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Directed moves beside Hadoop's Mover, on one cluster.
 *
 * <p>{@code bin/thermocline bench move}
 */
@Command(
    name = "move",
    description = {
      "Copies of files to SSD by the service's own stages, by Hadoop's Mover and by bare calls of DataNodes, on one"
          + " embedded cluster of nine, and how much each slows a reader. docs/evidence/move.md describes it."
    },
    mixinStandardHelpOptions = true)
public final class MoveCommand implements Callable<Integer> {
  private static final int[] SIZES = {300, 3_000};
  private static final int[] CURVE = {1, 2, 4, 8, 16, 32};
  private static final int[] RATES = {25, 50, 100, 200};
  private static final int[] PACES = {25, 50};
  private static final double[] FACTORS = {1.5, 1.1};
  private static final int CURVE_FILES = 1_000;
  private static final int SPARING_FILES = 500;
  private static final int FLOOR_AT_ONCE = 32;
  private static final int WARM_UP = 30;
  private static final int READ_FILES = 200;

  /** Those of a way, those of the one before that aren't deleted yet, and those that are read. */
  private static final int MOST_FILES = 3 * SIZES[1] + READ_FILES;

  private static final int REPLICAS = 3;
  private static final Duration QUIET = Duration.ofSeconds(5);
  private static final Duration LOOK_EVERY = Duration.ofMillis(100);

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description =
          "How often all is measured, either way first in turn (default: ${DEFAULT-VALUE}).")
  private int rounds = 3;

  @Option(
      names = "--verify-every",
      paramLabel = "MS",
      description = "act.verifyEvery (default: ${DEFAULT-VALUE}, the service's).")
  private long verifyEveryMillis = 1000;

  @Option(
      names = "--copies",
      paramLabel = "N",
      description = "act.maxConcurrentCopies (default: ${DEFAULT-VALUE}, the service's).")
  private int copies = 256;

  @Option(
      names = "--copies-per-node",
      paramLabel = "N",
      description = "act.maxConcurrentCopiesPerNode (default: ${DEFAULT-VALUE}, the service's).")
  private int maxConcurrentCopiesPerNode = 4;

  @Option(
      names = "--curve",
      description =
          "Instead: a thousand replicas each with 1, 2, 4, ... 32 copies at once, one at a time with 25, 50,"
              + " 100, 200 a second, by bare calls of DataNodes, and by the Mover.")
  private boolean isCurve;

  @Option(
      names = "--spare-readers",
      description =
          "Instead: five hundred replicas each with act.throttle.foreground at 1.5 and 1.1, with"
              + " act.bandwidthPerNode for 25 and 50 copies a second, and with neither.")
  private boolean isSparing;

  private final ServiceRuntime runtime = ServiceRuntime.system();

  /** As it is shipped. */
  private ServiceConfig.Act service;

  private final Map<String, List<Double>> measured = new TreeMap<>();
  private final Map<String, Foreground> foregrounds = new HashMap<>();

  @Override
  public Integer call() throws Exception {
    service = ServiceConfigFile.defaults().act();
    Path site =
        Path.of(System.getProperty("thermocline.home", "."))
            .resolve("conf/hdfs-site.thermocline.xml");
    Path directory = Files.createTempDirectory("thermocline-move");
    try (EmbeddedCluster cluster = MoveCluster.create(directory, site, MOST_FILES)) {
      System.out.println("starting nine DataNodes");
      cluster.start();
      DistributedFileSystem hdfs = cluster.fileSystem();
      MoveCluster.write(hdfs, "/read", READ_FILES);
      List<Way> ways = ways(hdfs);
      for (Way way : ways) {
        measure(hdfs, way, WARM_UP);
      }
      measured.clear();
      foregrounds.clear();
      for (int round = 0; round < rounds; round++) {
        List<Way> inTurn = new ArrayList<>(ways);
        Collections.rotate(inTurn, round);
        for (int size : sizes()) {
          for (Way way : inTurn) {
            measure(hdfs, way, size);
          }
        }
        if (!isCurve && !isSparing) {
          ways.forEach(this::marginal);
        }
      }
    } finally {
      Files.delete(directory);
    }
    System.out.println(FlatJson.of(report()));
    return 0;
  }

  private int[] sizes() {
    if (isSparing) {
      return new int[] {SPARING_FILES};
    }
    return isCurve ? new int[] {CURVE_FILES} : SIZES;
  }

  private List<Way> ways(DistributedFileSystem hdfs) {
    List<Way> ways = new ArrayList<>();
    if (isSparing) {
      ActLimits limits = limits(copies, maxConcurrentCopiesPerNode);
      ways.add(new DirectedRun("ours", hdfs, limits, service.pacing(), runtime));
      for (double factor : FACTORS) {
        ways.add(
            new DirectedRun(
                "guarded_" + factor,
                hdfs,
                limits,
                service.pacing(),
                new ReaderWatch(hdfs, factor, runtime),
                runtime));
      }
      for (int rate : PACES) {
        ways.add(
            new DirectedRun(
                "paced_" + rate,
                hdfs,
                limits,
                paced(MoveCluster.bytesPerNode(rate)),
                new ReaderWatch(hdfs, Double.POSITIVE_INFINITY, runtime),
                runtime));
      }
      return ways;
    }
    if (isCurve) {
      for (int copies : CURVE) {
        ways.add(
            new DirectedRun(
                "ours_at_" + copies, hdfs, limits(copies, copies), service.pacing(), runtime));
        ways.add(new BareCopies("floor_at_" + copies, hdfs, copies, BareCopies.UNPACED, runtime));
      }
      for (int rate : RATES) {
        ways.add(new BareCopies("floor_of_" + rate, hdfs, 1, rate, runtime));
      }
    } else {
      ways.add(
          new DirectedRun(
              "ours", hdfs, limits(copies, maxConcurrentCopiesPerNode), service.pacing(), runtime));
      ways.add(new BareCopies("floor", hdfs, FLOOR_AT_ONCE, BareCopies.UNPACED, runtime));
    }
    ways.add(new MoverRun(hdfs, runtime.nanos()));
    return ways;
  }

  private ActLimits limits(int copies, int maxConcurrentCopiesPerNode) {
    return new ActLimits(
        copies,
        maxConcurrentCopiesPerNode,
        service.limits().attempts(),
        service.limits().retryAfter(),
        Duration.ofMillis(verifyEveryMillis),
        service.limits().verifyWithin());
  }

  private Pacing paced(long bytesPerNode) {
    Pacing usual = service.pacing();
    return new Pacing(bytesPerNode, usual.types(), usual.operations(), usual.beginWithin());
  }

  /** One way, on files of its own, with a reader before, meanwhile and after. */
  private void measure(DistributedFileSystem hdfs, Way way, int files) throws Exception {
    String directory = "/" + way.name() + files;
    // Each finds the disks as busy with what was just written.
    MoveCluster.write(hdfs, directory, files);
    way.prepare(directory);
    Foreground foreground = new Foreground();
    Map<String, Double> found;
    try (ForegroundReader reader =
        new ForegroundReader(hdfs, "/read", READ_FILES, runtime.nanos())) {
      quiet(reader, foreground);
      long start = runtime.nanos().getAsLong();
      double cpu = cpuSeconds();
      found = new TreeMap<>(way.move(directory, files));
      foreground.meanwhile(window(reader, start, cpu));
      while (onSsd(hdfs, directory) < files) {
        runtime.pause().pause(LOOK_EVERY);
      }
      found.putIfAbsent("settled_seconds", since(start));
      reader.drain();
      quiet(reader, foreground);
    }
    found.put("replicas_per_second", files / found.get("seconds"));
    found.put("cpu_ms_per_replica", 1e3 * foreground.cpuSecondsBeside() / files);
    found.put("foreground_p99_ratio", foreground.p99Ratio());
    found.put("foreground_median_ratio", foreground.medianRatio());
    found.put("foreground_rate_ratio", foreground.rateRatio());
    String who = "_" + way.name() + "_" + files;
    found.forEach((field, value) -> add(field + who, value));
    foregrounds.computeIfAbsent(who, first -> new Foreground()).addAll(foreground);
    System.out.printf(
        Locale.ROOT,
        "%s: %d replicas in %.2f s, %.2f ms of processors each, p99 of a reader's reads %.2f times"
            + " that before and after%n",
        way.name(),
        files,
        found.get("seconds"),
        found.get("cpu_ms_per_replica"),
        foreground.p99Ratio());
    hdfs.delete(new org.apache.hadoop.fs.Path(directory), true);
  }

  private void quiet(ForegroundReader reader, Foreground foreground)
      throws IOException, InterruptedException {
    long start = runtime.nanos().getAsLong();
    double cpu = cpuSeconds();
    runtime.pause().pause(QUIET);
    foreground.quiet(window(reader, start, cpu));
  }

  private Foreground.Window window(ForegroundReader reader, long startNanos, double startCpuSeconds)
      throws IOException {
    return new Foreground.Window(reader.drain(), since(startNanos), cpuSeconds() - startCpuSeconds);
  }

  /** Of this process, which is the cluster too. */
  private static double cpuSeconds() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
            .getProcessCpuTime()
        / 1e9;
  }

  private void marginal(Way way) {
    double few = last("seconds_" + way.name() + "_" + SIZES[0]);
    double many = last("seconds_" + way.name() + "_" + SIZES[1]);
    add("marginal_replicas_per_second_" + way.name(), (SIZES[1] - SIZES[0]) / (many - few));
  }

  private Map<String, Object> report() {
    Map<String, Object> report = new TreeMap<>();
    measured.forEach((field, values) -> report.put(field, round(median(values))));
    foregrounds.forEach(
        (who, foreground) ->
            report.put("foreground_p99_of_all" + who, round(foreground.p99Ratio())));
    report.put("benchmark", "move");
    report.put("rounds", rounds);
    report.put("verify_every_ms", verifyEveryMillis);
    report.put("copies", copies);
    report.put("copies_per_node", maxConcurrentCopiesPerNode);
    report.put("java_version", Runtime.version().toString());
    return report;
  }

  private void add(String field, double value) {
    measured.computeIfAbsent(field, first -> new ArrayList<>()).add(value);
  }

  private double last(String field) {
    List<Double> values = measured.get(field);
    return values.get(values.size() - 1);
  }

  private static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  /** How many files of a directory have one copy on SSD, and three in all. */
  private static int onSsd(DistributedFileSystem hdfs, String directory) throws IOException {
    List<FileView> seen = new ArrayList<>();
    new HdfsReader(hdfs.getClient()).pass(List.of(directory), path -> false, seen::add);
    return (int)
        seen.stream()
            .map(file -> file.blocks().get(0).types())
            .filter(types -> types.size() == REPLICAS)
            .filter(types -> types.stream().filter(StorageType::isFast).count() == 1)
            .count();
  }

  private double since(long startNanos) {
    return (runtime.nanos().getAsLong() - startNanos) / 1e9;
  }

  private static double round(double value) {
    return Math.round(value * 1e3) / 1e3;
  }
}
