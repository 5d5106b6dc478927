// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.move;

import io.thermocline.bench.FlatJson;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.EmbeddedCluster;
import io.thermocline.tiering.act.ActLimits;
import io.thermocline.tiering.app.Seams;
import io.thermocline.tiering.cluster.HdfsReader;
import io.thermocline.tiering.observe.FileView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.mover.Mover;
import org.apache.hadoop.util.ToolRunner;
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
      "Copies of files to SSD by the service's own stages and by Hadoop's Mover, on one embedded cluster of nine"
          + " DataNodes, and how much either slows a reader. docs/evidence/move.md describes it."
    },
    mixinStandardHelpOptions = true)
public final class MoveCommand implements Callable<Integer> {
  private static final int[] SIZES = {300, 3_000};
  private static final int WARM_UP = 30;
  private static final int READ_FILES = 200;
  private static final int REPLICAS = 3;
  private static final Duration QUIET = Duration.ofSeconds(5);
  private static final Duration LOOK_EVERY = Duration.ofMillis(100);

  @Option(
      names = "--verify-every",
      paramLabel = "MS",
      description = "act.verifyEvery (default: ${DEFAULT-VALUE}, the service's).")
  private long verifyEveryMillis = 1000;

  @Option(
      names = "--copies",
      paramLabel = "N",
      description = "act.copies (default: ${DEFAULT-VALUE}, the service's).")
  private int copies = 16;

  @Option(
      names = "--copies-per-node",
      paramLabel = "N",
      description = "act.copiesPerNode (default: ${DEFAULT-VALUE}, the service's).")
  private int copiesPerNode = 4;

  private final Seams seams = Seams.system();
  private final Map<String, Object> report = new TreeMap<>();

  @Override
  public Integer call() throws Exception {
    Path site =
        Path.of(System.getProperty("thermocline.home", "."))
            .resolve("conf/hdfs-site.thermocline.xml");
    Path directory = Files.createTempDirectory("thermocline-move");
    int all = 2 * (WARM_UP + SIZES[0] + SIZES[1]) + READ_FILES;
    try (EmbeddedCluster cluster = MoveCluster.create(directory, site, all)) {
      System.out.println("starting nine DataNodes");
      cluster.start();
      DistributedFileSystem hdfs = cluster.fileSystem();
      MoveCluster.write(hdfs, "/read", READ_FILES);
      compare(cluster, WARM_UP, false);
      for (int size : SIZES) {
        compare(cluster, size, true);
      }
    } finally {
      Files.delete(directory);
    }
    for (String who : List.of("ours", "mover")) {
      double few = (Double) report.get("seconds_" + who + "_" + SIZES[0]);
      double many = (Double) report.get("seconds_" + who + "_" + SIZES[1]);
      report.put(
          "marginal_replicas_per_second_" + who, round((SIZES[1] - SIZES[0]) / (many - few)));
    }
    report.put("benchmark", "move");
    report.put("verify_every_ms", verifyEveryMillis);
    report.put("copies", copies);
    report.put("copies_per_node", copiesPerNode);
    report.put("java_version", Runtime.version().toString());
    System.out.println(FlatJson.of(report));
    return 0;
  }

  /** Both ways, on files of their own. */
  private void compare(EmbeddedCluster cluster, int files, boolean isReported) throws Exception {
    DistributedFileSystem hdfs = cluster.fileSystem();
    String ours = "/ours" + files;
    String stock = "/mover" + files;
    System.out.printf("writing %d files%n", files);
    MoveCluster.write(hdfs, ours, files);
    ActLimits limits =
        new ActLimits(
            copies,
            copiesPerNode,
            4,
            Duration.ofSeconds(1),
            Duration.ofMillis(verifyEveryMillis),
            Duration.ofMinutes(5));
    try (ForegroundReader reader = new ForegroundReader(hdfs, "/read", READ_FILES, seams.nanos())) {
      seams.pause().pause(QUIET);
      double quiet = reader.p99Millis();
      DirectedRun.Times times = new DirectedRun(hdfs, limits, seams).move(ours, files);
      result("ours", files, times.seconds(), reader.p99Millis() / quiet, isReported);
      requireOnSsd(hdfs, ours, files);
      if (isReported) {
        report.put("planned_seconds_ours_" + files, round(times.plannedSeconds()));
        report.put("copied_seconds_ours_" + files, round(times.copiedSeconds()));
        report.put("settled_seconds_ours_" + files, round(times.settledSeconds()));
      }
      // Each finds the disks as busy with what was just written.
      System.out.printf("writing %d files%n", files);
      MoveCluster.write(hdfs, stock, files);
      reader.p99Millis();
      seams.pause().pause(QUIET);
      quiet = reader.p99Millis();
      long start = seams.nanos().getAsLong();
      hdfs.setStoragePolicy(new org.apache.hadoop.fs.Path(stock), "ONE_SSD");
      int status =
          ToolRunner.run(cluster.configuration(), new Mover.Cli(), new String[] {"-p", stock});
      double seconds = (seams.nanos().getAsLong() - start) / 1e9;
      if (status != 0) {
        throw new IOException("the Mover ended with " + status);
      }
      result("mover", files, seconds, reader.p99Millis() / quiet, isReported);
      while (onSsd(hdfs, stock) < files) {
        seams.pause().pause(LOOK_EVERY);
      }
      if (isReported) {
        double settled = (seams.nanos().getAsLong() - start) / 1e9;
        report.put("settled_seconds_mover_" + files, round(settled));
      }
    }
  }

  private void result(String who, int files, double seconds, double ratio, boolean isReported) {
    System.out.printf(
        Locale.ROOT,
        "%s: %d replicas in %.2f s, p99 of a reader's reads %.2f times that before%n",
        who,
        files,
        seconds,
        ratio);
    if (isReported) {
      report.put("seconds_" + who + "_" + files, round(seconds));
      report.put("replicas_per_second_" + who + "_" + files, round(files / seconds));
      report.put("foreground_p99_ratio_" + who + "_" + files, round(ratio));
    }
  }

  /** Whether each file has one copy on SSD, and three in all. */
  private static void requireOnSsd(DistributedFileSystem hdfs, String directory, int files)
      throws IOException {
    int moved = onSsd(hdfs, directory);
    if (moved != files) {
      throw new IOException(moved + " of " + files + " files in " + directory + " are on SSD");
    }
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

  private static double round(double value) {
    return Math.round(value * 1e3) / 1e3;
  }
}
