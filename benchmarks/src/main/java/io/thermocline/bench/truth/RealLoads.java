// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.truth;

import io.thermocline.testbed.process.HttpFs;
import io.thermocline.testbed.process.ProcessCluster;
import io.thermocline.testbed.process.PublishedJars;
import io.thermocline.testbed.process.Reaper;
import io.thermocline.testbed.process.UnresolvedHadoopException;
import io.thermocline.tiering.process.ServiceRuntime;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/** Programs as they are published that read HDFS, each with data of its own. Each load may run while others do. */
final class RealLoads implements AutoCloseable {
  private static final String SHELL = "org.apache.hadoop.fs.FsShell";
  private static final String TEXT = "/warehouse/text";
  private static final String PARQUET = "/warehouse/parquet";
  private static final String HIVE = "/warehouse/hive";
  private static final Duration FOLLOWED = Duration.ofSeconds(40);
  private static final int TRAINING_FILES = 16;
  private static final int TRAINING_SETS = 3;
  private static final int FEATURES = 20;
  private static final int SERVED_FILES = 60;
  private static final int USERS = 40;
  private static final int READS_BY_USER = 12;

  private final ProcessCluster cluster;
  private final Path directory;
  private final String hadoop;
  private final int block;
  private final SplittableRandom random;
  private final ServiceRuntime runtime;
  private final List<Load> loads = new ArrayList<>();
  private final List<String> missing = new ArrayList<>();
  private HttpFs gateway;

  /** What may fail and wait. */
  interface Program {
    /** @param time how often it ran before */
    void run(int time) throws IOException, InterruptedException;
  }

  /**
   * Programs that read.
   *
   * @param name of its fields
   * @param root of its files
   */
  record Load(String name, String root, Program program) {}

  /**
   * @param directory for what programs leave
   * @param hadoop version
   * @param block bytes of one
   */
  RealLoads(
      ProcessCluster cluster,
      Path directory,
      String hadoop,
      int block,
      SplittableRandom random,
      ServiceRuntime runtime) {
    this.cluster = cluster;
    this.directory = directory;
    this.hadoop = hadoop;
    this.block = block;
    this.random = random;
    this.runtime = runtime;
  }

  List<Load> loads() {
    return List.copyOf(loads);
  }

  /** Names of the programs that Maven couldn't get. */
  List<String> missing() {
    return List.copyOf(missing);
  }

  /** Writes all data, and starts what serves others. */
  void prepare() throws IOException, InterruptedException, UnresolvedHadoopException {
    List<Path> jars = jars("hadoop-programs");
    mapReduce(program("mapreduce", jars));
    optional("spark hive ml", this::spark);
    optional("hbase", this::hbase);
    copies(jars);
    optional("httpfs", this::httpFs);
    shell(program("shell", jars));
    logs(jars);
  }

  private interface Preparation {
    void run() throws IOException, InterruptedException, UnresolvedHadoopException;
  }

  private void optional(String name, Preparation preparation)
      throws IOException, InterruptedException {
    try {
      preparation.run();
    } catch (UnresolvedHadoopException e) {
      System.out.println("without " + name + ": " + e.getMessage());
      missing.add(name);
    }
  }

  /** Where {@link PublishedJars} keeps what Maven said. */
  static Path kept() {
    return Path.of(System.getProperty("thermocline.home", "."), "target", "truth-programs");
  }

  private List<Path> jars(String name) throws IOException, UnresolvedHadoopException {
    return PublishedJars.resolve(
        RealLoads.class.getResource(name + ".xml"), name + " " + hadoop, hadoop, kept());
  }

  private RealProgram program(String name, List<Path> jars) throws IOException {
    return new RealProgram(
        jars,
        cluster.directory().resolve("conf/client"),
        Files.createDirectories(directory.resolve("programs").resolve(name)));
  }

  /** Bytes at random. */
  private void write(String pattern, int files, int length) throws IOException {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    for (int file = 0; file < files; file++) {
      write(pattern.formatted(file), bytes);
    }
  }

  private void write(String path, byte[] bytes) throws IOException {
    try (OutputStream out = cluster.client().create(new org.apache.hadoop.fs.Path(path))) {
      out.write(bytes);
    }
  }

  // --- Queries ---

