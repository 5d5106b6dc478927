// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import io.thermocline.hints.fs.HintingFileSystem;
import io.thermocline.placement.model.StorageType;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.PacedDeviceFactory;

/**
 * HDFS, YARN and Spark on {@link SwitchedHosts}: each host has a DataNode with paced devices, a NodeManager and a Spark
 * worker, so that jobs run where their data are. The masters are on this host. For one thread.
 */
public final class JobCluster implements AutoCloseable {

  private static final Duration START = Duration.ofMinutes(5);
  private static final Duration JOB = Duration.ofMinutes(15);
  private static final String NAME_NODE = "namenode";
  private static final String DATA_NODE = "datanode-";
  private static final String SPARK_URL = "spark://" + SwitchedHosts.MASTER + ":7077";

  /** The job of each framework. */
  private static final Map<String, String> MAIN =
      Map.of("hadoop", "ScanMapReduce", "spark", "ScanSpark");

  private static final int TASK_MEGABYTES = 1024;
  private static final int MASTER_MEGABYTES = 256;
  private static final List<String> SMALL =
      List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto");

  /**
   * What it is made of.
   *
   * @param disks of each host, next to one SSD
   * @param tasks that each host runs at the same time
   * @param blockSize of its files
   * @param frameworks that it has
   */
  public record Shape(int disks, int tasks, long blockSize, Set<Framework> frameworks) {}

  /** What runs jobs. */
  public enum Framework {
    MAPREDUCE,
    SPARK
  }

  /**
   * How it runs.
   *
   * @param read bytes that a device of a type delivers in a second
   * @param site settings of the NameNode and of all clients
   */
  public record Mode(Map<StorageType, Long> read, Map<String, String> site) {
    public Mode {
      read = Map.copyOf(read);
      site = Map.copyOf(site);
    }
  }

  private final SwitchedHosts hosts;
  private final Shape shape;
  private final Path directory;
  private final List<String> own;
  private final Map<String, Jvm> servers = new HashMap<>();
  private Mode mode;
  private DistributedFileSystem client;
  private int jobs;

  private JobCluster(SwitchedHosts hosts, Shape shape, Path directory) {
    this.hosts = hosts;
    this.shape = shape;
    this.directory = directory;
    this.own =
        Stream.of(JobCluster.class, HintingFileSystem.class, StorageType.class)
            .map(ProcessCluster::codeOf)
            .toList();
  }

  /**
   * A cluster that runs, all DataNodes, NodeManagers and workers known to their masters.
   *
   * @param jars kept directory of what Maven says
   * @throws UnresolvedHadoopException if Maven can't get the jars
   */
  public static JobCluster start(
      SwitchedHosts hosts, Shape shape, Mode mode, Path jars, Path directory)
      throws IOException, UnresolvedHadoopException {
    JobCluster cluster = new JobCluster(hosts, shape, directory);
    cluster.mode = mode;
    cluster.libraries(jars);
    try {
      cluster.sites();
      cluster
          .run(
              NAME_NODE + "-format",
              "hadoop",
              "org.apache.hadoop.hdfs.server.namenode.NameNode",
              "-format",
              "-nonInteractive")
          .succeeded();
      cluster.onMaster(NAME_NODE, "hadoop", "org.apache.hadoop.hdfs.server.namenode.NameNode");
      cluster.startDataNodes();
      cluster.awaitHdfs();
      if (shape.frameworks().contains(Framework.MAPREDUCE)) {
        cluster.startYarn();
      }
      if (shape.frameworks().contains(Framework.SPARK)) {
        cluster.startSpark();
      }
      return cluster;
    } catch (IOException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private void libraries(Path kept) throws IOException, UnresolvedHadoopException {
    for (Map.Entry<String, String> each :
        Map.of("hadoop", "mapreduce-on-yarn", "spark", "spark-standalone").entrySet()) {
      List<Path> jars =
          PublishedJars.resolve(
              JobCluster.class.getResource(each.getValue() + ".xml"),
              each.getValue(),
              "3.4.3",
              kept);
      // Class paths of containers are short, and Spark looks for a directory.
      Path library = Files.createDirectories(library(each.getKey()));
      for (Path jar : jars) {
        Files.createSymbolicLink(library.resolve(jar.getFileName()), jar);
      }
      compile(each.getKey(), jars);
    }
  }

  private Path library(String framework) {
    return directory.resolve(framework).resolve("jars");
  }

  private Path classes(String framework) {
    return directory.resolve(framework).resolve("classes");
  }

  /** The jobs, which are for libraries that are no dependency of ours. */
  private void compile(String framework, List<Path> jars) throws IOException {
    Path sources = Files.createDirectories(directory.resolve(framework).resolve("sources"));
    List<String> line =
        new ArrayList<>(
            List.of(
                "-proc:none",
                "-nowarn",
                "-d",
                Files.createDirectories(classes(framework)).toString(),
                "-cp",
                jars.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator))));
    for (String name : List.of("ScannedBlocks", MAIN.get(framework))) {
      Path source = sources.resolve(name + ".java");
      try (var in = JobCluster.class.getResourceAsStream(name + ".java")) {
        Files.copy(in, source);
      }
      line.add(source.toString());
    }
    if (ToolProvider.getSystemJavaCompiler().run(null, null, null, line.toArray(String[]::new))
        != 0) {
      throw new IOException("The jobs can't be compiled");
    }
  }

