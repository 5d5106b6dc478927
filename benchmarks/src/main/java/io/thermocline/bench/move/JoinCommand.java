// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.move;

import io.thermocline.bench.FlatJson;
import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.act.ActLimits;
import io.thermocline.tiering.act.DirectedMoves;
import io.thermocline.tiering.act.OperationBudget;
import io.thermocline.tiering.act.Pacing;
import io.thermocline.tiering.act.PlanExecutor;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.cluster.HdfsReader;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.config.ServiceConfigFile;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.Budget;
import io.thermocline.tiering.plan.NewNodes;
import io.thermocline.tiering.plan.NumberLines;
import io.thermocline.tiering.plan.Plan;
import io.thermocline.tiering.plan.Planner;
import io.thermocline.tiering.process.ServiceRuntime;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.DoubleStream;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A DataNode joins: what {@code decide.fillNewNodes} moves to it, beside Hadoop's Balancer and the least. */
@Command(
    name = "join",
    description =
        "An empty DataNode joins eight full to 60 %%: the bytes that the service moves to it"
            + " (decide.fillNewNodes: on), beside Hadoop's Balancer with a threshold of 10 and of 1, and the least"
            + " that makes all as full.",
    mixinStandardHelpOptions = true)
public final class JoinCommand implements Callable<Integer> {
  private static final int NODES = 8;
  private static final int RACKS = 4;
  private static final int REPLICAS = 3;
  private static final double FILLED = 0.6;
  private static final int[] THRESHOLDS = {10, 1};
  private static final int MOST_PLANS = 100;
  private static final int METRICS_SOURCE_EXISTS = 255;

  @Option(
      names = "--files",
      paramLabel = "N",
      description = "Of one block each (default: ${DEFAULT-VALUE}).")
  private int files = 800;

  private final ServiceRuntime runtime = ServiceRuntime.system();
  private final Map<String, Object> report = new TreeMap<>();

  @FunctionalInterface
  private interface Way {
    /** Fills the node that joined, and returns when it is. */
    void fill(MiniDFSCluster cluster, NumberLines before) throws Exception;
  }

  @Override
  public Integer call() throws Exception {
    run("ours", this::byService);
    for (int threshold : THRESHOLDS) {
      run("balancer_" + threshold, (cluster, before) -> byBalancer(cluster, threshold));
    }
    report.put("bytes_least", 1L * REPLICAS * files * MoveCluster.FILE_BYTES / (NODES + 1));
    report.put("benchmark", "join");
    report.put("files", files);
    System.out.println(FlatJson.of(report));
    return 0;
  }

