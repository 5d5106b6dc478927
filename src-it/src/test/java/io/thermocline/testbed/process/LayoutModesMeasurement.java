// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import io.thermocline.placement.hdfs.ThermoclinePlacementPolicy;
import io.thermocline.placement.model.StorageType;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Measures what becomes of replicas that lie outside the file's storage policy: by the NameNode itself,
 * Balancer, Mover, Storage Policy Satisfier, the death of a node, and a replication factor that goes
 * down and up. The files are written under the layout mode that is measured. Not one of the tests, because
 * it asserts nothing but that it could measure:
 *
 * <pre>
 * mvn -pl src-it -am test -Dtest=LayoutModesMeasurement -Dsurefire.failIfNoSpecifiedTests=false
 * </pre>
 *
 * prints the table of docs/evidence/move.md, of Hadoop 3.4.3 or {@code -Dhadoop.line}, for each layout mode.
 */
@Tag("cluster")
class LayoutModesMeasurement {

  private static final long CAPACITY = 128 << 20;
  private static final String MOVER = "org.apache.hadoop.hdfs.server.mover.Mover";
  private static final String BALANCER = "org.apache.hadoop.hdfs.server.balancer.Balancer";
  private static final String SATISFIER =
      "org.apache.hadoop.hdfs.server.sps.ExternalStoragePolicySatisfier";
  private static final String ADMIN = "org.apache.hadoop.hdfs.tools.DFSAdmin";
  private static final String POLICY_KEY = "dfs.block.replicator.classname";
  private static final String OURS = ThermoclinePlacementPolicy.class.getName();
  private static final String STOCK =
      "org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault";
  private final Map<MeasuredLayout, Map<String, String>> table = new LinkedHashMap<>();
  private ProcessCluster cluster;
  private StoredFiles files;
  private LayoutFiles made;
  private List<MeasuredLayout> layouts;

  @ParameterizedTest
  @EnumSource
  void measure(MeasuredLayout.Mode mode) throws IOException, UnresolvedHadoopException {
    String version = System.getProperty("hadoop.line", "3.4.3");
    layouts = mode.layouts();
    ProcessCluster.Builder builder =
        ProcessCluster.builder(HadoopLine.resolve(version, TestLines.DIRECTORY))
            .plugin(ProcessCluster.codeOf(ThermoclinePlacementPolicy.class))
            .setting(POLICY_KEY, OURS)
            .setting(ThermoclinePlacementPolicy.LAYOUT_KEY, mode.setting())
            .setting("dfs.storage.policy.satisfier.work.multiplier.per.iteration", "100")
            .setting("dfs.storage.policy.satisfier.recheck.timeout.millis", "3000")
            .keepLogs(TestLines.logs("measure-" + mode))
            .capacity(CAPACITY);
    Assertions.assertTrue(builder.limitsCapacity(), "the capacities decide what is written");
    for (int i = 1; i <= 6; i++) {
      builder.node(new ProcessNode("dn" + i, "rack" + (i + 1) / 2, mode.storages()));
    }
    try (ProcessCluster started = builder.start()) {
      cluster = started;
      files = new StoredFiles(cluster);
      try (ReplicaMoves moves = new ReplicaMoves(cluster)) {
        made = new LayoutFiles(cluster, moves, layouts);
        Map<String, Part> parts = new LinkedHashMap<>();
        parts.put("namenode", this::byTheNameNode);
        parts.put("mover", this::byTheMover);
        parts.put("sps", this::bySatisfier);
        parts.put("stock", this::withoutThePlugin);
        parts.put("factor", this::byTheFactor);
        parts.put("balancer", () -> byTheBalancer(mode.storages()));
        parts.put("death", this::byDeath);
        for (Map.Entry<String, Part> part : parts.entrySet()) {
          if (isWanted(part.getKey())) {
            part.getValue().measure();
          }
        }
      }
    } finally {
      print();
    }
  }

  /** One of the things that may change layouts. */
  @FunctionalInterface
  private interface Part {
    void measure() throws IOException;
  }

  /** All parts, or those of the system property. */
  private static boolean isWanted(String part) {
    String parts = System.getProperty("measure.parts", part);
    return List.of(parts.split(",")).contains(part);
  }

  private void byTheNameNode() throws IOException {
    made.make("namenode");
    reportAllBlocks();
    pause(Duration.ofSeconds(10));
    count("namenode", "NameNode, 10 s and full block reports");
    files.delete("/namenode");
  }

  private void reportAllBlocks() throws IOException {
    for (DatanodeInfo node : cluster.client().getDataNodeStats(DatanodeReportType.LIVE)) {
      cluster.run(ADMIN, "-triggerBlockReport", node.getIpcAddr(false)).succeeded();
    }
  }

  private void byTheFactor() throws IOException {
    made.make("factor");
    factor(2);
    for (MeasuredLayout layout : layouts) {
      Map<String, Integer> left = new TreeMap<>();
      for (String path : LayoutFiles.paths("factor", layout)) {
        left.merge(files.types(path).get(0), 1, Integer::sum);
      }
      note(layout, "factor 3 to 2 leaves", left.toString());
    }
    factor(3);
    count("factor", "factor 3 to 2 to 3");
    files.delete("/factor");
  }