  // --- configuration ---

  private void sites() throws IOException {
    Map<String, String> all = new HashMap<>();
    String master = hosts.address(SwitchedHosts.MASTER);
    all.put("fs.defaultFS", "hdfs://" + master + ":8020");
    all.put("hadoop.tmp.dir", directory.resolve("tmp").toString());
    // Of packets that a DataNode sends from a paced device.
    all.put("io.file.buffer.size", "131072");
    all.put("dfs.namenode.name.dir", directory.resolve("name").toUri().toString());
    all.put("dfs.namenode.http-address", master + ":9870");
    all.put("dfs.namenode.datanode.registration.ip-hostname-check", "false");
    all.put("dfs.namenode.safemode.extension", "0");
    // Who writes, and who waits for the end of safe mode, waits for all replicas.
    all.put("dfs.namenode.replication.min", "3");
    all.put("dfs.permissions.enabled", "false");
    all.put("dfs.blocksize", Long.toString(shape.blockSize()));
    all.put("dfs.datanode.fsdataset.factory", PacedDeviceFactory.class.getName());
    all.put("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", "20");
    mode.read.forEach(
        (type, bytes) -> all.put(PacedDeviceFactory.READ_KEY_PREFIX + type, bytes.toString()));
    all.putAll(mode.site);
    Map<String, String> yarn = yarn(master);
    write(conf(NAME_NODE), all, yarn);
    for (int i = 0; i < hosts.size(); i++) {
      String name = SwitchedHosts.name(i);
      String address = hosts.address(name);
      Map<String, String> dataNode = new HashMap<>(all);
      dataNode.put("dfs.datanode.hostname", name);
      dataNode.put("dfs.datanode.address", address + ":9866");
      dataNode.put("dfs.datanode.http.address", address + ":9864");
      dataNode.put("dfs.datanode.ipc.address", address + ":9867");
      dataNode.put("dfs.datanode.data.dir", storages(name));
      dataNode.put("hadoop.tmp.dir", directory.resolve("tmp").resolve(name).toString());
      Map<String, String> nodeManager = new HashMap<>(yarn);
      nodeManager.put("yarn.nodemanager.hostname", name);
      nodeManager.put("yarn.nodemanager.local-dirs", directory.resolve("local/" + name).toString());
      nodeManager.put("yarn.nodemanager.log-dirs", directory.resolve("logs/" + name).toString());
      write(conf(name), dataNode, nodeManager);
    }
  }

