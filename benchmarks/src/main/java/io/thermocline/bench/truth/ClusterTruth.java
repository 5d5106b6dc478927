// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.truth;

import io.thermocline.bench.FlatJson;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.audit.FileReads;
import io.thermocline.testbed.process.HadoopLine;
import io.thermocline.testbed.process.ProcessCluster;
import io.thermocline.testbed.process.ProcessNode;
import io.thermocline.testbed.process.PublishedJars;
import io.thermocline.testbed.process.Reaper;
import io.thermocline.testbed.process.UnresolvedHadoopException;
import io.thermocline.tiering.process.Seams;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * Real programs on a cluster of processes: heat of the NameNode's audit log, beside what the clienttrace logs of all DataNodes
 * say was read. All clients have one address. For one thread.
 */
public final class ClusterTruth {
  private static final String HADOOP = "3.4.3";
  private static final int NODES = 4;
  private static final int BLOCK = 1 << 20;
  private static final Duration SETTLES = Duration.ofSeconds(2);
  private static final Duration FOLLOWED = Duration.ofSeconds(20);
  private static final String SHELL = "org.apache.hadoop.fs.FsShell";
  private static final String TEXT = "/warehouse/text";
  private static final String PARQUET = "/warehouse/parquet";

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
  private final Seams seams;
  private final SplittableRandom random;
  private final Map<String, Object> report = new TreeMap<>();
  private final Map<String, Integer> read = new HashMap<>();
  private final StringBuilder wholeLog = new StringBuilder();
  private final Map<String, FileReads> whole = new TreeMap<>();
  private Path directory;
  private ProcessCluster cluster;

  /**
   * @param seek seconds of a disk's head for each block read
   * @param rate bytes a second of a disk
   */
  public ClusterTruth(double seek, double rate, long seed, Seams seams) {
    this.disk = new HeatVerdict.Disk(seek, rate);
    this.seams = seams;
    this.random = new SplittableRandom(seed);
  }

  private interface Load {
    void run() throws IOException, InterruptedException;
  }

