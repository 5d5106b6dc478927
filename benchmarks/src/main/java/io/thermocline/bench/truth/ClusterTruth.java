// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.truth;

import io.thermocline.bench.FlatJson;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.audit.FileReads;
import io.thermocline.testbed.process.HadoopLine;
import io.thermocline.testbed.process.HttpFs;
import io.thermocline.testbed.process.ProcessCluster;
import io.thermocline.testbed.process.ProcessNode;
import io.thermocline.testbed.process.UnresolvedHadoopException;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.process.ServiceRuntime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * Real programs on a cluster of processes, each alone and then all at the same time: heat of the NameNode's audit log, beside what
 * the clienttrace logs of all DataNodes say was read. All clients have one address. For one thread.
 */
public final class ClusterTruth {
  private static final String HADOOP = "3.4.3";
  private static final int NODES = 10;
  private static final int REPLICAS = 3;
  private static final int BLOCK = 1 << 20;
  private static final Duration SETTLES = Duration.ofSeconds(2);

  /** The DataNode whose log the service is given, one in ten. */
  private static final String TRACED = "dn1";

  /** Of a server: its audit log, or its clienttrace log, on standard output. */
  private static final String LOGGING =
      """
      log4j.rootLogger=ERROR, out
      log4j.logger.org.apache.hadoop.hdfs.server.namenode.FSNamesystem.audit=INFO
      log4j.logger.org.apache.hadoop.hdfs.server.datanode.DataNode.clienttrace=DEBUG
      log4j.appender.out=org.apache.log4j.ConsoleAppender
      log4j.appender.out.layout=org.apache.log4j.PatternLayout
      log4j.appender.out.layout.ConversionPattern=%d{ISO8601} %p %c{2}: %m%n
      """;

  private final HeatVerdict.Disk disk;
  private final ServiceRuntime runtime;
  private final SplittableRandom random;
  private final Map<String, Object> report = new TreeMap<>();
  private final Map<String, Integer> read = new HashMap<>();
  private final Map<String, Integer> times = new HashMap<>();
  private Path directory;
  private Path logs;
  private boolean keeps;
  private ProcessCluster cluster;

  /**
   * @param seek seconds of a disk's head for each block read
   * @param rate bytes a second of a disk
   */
  public ClusterTruth(double seek, double rate, long seed, ServiceRuntime runtime) {
    this.disk = new HeatVerdict.Disk(seek, rate);
    this.runtime = runtime;
    this.random = new SplittableRandom(seed);
  }

  /** A file, what was read of it, and where its blocks are. */
  private record Located(FileReads reads, FileView view) {}