  private void run(String name, Way way) throws Exception {
    Path directory = Files.createTempDirectory("thermocline-join");
    long capacity = (long) (1L * REPLICAS * files * MoveCluster.FILE_BYTES / NODES / FILLED);
    Configuration conf = configuration();
    try (MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf, directory.toFile())
            .numDataNodes(NODES)
            .storagesPerDatanode(1)
            .racks(racks(NODES))
            .storageCapacities(capacities(NODES, capacity))
            .build()) {
      cluster.waitActive();
      MoveCluster.write(cluster.getFileSystem(), "/joined", files);
      cluster.triggerHeartbeats();
      NumberLines before =
          NumberLines.empty()
              .update(new HdfsReader(cluster.getFileSystem().getClient()).cluster(), Map.of());
      cluster.startDataNodes(
          conf,
          1,
          null,
          true,
          null,
          racks(1),
          null,
          new long[][] {{capacity}},
          null,
          false,
          false,
          false,
          null,
          null,
          null);
      cluster.waitActive();
      cluster.triggerHeartbeats();
      Set<String> replicas = replicas(cluster);
      while (replicas.size() < REPLICAS * files) {
        // A client is done when one replica is reported.
        settle(cluster);
        replicas = replicas(cluster);
      }
      long start = runtime.nanos().getAsLong();
      way.fill(cluster, before);
      double seconds = (runtime.nanos().getAsLong() - start) / 1e9;
      settle(cluster);
      Set<String> moved = replicas(cluster);
      moved.removeAll(replicas);
      report.put("bytes_" + name, (long) moved.size() * MoveCluster.FILE_BYTES);
      report.put("seconds_" + name, Math.round(10 * seconds) / 10.0);
      double[] fullness = fullness(cluster);
      double mean = Arrays.stream(fullness).average().orElseThrow();
      report.put("fullness_new_pct_" + name, percent(fullness[NODES]));
      report.put(
          "furthest_from_average_pct_" + name,
          percent(
              DoubleStream.of(fullness).map(each -> Math.abs(each - mean)).max().orElseThrow()));
      System.out.printf(
          Locale.ROOT,
          "%s: %d bytes moved in %.1f s, the new DataNode is %.1f %% full, all %.1f %%%n",
          name,
          (Long) report.get("bytes_" + name),
          seconds,
          100 * fullness[NODES],
          100 * mean);
    } finally {
      FileUtils.deleteDirectory(directory.toFile());
    }
  }

  private static Configuration configuration() {
    Configuration conf = new HdfsConfiguration();
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, MoveCluster.BLOCK_BYTES);
    conf.setLong(DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY, 1);
    conf.setInt(DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY, 1);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_KEY, 1);
    conf.setLong(DFSConfigKeys.DFS_DATANODE_DU_RESERVED_KEY, 0);
    return conf;
  }

  private static String[] racks(int nodes) {
    String[] racks = new String[nodes];
    Arrays.setAll(racks, i -> "/rack" + i % RACKS);
    return racks;
  }

  private static long[][] capacities(int nodes, long capacity) {
    long[][] capacities = new long[nodes][];
    Arrays.setAll(capacities, i -> new long[] {capacity});
    return capacities;
  }

  /** Plan after plan, as the service makes them with its defaults, until there is nothing to move. */
  private void byService(MiniDFSCluster cluster, NumberLines before) throws Exception {
    DistributedFileSystem hdfs = cluster.getFileSystem();
    HdfsReader reader = new HdfsReader(hdfs.getClient());
    ServiceConfig config = ServiceConfigFile.defaults();
    ActLimits limits = config.act().limits();
    Pacing pacing = config.act().pacing();
    ExecutorService copiers = Executors.newFixedThreadPool(limits.copies() + 2);
    NumberLines lines = before;
    try (DirectedMoves moves =
        new DirectedMoves(
            hdfs.getUri(),
            DirectedRun.MUTEX,
            hdfs.getConf(),
            new OperationBudget(pacing.operations(), runtime.nanos(), runtime.pause()))) {
      for (int number = 1; number <= MOST_PLANS; number++) {
        ClusterView view = reader.cluster();
        lines = lines.update(view, Map.of());
        Plan plan = plan(number, reader, view, lines, config.decide().budget());
        if (plan.isEmpty()) {
          return;
        }
        Copies copies = new Copies(plan.moves().size(), runtime.nanos());
        ReaderWatch watch = new ReaderWatch(hdfs, Double.POSITIVE_INFINITY, runtime);
        PlanExecutor executor =
            new PlanExecutor(
                moves,
                limits,
                pacing,
                new PlanExecutor.Machinery(
                    copiers, runtime.nanos(), runtime.pause(), watch.control()),
                (path, policy) -> {});
        watch.start();
        watch.over(executor);
        executor.execute(plan, copies);
        copies.awaitVerified();
        watch.stop();
        settle(cluster);
      }
      throw new IOException("after " + MOST_PLANS + " plans there is still something to move");
    } finally {
      copiers.shutdownNow();
    }
  }

  private static Plan plan(
      int number, HdfsReader reader, ClusterView view, NumberLines lines, Budget budget)
      throws IOException {
    NewNodes newNodes = NewNodes.of(view, lines);
    List<Decision> decisions = new ArrayList<>();
    reader.pass(
        List.of("/joined"),
        path -> false,
        (FileView file) -> {
          if (newNodes.concerns(file)) {
            newNodes.decision(new HotFile(file, 0)).ifPresent(decisions::add);
          }
        });
    return new Planner(budget).plan(number, decisions, view, lines);
  }

  private static void byBalancer(MiniDFSCluster cluster, int threshold) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of("-Xmx512m", "-cp", System.getProperty("java.class.path")));
    command.add("org.apache.hadoop.hdfs.server.balancer.Balancer");
    command.addAll(List.of("-D", "fs.defaultFS=" + cluster.getURI()));
    // It passes over smaller blocks otherwise.
    command.addAll(List.of("-D", "dfs.balancer.getBlocks.min-block-size=1"));
    // The file that it holds is of one block, and DataNodes are small here.
    command.addAll(List.of("-D", DFSConfigKeys.DFS_BLOCK_SIZE_KEY + "=" + MoveCluster.BLOCK_BYTES));
    command.addAll(List.of("-D", DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY + "=1"));
    command.addAll(
        List.of("-D", DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_KEY + "=1"));
    command.addAll(List.of("-threshold", Integer.toString(threshold)));
    // That of Hadoop 3.4.3 ends so at its second pass, and goes on when it is started again.
    int status = METRICS_SOURCE_EXISTS;
    for (int run = 0; run < MOST_PLANS && status == METRICS_SOURCE_EXISTS; run++) {
      status = new ProcessBuilder(command).inheritIO().start().waitFor();
    }
    if (status != 0) {
      throw new IOException("the Balancer ended with " + status);
    }
  }

  /** Until the NameNode has heard of what was copied and deleted. */
  private void settle(MiniDFSCluster cluster) throws Exception {
    runtime.pause().pause(Duration.ofSeconds(4));
    cluster.triggerHeartbeats();
    cluster.triggerDeletionReports();
    cluster.triggerHeartbeats();
  }

  /** Each replica as block and DataNode. */
  private static Set<String> replicas(MiniDFSCluster cluster) throws IOException {
    Set<String> replicas = new HashSet<>();
    new HdfsReader(cluster.getFileSystem().getClient())
        .pass(
            List.of("/joined"),
            path -> false,
            (FileView file) ->
                file.blocks()
                    .forEach(
                        block ->
                            block
                                .replicas()
                                .forEach(copy -> replicas.add(block.id() + " " + copy.node()))));
    return replicas;
  }

  private static double[] fullness(MiniDFSCluster cluster) throws IOException {
    List<DataNode> nodes = cluster.getDataNodes();
    ClusterView view = new HdfsReader(cluster.getFileSystem().getClient()).cluster();
    return nodes.stream()
        .map(node -> view.nodes().get(node.getDatanodeUuid()).storages(StorageType.DISK).get(0))
        .mapToDouble(storage -> (double) storage.used() / storage.capacity())
        .toArray();
  }

  private static double percent(double part) {
    return Math.round(1000 * part) / 10.0;
  }
}