  private void factor(int replicas) throws IOException {
    for (MeasuredLayout layout : layouts) {
      for (String path : LayoutFiles.paths("factor", layout)) {
        cluster.client().setReplication(new Path(path), (short) replicas);
      }
    }
    for (MeasuredLayout layout : layouts) {
      for (String path : LayoutFiles.paths("factor", layout)) {
        files.awaitReplicas(path, replicas);
      }
    }
  }

  private void byTheMover() throws IOException {
    made.make("mover");
    List<Integer> statuses = new ArrayList<>();
    for (int run = 1; run <= 4 && !statuses.contains(0); run++) {
      statuses.add(cluster.run(MOVER, "-p", "/mover").status());
      pause(Duration.ofSeconds(3));
      count("mover", "Mover, after run " + run);
    }
    files.delete("/mover");
    System.out.println("exit statuses of Mover: " + statuses);
  }

  private void bySatisfier() throws IOException {
    made.make("sps");
    cluster.startServer("satisfier", SATISFIER);
    for (MeasuredLayout layout : layouts) {
      cluster.client().satisfyStoragePolicy(new Path("/sps/" + layout));
    }
    pause(Duration.ofSeconds(45));
    count("sps", "SPS, 45 s");
    cluster.kill("satisfier");
    files.delete("/sps");
  }

  private void byTheBalancer(List<StorageType> storages) throws IOException {
    made.make("balancer");
    Map<String, List<String>> before = places("balancer");
    cluster.join(new ProcessNode("dn7", "rack1", storages));
    ToolRun run = cluster.run(BALANCER, "-threshold", "1");
    pause(Duration.ofSeconds(3));
    Map<String, List<String>> after = places("balancer");
    long moved = before.keySet().stream().filter(p -> !before.get(p).equals(after.get(p))).count();
    System.out.printf(
        "Balancer: exit status %d, %d replicas moved in all, %d of its %d blocks%n",
        run.status(),
        run.output().lines().filter(line -> line.contains("Successfully moved")).count(),
        moved,
        before.size());
    count("balancer", "Balancer");
    files.delete("/balancer");
  }

  private void byDeath() throws IOException {
    // A node that was busy with the Balancer's moves a moment ago gets no replicas.
    pause(Duration.ofSeconds(5));
    made.make("death");
    for (MeasuredLayout layout : layouts) {
      Map<String, Integer> lost = new TreeMap<>();
      for (String path : LayoutFiles.paths("death", layout)) {
        files.replicas(path).get(0).stream()
            .filter(replica -> replica.getHostName().startsWith("dn3."))
            .forEach(replica -> lost.merge(replica.getStorageType().name(), 1, Integer::sum));
      }
      note(layout, "death takes", lost.toString());
    }
    cluster.kill("dn3");
    cluster.awaitDead("dn3");
    for (MeasuredLayout layout : layouts) {
      for (String path : LayoutFiles.paths("death", layout)) {
        files.awaitReplicasWithout("dn3", path, 3);
      }
    }
    count("death", "death of one node");
  }

  private void withoutThePlugin() throws IOException {
    made.make("stock");
    made.write("late");
    cluster.setInNameNode(POLICY_KEY, STOCK);
    reportAllBlocks();
    pause(Duration.ofSeconds(10));
    count("stock", "stock policy in the NameNode, 10 s and full block reports");
    made.shift("stock");
    // Not awaited: the NameNode may undo it at once.
    made.promote("late");
    pause(Duration.ofSeconds(10));
    count("stock", "stock policy, 10 s after a DISK replica moved");
    count("late", "stock policy, 10 s after the promotion");
    files.delete("/stock");
    files.delete("/late");
    cluster.setInNameNode(POLICY_KEY, OURS);
  }

  private Map<String, List<String>> places(String tool) throws IOException {
    Map<String, List<String>> places = new HashMap<>();
    for (MeasuredLayout layout : layouts) {
      for (String path : LayoutFiles.paths(tool, layout)) {
        places.put(
            path,
            files.replicas(path).get(0).stream()
                .map(DatanodeInfo::getDatanodeUuid)
                .sorted()
                .toList());
      }
    }
    return places;
  }

  // --- the table ---

  private void count(String tool, String column) throws IOException {
    for (MeasuredLayout layout : layouts) {
      int changed = 0;
      Map<String, Integer> became = new TreeMap<>();
      for (String path : LayoutFiles.paths(tool, layout)) {
        String types = files.types(path).get(0);
        if (!types.equals(layout.shown())) {
          changed++;
          became.merge(types, 1, Integer::sum);
        }
      }
      note(
          layout,
          column,
          changed + " of " + LayoutFiles.COUNT + (changed == 0 ? "" : " " + became));
    }
  }

  private void note(MeasuredLayout layout, String column, String text) {
    table.computeIfAbsent(layout, key -> new LinkedHashMap<>()).put(column, text);
    System.out.printf("%s | %s | %s%n", layout, column, text);
  }

  private void print() {
    Assertions.assertFalse(table.isEmpty(), "nothing was measured");
    table.forEach((layout, row) -> System.out.println(layout + " " + row));
  }

  private static void pause(Duration time) {
    LockSupport.parkNanos(time.toNanos());
  }
}
