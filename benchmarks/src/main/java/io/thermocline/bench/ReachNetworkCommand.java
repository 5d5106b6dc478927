// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import io.thermocline.hints.fs.HintingFileSystem;
import io.thermocline.placement.hdfs.FastestReplicaFirstTopology;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.process.JobCluster;
import io.thermocline.testbed.process.SwitchedHosts;
import io.thermocline.testbed.process.UnresolvedHadoopException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * How fast jobs that are scheduled by location read, by read order, device and network.
 *
 * <p>{@code bin/thermocline bench reach-network}
 */
@Command(
    name = "reach-network",
    description = {
      "How long a job of MapReduce or Spark takes to read files that have one copy of three on SSD, by read order."
          + " HDFS, YARN and Spark run on four hosts with devices and network links that are as slow as asked for,"
          + " divided by --scale. Needs root on Linux, util-linux, iproute2, and Maven for the frameworks' jars.",
      "seconds: from the start of the first task to the end of the last; task_seconds: the mean of the tasks; local:"
          + " tasks on a host with a replica; ssd: tasks that read the copy on SSD; near: tasks that read from their"
          + " own host."
    },
    mixinStandardHelpOptions = true)
final class ReachNetworkCommand implements Callable<Integer> {
  private static final int HOSTS = 4;
  private static final int REPLICAS = 3;
  private static final int BLOCK = 4 << 20;
  private static final long MEGABYTE = 1_000_000;
  private static final org.apache.hadoop.fs.Path FILES = new org.apache.hadoop.fs.Path("/scanned");

  @Option(names = "--scale", paramLabel = "N", description = "Default: ${DEFAULT-VALUE}.")
  private int scale = 400;

  @Option(
      names = "--blocks",
      paramLabel = "N",
      description = "Of 4 MiB, a file each (default: ${DEFAULT-VALUE}).")
  private int blocks = 64;

  @Option(
      names = "--shape",
      paramLabel = "DISKS/TASKS",
      split = ",",
      description =
          "Disks of a host, and tasks that it runs at the same time (default: ${DEFAULT-VALUE}).")
  private List<String> shapes = List.of("1/4", "4/1", "4/4");

  @Option(
      names = "--ssd",
      paramLabel = "MB/s@Gbit/s",
      split = ",",
      description =
          "Of the SSD of each host, and of its link; a DISK delivers 200 MB/s (default: ${DEFAULT-VALUE}).")
  private List<String> speeds = List.of("500@10", "2000@10", "2000@25");

  @Option(names = "--framework", split = ",", description = "Default: ${DEFAULT-VALUE}.")
  private Set<JobCluster.Framework> frameworks = EnumSet.allOf(JobCluster.Framework.class);

  @Option(
      names = "--order",
      split = ",",
      description =
          "nearest (HDFS's default), fastest (our topology class), own-disks (with"
              + " thermocline.placement.read.own-disks), client (the hints client's); default:"
              + " ${DEFAULT-VALUE}.")
  private List<String> orders = List.of("nearest", "fastest", "client");

  @Override
  public Integer call() throws IOException, UnresolvedHadoopException {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("scale", scale);
    report.put("blocks", blocks);
    Path kept = Path.of(System.getProperty("java.io.tmpdir"), "thermocline-jars");
    for (String each : shapes) {
      String[] shape = each.split("/");
      Path directory = Files.createTempDirectory("thermocline-bench-");
      try (SwitchedHosts hosts = SwitchedHosts.of(HOSTS, directory.resolve("hosts"));
          JobCluster cluster =
              JobCluster.start(
                  hosts,
                  new JobCluster.Shape(
                      Integer.parseInt(shape[0]), Integer.parseInt(shape[1]), BLOCK, frameworks),
                  mode(orders.get(0), speeds.get(0).split("@")[0]),
                  kept,
                  directory)) {
        write(cluster);
        for (String speed : speeds) {
          String[] parts = speed.split("@");
          hosts.limit(Integer.parseInt(parts[1]) * 1000 * MEGABYTE / scale);
          for (String order : orders) {
            cluster.use(mode(order, parts[0]));
            for (JobCluster.Framework framework : frameworks) {
              measure(cluster, framework, "%s_%s_%s".formatted(each, speed, order), report);
            }
          }
        }
      }
    }
    System.out.println(FlatJson.of(report));
    return 0;
  }