  private void mapReduce(RealProgram hadoopProgram) throws IOException {
    write(TEXT + "/events/part-%05d", 320, block / 4);
    write(TEXT + "/sales/dt=1/part-%05d", 12, 6 * block);
    write(TEXT + "/sales/dt=2/part-%05d", 12, 6 * block);
    write(TEXT + "/history/part-%05d", 30, 3 * block);
    loads.add(
        new Load(
            "mapreduce",
            TEXT,
            time -> hadoopProgram.run("hive", "TableScans.java", mapReduceInputs())));
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

  private void spark() throws IOException, InterruptedException, UnresolvedHadoopException {
    List<Path> jars = jars("spark-programs");
    RealProgram spark = program("spark", jars);
    spark.run("etl", "SqlQueries.java", "write", PARQUET);
    loads.add(
        new Load("spark", PARQUET, time -> spark.run("etl", "SqlQueries.java", "read", PARQUET)));
    training(program("ml", jars));
    List<Path> hiveJars = jars("hive-programs");
    spark.run("etl", "SqlQueries.java", "write", HIVE);
    RealProgram hive = program("hive", hiveJars);
    hive.run("hive", "HiveQueries.java", "create", HIVE);
    loads.add(new Load("hive", HIVE, time -> hive.run("hive", "HiveQueries.java", "read", HIVE)));
  }

  /** Data sets of the first of which learn more epochs than of the others. */
  private void training(RealProgram spark) throws IOException {
    List<String> arguments = new ArrayList<>();
    for (int set = 0; set < TRAINING_SETS; set++) {
      for (int file = 0; file < TRAINING_FILES; file++) {
        write("/train/set-%d/part-%05d".formatted(set, file), points(block * (1 + set % 2)));
      }
      arguments.add("/train/set-%d=%d".formatted(set, 1 + 8 / (set + 1) / (set + 1)));
    }
    loads.add(
        new Load(
            "ml",
            "/train",
            time -> spark.run("ml", "TrainingEpochs.java", arguments.toArray(String[]::new))));
  }

  /** In LIBSVM's format, as many as fit. */
  private byte[] points(int length) {
    StringBuilder lines = new StringBuilder(length);
    while (true) {
      StringBuilder line = new StringBuilder();
      line.append(random.nextInt(2));
      for (int feature = 1; feature <= FEATURES; feature++) {
        line.append(String.format(Locale.ROOT, " %d:%.6f", feature, random.nextDouble()));
      }
      line.append('\n');
      if (lines.length() + line.length() > length) {
        return lines.toString().getBytes(StandardCharsets.US_ASCII);
      }
      lines.append(line);
    }
  }

  private void hbase() throws IOException, InterruptedException, UnresolvedHadoopException {
    RealProgram hbase = program("hbase", jars("hbase-programs"));
    hbase.run("hbase", "HBaseReads.java", "write");
    loads.add(
        new Load("hbase", "/hbase/data", time -> hbase.run("hbase", "HBaseReads.java", "read")));
  }

  // --- Copies ---

  /** DistCp copies everything to two sites; a client copies everything once. */
  private void copies(List<Path> jars) throws IOException {
    RealProgram distcp = program("distcp", jars);
    loads.add(
        new Load(
            "distcp",
            "/warehouse",
            time -> {
              for (String site : List.of("east", "west")) {
                distcp.run(
                    "ops",
                    "org.apache.hadoop.tools.DistCp",
                    "-Ddfs.replication=1",
                    "-m",
                    "4",
                    "/warehouse",
                    "/copy/" + site + time);
              }
            }));
    RealProgram backup = program("backup", jars);
    loads.add(
        new Load(
            "backup",
            "/warehouse",
            time ->
                backup.run("backup", SHELL, "-get", "/warehouse", directory + "/backup" + time)));
  }

  // --- Users and services ---

  private void httpFs() throws IOException, UnresolvedHadoopException {
    gateway = HttpFs.start(directory.resolve("httpfs"), cluster.uri(), kept());
    write("/served/small-%02d", SERVED_FILES * 2 / 3, block / 2);
    write("/served/large-%02d", SERVED_FILES / 3, 3 * block);
    loads.add(
        new Load("httpfs", "/served", time -> readThroughGateway(new SplittableRandom(time))));
  }

  /** Users take turns; which file each reads next is drawn by Zipf's law. */
  private void readThroughGateway(SplittableRandom drawn) throws IOException {
    for (int read = 0; read < READS_BY_USER; read++) {
      for (int user = 0; user < USERS; user++) {
        int file = (int) Math.pow(SERVED_FILES + 1, drawn.nextDouble()) - 1;
        gateway.read(
            "user" + user,
            file % 3 == 2
                ? "/served/large-%02d".formatted(file / 3)
                : "/served/small-%02d".formatted(file / 3 * 2 + file % 3));
      }
    }
  }

  private void shell(RealProgram shell) throws IOException {
    write("/user/file-%02d", 40, block / 2);
    write("/user/large-%02d", 4, 25 * block);
    List<String> cat = new ArrayList<>(List.of("-cat"));
    for (int file = 0; file < 40; file++) {
      for (int time = 0; time < 1 + 40 / (file + 1); time++) {
        cat.add("/user/file-%02d".formatted(file));
      }
    }
    loads.add(
        new Load(
            "shell",
            "/user",
            time -> {
              shell.run("alice", SHELL, cat.toArray(String[]::new));
              shell.run("bob", SHELL, "-cat", "/user/large-00", "/user/large-00", "/user/large-01");
              shell.run("carol", SHELL, "-head", "/user/large-02");
              shell.run("carol", SHELL, "-tail", "/user/large-03");
            }));
  }

  /** Four logs that grow, followed by two, one and no readers, and logs of the day before. */
  private void logs(List<Path> jars) throws IOException {
    write("/logs/current-%d.log", 4, 2 * block);
    write("/logs/old-%d.log", 8, 2 * block);
    RealProgram appender = program("appender", jars);
    List<RealProgram> followers = new ArrayList<>();
    for (String follower : List.of("tail-0", "tail-1", "tail-2")) {
      followers.add(program(follower, jars));
    }
    Path more = Files.write(directory.resolve("more"), new byte[50_000]);
    loads.add(new Load("log", "/logs", time -> follow(appender, followers, more)));
  }

  private void follow(RealProgram appender, List<RealProgram> followers, Path more)
      throws IOException, InterruptedException {
    List<Process> started = new ArrayList<>();
    try {
      for (RealProgram follower : followers) {
        String log = "/logs/current-%d.log".formatted(started.size() / 2);
        started.add(follower.start("ops" + started.size(), SHELL, "-tail", "-f", log));
      }
      long end = runtime.nanos().getAsLong() + FOLLOWED.toNanos();
      while (runtime.nanos().getAsLong() < end) {
        for (int log = 0; log < 3; log++) {
          appender.run(
              "service",
              SHELL,
              "-appendToFile",
              more.toString(),
              "/logs/current-%d.log".formatted(log));
        }
      }
      appender.run("ops", SHELL, "-cat", "/logs/old-0.log");
    } finally {
      started.forEach(Reaper::kill);
    }
  }

  @Override
  public void close() {
    if (gateway != null) {
      gateway.close();
    }
  }
}