  private String storages(String name) {
    Path data = directory.resolve("data").resolve(name);
    return IntStream.range(0, shape.disks())
            .mapToObj(i -> "[DISK]" + data.resolve("disk" + i) + ",")
            .collect(Collectors.joining())
        + "[SSD]"
        + data.resolve("ssd");
  }

  private Map<String, String> yarn(String master) {
    String flags = String.join(" ", SMALL) + " -XX:-UsePerfData " + hosts.flag();
    String classPath =
        Stream.concat(
                Stream.of(conf(NAME_NODE), classes("hadoop"), library("hadoop") + "/*"),
                own.stream())
            .map(Object::toString)
            .collect(Collectors.joining(","));
    Map<String, String> all = new HashMap<>();
    all.put("yarn.resourcemanager.hostname", master);
    all.put("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", "200");
    all.put("yarn.scheduler.minimum-allocation-mb", Integer.toString(MASTER_MEGABYTES));
    all.put(
        "yarn.nodemanager.resource.memory-mb",
        Integer.toString(shape.tasks() * TASK_MEGABYTES + MASTER_MEGABYTES));
    all.put("yarn.nodemanager.address", "${yarn.nodemanager.hostname}:8041");
    all.put("yarn.nodemanager.aux-services", "mapreduce_shuffle");
    all.put("yarn.nodemanager.pmem-check-enabled", "false");
    all.put("yarn.nodemanager.vmem-check-enabled", "false");
    all.put("yarn.application.classpath", classPath);
    // As Hadoop ships it in capacity-scheduler.xml.
    all.put("yarn.scheduler.capacity.root.queues", "default");
    all.put("yarn.scheduler.capacity.root.default.capacity", "100");
    all.put("yarn.scheduler.capacity.node-locality-delay", "40");
    all.put("yarn.scheduler.capacity.maximum-am-resource-percent", "1");
    all.put("mapreduce.framework.name", "yarn");
    all.put("mapreduce.application.classpath", classPath);
    all.put("mapreduce.map.memory.mb", Integer.toString(TASK_MEGABYTES));
    all.put("mapreduce.map.java.opts", "-Xmx128m " + flags);
    all.put("mapreduce.map.speculative", "false");
    all.put("yarn.app.mapreduce.am.resource.mb", Integer.toString(MASTER_MEGABYTES));
    all.put("yarn.app.mapreduce.am.command-opts", "-Xmx192m " + flags);
    all.put("yarn.app.mapreduce.am.staging-dir", "/tmp/staging");
    all.put("mapreduce.client.submit.file.replication", "3");
    return all;
  }

  private static void write(Path conf, Map<String, String> hdfs, Map<String, String> yarn)
      throws IOException {
    Site.of(hdfs).write(conf);
    Site site = Site.of(yarn);
    Files.writeString(
        conf.resolve("capacity-scheduler.xml"),
        site.xml(key -> key.startsWith("yarn.scheduler.capacity.")));
    Files.writeString(
        conf.resolve("yarn-site.xml"),
        site.xml(key -> key.startsWith("yarn.") && !key.startsWith("yarn.app.")));
    Files.writeString(
        conf.resolve("mapred-site.xml"),
        site.xml(key -> key.startsWith("mapreduce.") || key.startsWith("yarn.app.")));
  }

  private Path conf(String server) {
    return directory.resolve("conf").resolve(server);
  }

  // --- servers ---

  /** From now on it runs this way; returns when all DataNodes serve. */
  public void use(Mode next) throws IOException {
    if (next.equals(mode)) {
      return;
    }
    boolean sameDevices = next.read.equals(mode.read);
    mode = next;
    client.close();
    kill(NAME_NODE);
    sites();
    onMaster(NAME_NODE, "hadoop", "org.apache.hadoop.hdfs.server.namenode.NameNode");
    if (!sameDevices) {
      for (int i = 0; i < hosts.size(); i++) {
        kill(DATA_NODE + SwitchedHosts.name(i));
      }
      startDataNodes();
    }
    awaitHdfs();
  }

  private void kill(String server) {
    servers.remove(server).kill();
  }