  private JobCluster.Mode mode(String order, String ssd) {
    Map<String, String> site =
        switch (order) {
          case "nearest" -> Map.of();
          case "fastest" ->
              Map.of("dfs.net.topology.impl", FastestReplicaFirstTopology.class.getName());
          case "own-disks" ->
              Map.of(
                  "dfs.net.topology.impl",
                  FastestReplicaFirstTopology.class.getName(),
                  "thermocline.placement.read.own-disks",
                  "1");
          case "client" ->
              Map.of(
                  "fs.hdfs.impl",
                  HintingFileSystem.class.getName(),
                  "thermocline.hints.read.order",
                  "fastest");
          default -> throw new IllegalArgumentException("No such order: " + order);
        };
    return new JobCluster.Mode(
        Map.of(
            StorageType.DISK,
            200 * MEGABYTE / scale,
            StorageType.SSD,
            Integer.parseInt(ssd) * MEGABYTE / scale),
        site);
  }

  /** Evenly: each host has as many copies on SSD and on its disks as any other. */
  private void write(JobCluster cluster) throws IOException {
    DistributedFileSystem client = cluster.client();
    client.mkdirs(FILES);
    client.setStoragePolicy(FILES, "ONE_SSD");
    byte[] content = new byte[BLOCK];
    for (int i = 0; i < blocks; i++) {
      // The first one is on SSD. The other two are all but one of the other hosts.
      int left = 1 + i / HOSTS % (HOSTS - 1);
      List<InetSocketAddress> nodes = new ArrayList<>(List.of(cluster.dataNode(i % HOSTS)));
      for (int other = 1; other < HOSTS; other++) {
        if (other != left) {
          nodes.add(cluster.dataNode((i + other) % HOSTS));
        }
      }
      org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(FILES, "file" + i);
      try (OutputStream out =
          client.create(
              file,
              FsPermission.getFileDefault(),
              true,
              1 << 17,
              (short) REPLICAS,
              content.length,
              null,
              nodes.toArray(InetSocketAddress[]::new))) {
        out.write(content);
      }
      BlockLocation block = client.getFileBlockLocations(file, 0, 1)[0];
      List<org.apache.hadoop.fs.StorageType> types = List.of(block.getStorageTypes());
      int fast = types.indexOf(org.apache.hadoop.fs.StorageType.SSD);
      if (fast < 0 || !block.getHosts()[fast].equals(JobCluster.host(i % HOSTS))) {
        throw new IOException(
            "The copy on SSD is not where it was asked for: " + block + " " + types);
      }
    }
  }

  private void measure(
      JobCluster cluster, JobCluster.Framework framework, String name, Map<String, Object> report)
      throws IOException {
    List<JobCluster.Scan> scans = cluster.scan(framework, FILES.toString());
    if (scans.size() != blocks || scans.stream().anyMatch(scan -> scan.bytes() != BLOCK)) {
      throw new IOException("Not each block was read once: " + scans);
    }
    long first = scans.stream().mapToLong(JobCluster.Scan::startMillis).min().orElseThrow();
    long last = scans.stream().mapToLong(JobCluster.Scan::endMillis).max().orElseThrow();
    double mean =
        scans.stream().mapToLong(scan -> scan.endMillis() - scan.startMillis()).average().orElse(0);
    int local = 0;
    int ssd = 0;
    int near = 0;
    for (JobCluster.Scan scan : scans) {
      BlockLocation block =
          cluster.client()
              .getFileBlockLocations(new org.apache.hadoop.fs.Path(scan.path()), 0, 1)[0];
      List<String> holders = List.of(block.getHosts());
      local += holders.contains(scan.host()) ? 1 : 0;
      near += scan.host().equals(scan.from()) ? 1 : 0;
      ssd +=
          block.getStorageTypes()[holders.indexOf(scan.from())]
                  == org.apache.hadoop.fs.StorageType.SSD
              ? 1
              : 0;
    }
    String key = framework.name().toLowerCase(Locale.ROOT) + "_" + name;
    report.put("seconds_" + key, (last - first) / 1e3);
    report.put("task_seconds_" + key, Math.round(mean) / 1e3);
    report.put("local_" + key, share(local));
    report.put("ssd_" + key, share(ssd));
    report.put("near_" + key, share(near));
    System.out.printf(
        Locale.ROOT,
        "%-34s %6.1f s  task %5.1f s  local %3.0f %%  SSD %3.0f %%  own host %3.0f %%%n",
        key,
        (last - first) / 1e3,
        mean / 1e3,
        100 * share(local),
        100 * share(ssd),
        100 * share(near));
  }

  private double share(int tasks) {
    return Math.round(1e4 * tasks / blocks) / 1e4;
  }
}