  /**
   * Judges, and prints a table and one line of JSON.
   *
   * @param place for all files; the caller deletes it
   * @param keptIn takes the logs, and what was read of each file as a table; null: nothing stays
   */
  public void run(Path place, Path keptIn) throws IOException, InterruptedException {
    directory = place;
    logs = keptIn == null ? place : Files.createDirectories(keptIn);
    keeps = keptIn != null;
    Path logging = Files.writeString(place.resolve("servers.log4j.properties"), LOGGING);
    try {
      ProcessCluster.Builder builder =
          ProcessCluster.builder(HadoopLine.resolve(HADOOP, RealLoads.kept()))
              .parent(place)
              .flag("-Dlog4j.configuration=" + logging.toUri())
              .flag("-Duser.timezone=UTC")
              .setting("hadoop.caller.context.enabled", "true")
              .setting("dfs.permissions.enabled", "false")
              .setting("dfs.replication", Integer.toString(REPLICAS))
              .setting("hadoop.proxyuser." + HttpFs.USER + ".hosts", "*")
              .setting("hadoop.proxyuser." + HttpFs.USER + ".users", "*")
              .setting("dfs.blocksize", Integer.toString(BLOCK));
      for (int node = 1; node <= NODES; node++) {
        builder.node(new ProcessNode("dn" + node, "rack1", List.of(StorageType.DISK)));
      }
      System.out.println("starting a NameNode and " + NODES + " DataNodes");
      try (ProcessCluster started = builder.start()) {
        cluster = started;
        measure();
      }
    } catch (UnresolvedHadoopException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private void measure() throws IOException, InterruptedException, UnresolvedHadoopException {
    try (RealLoads loads = new RealLoads(cluster, directory, HADOOP, BLOCK, random, runtime)) {
      loads.prepare();
      skip();
      System.out.println(HeatVerdict.header());
      for (RealLoads.Load load : loads.loads()) {
        run(load);
        judge(load.name(), file -> file.startsWith(load.root() + "/"));
      }
      together(loads.loads());
      Predicate<String> isRead =
          file -> loads.loads().stream().anyMatch(load -> file.startsWith(load.root() + "/"));
      judge("mix", isRead, "mix_but_hbase", isRead.and(file -> !file.startsWith("/hbase/")));
      report.put("missing", String.join(" ", loads.missing()));
    }
    report.put("benchmark", "heat_truth_cluster");
    report.put("hadoop", HADOOP);
    System.out.println(FlatJson.of(report));
  }

  private void run(RealLoads.Load load) throws IOException, InterruptedException {
    load.program().run(times.merge(load.name(), 1, Integer::sum));
  }

  /** All at the same time. */
  private void together(List<RealLoads.Load> loads) throws IOException, InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(loads.size());
    try {
      List<Future<?>> running = new ArrayList<>();
      for (RealLoads.Load load : loads) {
        int time = times.merge(load.name(), 1, Integer::sum);
        running.add(
            threads.submit(
                () -> {
                  load.program().run(time);
                  return null;
                }));
      }
      for (Future<?> each : running) {
        each.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("a load of all together: " + e.getCause().getMessage(), e);
    } finally {
      threads.shutdownNow();
    }
  }

  // --- What was written in logs, and what was read ---

  private void judge(String name, Predicate<String> files)
      throws IOException, InterruptedException {
    judge(name, files, null, null);
  }

  /**
   * Judges what ran since the last time.
   *
   * @param part name of the same for fewer files; null: none
   */
  private void judge(
      String name, Predicate<String> files, String part, Predicate<String> filesOfPart)
      throws IOException, InterruptedException {
    runtime.pause().pause(SETTLES);
    Path log = Files.writeString(logs.resolve(name + ".log"), audited());
    Path trace = logs.resolve(name + ".trace");
    ServedBlocks served = new ServedBlocks();
    for (int node = 1; node <= NODES; node++) {
      String lines = since("dn" + node);
      served.add(lines);
      if (TRACED.equals("dn" + node)) {
        Files.writeString(trace, lines);
      }
    }
    List<Located> all = files(served);
    cluster.client().delete(new org.apache.hadoop.fs.Path("/copy"), true);
    skip();
    verdict(name, log, trace, all, files);
    if (part != null) {
      verdict(part, log, trace, all, filesOfPart);
    }
  }

  private void verdict(
      String name, Path log, Path trace, List<Located> all, Predicate<String> files)
      throws IOException {
    Map<String, FileView> views = new HashMap<>();
    List<FileReads> reads = new ArrayList<>();
    for (Located file : all) {
      if (files.test(file.reads().path())) {
        reads.add(file.reads());
        views.put(file.reads().path(), file.view());
      }
    }
    HeatVerdict verdict =
        HeatVerdict.of(
            log,
            trace,
            reads,
            file -> views.get(file.path()),
            Duration.ZERO,
            disk,
            runtime.clock());
    if (keeps) {
      disk.writeTruth(logs.resolve(name + ".log"), reads);
    }
    if (verdict.trueSeconds() == 0) {
      throw new IOException(
          name + ": no DataNode said in its clienttrace log that it read a block");
    }
    verdict.put(name, report);
    report.put("block_reads_" + name, reads.stream().mapToLong(FileReads::blockReads).sum());
    System.out.println(verdict.row(name));
  }

  /** What our own questions left in the logs is nobody's load. */
  private void skip() throws IOException {
    audited();
    for (int node = 1; node <= NODES; node++) {
      since("dn" + node);
    }
  }

  private String audited() throws IOException {
    StringBuilder lines = new StringBuilder();
    since(ProcessCluster.NAME_NODE)
        .lines()
        .filter(line -> line.contains(" FSNamesystem.audit: "))
        .forEach(line -> lines.append(line).append('\n'));
    return lines.toString();
  }

  /** What a server said since it was asked last. */
  private String since(String server) throws IOException {
    String all = cluster.output(server);
    int from = read.getOrDefault(server, 0);
    int to = all.lastIndexOf('\n') + 1;
    read.put(server, to);
    return all.substring(from, Math.max(from, to));
  }

  private List<Located> files(ServedBlocks served) throws IOException {
    DistributedFileSystem hdfs = cluster.client();
    List<Located> files = new ArrayList<>();
    RemoteIterator<LocatedFileStatus> each =
        hdfs.listFiles(new org.apache.hadoop.fs.Path("/"), true);
    while (each.hasNext()) {
      LocatedFileStatus file = each.next();
      String path = file.getPath().toUri().getPath();
      long reads = 0;
      long bytes = 0;
      List<FileView.Block> blocks = new ArrayList<>();
      for (LocatedBlock block :
          hdfs.getClient().getLocatedBlocks(path, 0, Long.MAX_VALUE).getLocatedBlocks()) {
        long id = block.getBlock().getBlockId();
        reads += served.reads(id);
        bytes += served.bytes(id);
        List<FileView.Replica> replicas = new ArrayList<>();
        for (DatanodeInfo node : block.getLocations()) {
          String uuid = node.getDatanodeUuid();
          replicas.add(new FileView.Replica(uuid, uuid, StorageType.DISK));
        }
        blocks.add(
            new FileView.Block(
                block.getBlock().getBlockPoolId(),
                id,
                block.getBlock().getGenerationStamp(),
                block.getBlockSize(),
                replicas));
      }
      files.add(
          new Located(
              new FileReads(path, file.getLen(), BLOCK, reads, bytes),
              new FileView(path, file.getLen(), REPLICAS, 0, blocks)));
    }
    return files;
  }
}