  private void startDataNodes() throws IOException {
    for (int i = 0; i < hosts.size(); i++) {
      startOn(i, DATA_NODE, "hadoop", "org.apache.hadoop.hdfs.server.datanode.DataNode");
    }
  }

  private void awaitHdfs() throws IOException {
    Deadline.await(
        START,
        "HDFS serves",
        () -> {
          try {
            if (client == null || !isOpen()) {
              client = connect();
            }
            return client.getDataNodeStats(DatanodeReportType.LIVE).length == hosts.size()
                && !client.isInSafeMode();
          } catch (IOException e) {
            return false;
          }
        },
        servers.get(NAME_NODE)::tail);
  }

  private boolean isOpen() {
    try {
      client.getDataNodeStats(DatanodeReportType.LIVE);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private DistributedFileSystem connect() throws IOException {
    Configuration conf = new Configuration(false);
    conf.addResource(
        new org.apache.hadoop.fs.Path(conf(NAME_NODE).resolve("core-site.xml").toUri()));
    conf.addResource(
        new org.apache.hadoop.fs.Path(conf(NAME_NODE).resolve("hdfs-site.xml").toUri()));
    conf.set("fs.hdfs.impl", DistributedFileSystem.class.getName());
    return (DistributedFileSystem)
        FileSystem.newInstance(URI.create(conf.get("fs.defaultFS")), conf);
  }

  private void startYarn() throws IOException {
    Jvm manager =
        onMaster(
            "resourcemanager",
            "hadoop",
            "org.apache.hadoop.yarn.server.resourcemanager.ResourceManager");
    for (int i = 0; i < hosts.size(); i++) {
      startOn(i, "nodemanager-", "hadoop", "org.apache.hadoop.yarn.server.nodemanager.NodeManager");
    }
    awaitWeb(":8088/ws/v1/cluster/metrics", "\"activeNodes\":" + hosts.size() + ",", manager);
  }

  private void startSpark() throws IOException {
    Jvm master =
        onMaster(
            "sparkmaster",
            "spark",
            "org.apache.spark.deploy.master.Master",
            "--host",
            SwitchedHosts.MASTER,
            "--port",
            "7077",
            "--webui-port",
            "8089");
    for (int i = 0; i < hosts.size(); i++) {
      startOn(
          i,
          "worker-",
          "spark",
          "org.apache.spark.deploy.worker.Worker",
          "--host",
          SwitchedHosts.name(i),
          "--webui-port",
          "8043",
          "--cores",
          Integer.toString(shape.tasks()),
          "--memory",
          "1g",
          "--work-dir",
          directory.resolve("work/" + SwitchedHosts.name(i)).toString(),
          SPARK_URL);
    }
    awaitWeb(":8089/json/", "\"aliveworkers\":" + hosts.size() + ",", master);
  }

  private void awaitWeb(String page, String shown, Jvm server) throws IOException {
    String address = "http://" + hosts.address(SwitchedHosts.MASTER) + page;
    Deadline.await(
        START,
        shown + " at " + address,
        () -> {
          try (var in = URI.create(address).toURL().openStream()) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return text.replaceAll("\\s", "").contains(shown);
          } catch (IOException e) {
            return false;
          }
        },
        server::tail);
  }

  private Jvm onMaster(String name, String framework, String main, String... arguments)
      throws IOException {
    Jvm jvm =
        Jvm.start(
            name, command(NAME_NODE, framework, List.of("-Xmx384m"), main, arguments), log(name));
    servers.put(name, jvm);
    return jvm;
  }

  private void startOn(int host, String server, String framework, String main, String... arguments)
      throws IOException {
    String node = SwitchedHosts.name(host);
    List<String> prefix =
        new ArrayList<>(
            List.of(
                "env",
                "SPARK_HOME=" + directory.resolve("spark"),
                "SPARK_SCALA_VERSION=2.13",
                "JAVA_HOME=" + System.getProperty("java.home")));
    prefix.addAll(hosts.prefix(host));
    String name = server + node;
    servers.put(
        name,
        Jvm.start(
            name,
            prefix,
            command(node, framework, List.of("-Xmx256m"), main, arguments),
            log(name)));
  }

  private Jvm.Command command(
      String conf, String framework, List<String> flags, String main, String... arguments) {
    List<String> all = new ArrayList<>(flags);
    all.add(hosts.flag());
    // Its files are named by process ids, which repeat on each host.
    all.add("-XX:-UsePerfData");
    all.addAll(PublishedJars.MODULE_FLAGS);
    String classPath =
        Stream.concat(
                Stream.of(conf(conf), classes(framework), library(framework) + "/*"), own.stream())
            .map(Object::toString)
            .collect(Collectors.joining(File.pathSeparator));
    return new Jvm.Command(classPath, all, main, List.of(arguments));
  }

  private Path log(String name) throws IOException {
    return Files.createDirectories(directory.resolve("logs")).resolve(name + ".log");
  }

  // --- what is done with it ---

  /** The superuser's client, which orders nothing. Don't close it. */
  public DistributedFileSystem client() {
    return client;
  }

  /** Where a host's DataNode serves, as favored nodes are named. */
  public InetSocketAddress dataNode(int host) {
    return new InetSocketAddress(hosts.address(SwitchedHosts.name(host)), 9866);
  }

  /** What it calls a host. */
  public static String host(int number) {
    return SwitchedHosts.name(number);
  }

  /** Reads all files below a directory by a job, a task a block. */
  public List<Scan> scan(Framework framework, String files) throws IOException {
    return framework == Framework.SPARK ? spark(files) : mapReduce(files);
  }

  private List<Scan> mapReduce(String files) throws IOException {
    jobs++;
    return scans("hadoop", files, "/out/" + jobs);
  }

  private List<Scan> spark(String files) throws IOException {
    String extra =
        Stream.concat(Stream.of(conf(NAME_NODE), classes("spark")), own.stream())
            .map(Object::toString)
            .collect(Collectors.joining(File.pathSeparator));
    return scans(
        "spark",
        files,
        SPARK_URL,
        SwitchedHosts.MASTER,
        extra,
        hosts.flag(),
        Integer.toString(shape.tasks()),
        Integer.toString(shape.tasks() * hosts.size()));
  }

  private List<Scan> scans(String framework, String... arguments) throws IOException {
    Path result = directory.resolve("result");
    Files.deleteIfExists(result);
    List<String> all = new ArrayList<>(List.of(result.toString()));
    all.addAll(List.of(arguments));
    run("job-" + framework, framework, MAIN.get(framework), all.toArray(String[]::new)).succeeded();
    return Files.readAllLines(result).stream().map(Scan::of).toList();
  }

  private ToolRun run(String name, String framework, String main, String... arguments)
      throws IOException {
    Jvm jvm =
        Jvm.start(
            name, command(NAME_NODE, framework, List.of("-Xmx640m"), main, arguments), log(name));
    ToolRun ran = new ToolRun(jvm.await(JOB), jvm.output());
    if (ran.status() != 0) {
      System.err.println(ran.output());
    }
    return ran;
  }

  /**
   * A task that read a block.
   *
   * @param host where it ran
   * @param from the DataNode's host
   * @param startMillis in the time of this host, as all hosts are
   */
  public record Scan(
      String path, String host, String from, long startMillis, long endMillis, long bytes) {
    static Scan of(String line) {
      String[] cells = line.split("\t");
      return new Scan(
          cells[0],
          cells[1],
          cells[2],
          Long.parseLong(cells[3]),
          Long.parseLong(cells[4]),
          Long.parseLong(cells[5]));
    }
  }

  /** Ends all processes and deletes the directory; the hosts stay. */
  @Override
  public void close() throws IOException {
    if (client != null) {
      client.close();
    }
    servers.values().forEach(Jvm::kill);
    FileUtil.fullyDelete(directory.toFile());
  }
}