  /**
   * Judges, and prints a table and one line of JSON.
   *
   * @param place for all files; the caller deletes it
   */
  public void run(Path place) throws IOException, InterruptedException {
    directory = place;
    Path logging = Files.writeString(place.resolve("servers.log4j.properties"), LOGGING);
    try {
      List<Path> hadoop = jars("hadoop-programs");
      ProcessCluster.Builder builder =
          ProcessCluster.builder(HadoopLine.resolve(HADOOP, kept()))
              .parent(place)
              .flag("-Dlog4j.configuration=" + logging.toUri())
              .flag("-Duser.timezone=UTC")
              .setting("hadoop.caller.context.enabled", "true")
              .setting("dfs.permissions.enabled", "false")
              .setting("dfs.replication", "1")
              .setting("dfs.blocksize", Integer.toString(BLOCK));
      for (int node = 1; node <= NODES; node++) {
        builder.node(new ProcessNode("dn" + node, "rack1", List.of(StorageType.DISK)));
      }
      System.out.println("starting a NameNode and " + NODES + " DataNodes");
      try (ProcessCluster started = builder.start()) {
        cluster = started;
        measure(hadoop);
      }
    } catch (UnresolvedHadoopException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static Path kept() {
    return Path.of(System.getProperty("thermocline.home", "."), "target", "truth-programs");
  }

  private static List<Path> jars(String name) throws IOException, UnresolvedHadoopException {
    return PublishedJars.resolve(
        ClusterTruth.class.getResource(name + ".xml"), name + " " + HADOOP, HADOOP, kept());
  }

  private void measure(List<Path> jars) throws IOException, InterruptedException {
    RealProgram hadoop = program(jars);
    RealProgram spark = spark();
    writeTables();
    if (spark != null) {
      spark.run("etl", "SqlQueries.java", "write", PARQUET);
    }
    skip();
    System.out.println(HeatVerdict.header());
    say("mapreduce", TEXT, () -> hadoop.run("hive", "TableScans.java", mapReduceInputs()));
    if (spark != null) {
      say("spark", PARQUET, () -> spark.run("etl", "SqlQueries.java", "read", PARQUET));
    }
    say(
        "distcp",
        "/warehouse",
        () ->
            hadoop.run("ops", "org.apache.hadoop.tools.DistCp", "-m", "4", "/warehouse", "/copy"));
    say(
        "backup",
        "/warehouse",
        () -> hadoop.run("backup", SHELL, "-get", "/warehouse", directory + "/backup"));
    say("shell", "/user", () -> shell(hadoop));
    say("log", "/logs", () -> follow(hadoop));
    Path log = directory.resolve("whole.log");
    Files.writeString(log, wholeLog);
    verdict("mix", log, new ArrayList<>(whole.values()));
    report.put("benchmark", "heat_truth_cluster");
    report.put("missing", (spark == null ? "spark " : "") + "hive trino hbase ml httpfs");
    report.put("hadoop", HADOOP);
    System.out.println(FlatJson.of(report));
  }

  private RealProgram program(List<Path> jars) throws IOException {
    return new RealProgram(
        jars,
        cluster.directory().resolve("conf/client"),
        Files.createDirectories(directory.resolve("programs")));
  }

  private RealProgram spark() throws IOException {
    try {
      return program(jars("spark-programs"));
    } catch (UnresolvedHadoopException e) {
      System.out.println("without Spark: " + e.getMessage());
      return null;
    }
  }

  // --- Data and loads ---

  private void writeTables() throws IOException {
    write(TEXT + "/events/part-%05d", 320, BLOCK / 4);
    write(TEXT + "/sales/dt=1/part-%05d", 20, 6 * BLOCK);
    write(TEXT + "/sales/dt=2/part-%05d", 20, 6 * BLOCK);
    write(TEXT + "/history/part-%05d", 60, 3 * BLOCK);
    write("/user/file-%02d", 40, BLOCK / 2);
    write("/user/large-%02d", 4, 25 * BLOCK);
    write("/logs/current-%d.log", 3, 2 * BLOCK);
  }

  /** Bytes of text: lines of a few hundred. */
  private void write(String pattern, int files, int length) throws IOException {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    for (int file = 0; file < files; file++) {
      try (OutputStream out =
          cluster.client().create(new org.apache.hadoop.fs.Path(pattern.formatted(file)))) {
        out.write(bytes);
      }
    }
  }

  /** By Zipf's law: events, then the last partition, then all of it, then what is old. */
  private static String[] mapReduceInputs() {
    List<String> inputs = new ArrayList<>();
    for (int job = 0; job < 12; job++) {
      inputs.add(TEXT + "/events");
      if (job % 2 == 0) {
        inputs.add(TEXT + "/sales/dt=2");
      }
      if (job % 4 == 0) {
        inputs.add(TEXT + "/sales");
      }
    }
    inputs.add(TEXT + "/history");
    return inputs.toArray(String[]::new);
  }

  private static void shell(RealProgram hadoop) throws IOException, InterruptedException {
    List<String> cat = new ArrayList<>(List.of("-cat"));
    for (int file = 0; file < 40; file++) {
      for (int time = 0; time < 1 + 40 / (file + 1); time++) {
        cat.add("/user/file-%02d".formatted(file));
      }
    }
    hadoop.run("alice", SHELL, cat.toArray(String[]::new));
    hadoop.run("bob", SHELL, "-cat", "/user/large-00", "/user/large-00", "/user/large-01");
    hadoop.run("carol", SHELL, "-head", "/user/large-02");
    hadoop.run("carol", SHELL, "-tail", "/user/large-03");
  }

  private void follow(RealProgram hadoop) throws IOException, InterruptedException {
    Path more = directory.resolve("more");
    Files.write(more, new byte[50_000]);
    Process follower = hadoop.start("ops", SHELL, "-tail", "-f", "/logs/current-0.log");
    try {
      long end = seams.nanos().getAsLong() + FOLLOWED.toNanos();
      while (seams.nanos().getAsLong() < end) {
        for (int log = 0; log < 2; log++) {
          hadoop.run(
              "service",
              SHELL,
              "-appendToFile",
              more.toString(),
              "/logs/current-%d.log".formatted(log));
        }
      }
    } finally {
      Reaper.kill(follower);
    }
  }

  // --- What was written in logs, and what was read ---

  private void say(String load, String root, Load program)
      throws IOException, InterruptedException {
    program.run();
    seams.pause().pause(SETTLES);
    String lines = audited();
    wholeLog.append(lines);
    ServedBlocks served = new ServedBlocks();
    for (int node = 1; node <= NODES; node++) {
      served.add(since("dn" + node));
    }
    List<FileReads> all = files(served);
    skip();
    all.forEach(
        file ->
            whole.merge(
                file.path(),
                file,
                (sum, next) ->
                    new FileReads(
                        sum.path(),
                        next.length(),
                        BLOCK,
                        sum.blockReads() + next.blockReads(),
                        sum.bytes() + next.bytes())));
    Path log = directory.resolve(load + ".log");
    Files.writeString(log, lines);
    verdict(load, log, all.stream().filter(file -> file.path().startsWith(root + "/")).toList());
  }

  private void verdict(String load, Path log, List<FileReads> files) throws IOException {
    HeatVerdict verdict = HeatVerdict.of(log, null, files, disk, seams.clock());
    if (verdict.trueSeconds() == 0) {
      throw new IOException(
          load + ": no DataNode said in its clienttrace log that it read a block");
    }
    verdict.put(load, report);
    report.put("block_reads_" + load, files.stream().mapToLong(FileReads::blockReads).sum());
    System.out.println(verdict.row(load));
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

  private List<FileReads> files(ServedBlocks served) throws IOException {
    DistributedFileSystem hdfs = cluster.client();
    List<FileReads> files = new ArrayList<>();
    RemoteIterator<LocatedFileStatus> each =
        hdfs.listFiles(new org.apache.hadoop.fs.Path("/"), true);
    while (each.hasNext()) {
      LocatedFileStatus file = each.next();
      String path = file.getPath().toUri().getPath();
      long reads = 0;
      long bytes = 0;
      for (LocatedBlock block :
          hdfs.getClient().getLocatedBlocks(path, 0, Long.MAX_VALUE).getLocatedBlocks()) {
        reads += served.reads(block.getBlock().getBlockId());
        bytes += served.bytes(block.getBlock().getBlockId());
      }
      files.add(new FileReads(path, file.getLen(), BLOCK, reads, bytes));
    }
    return files;
  }
}
