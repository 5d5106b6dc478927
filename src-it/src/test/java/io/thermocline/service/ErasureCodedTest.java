// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.tiering.act.ActLimits;
import io.thermocline.tiering.act.DirectedMoves;
import io.thermocline.tiering.act.MoveState;
import io.thermocline.tiering.act.PlanExecutor;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.cluster.HdfsReader;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.TierDecider;
import io.thermocline.tiering.decide.TierLimits;
import io.thermocline.tiering.decide.Tiering;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.Budget;
import io.thermocline.tiering.plan.Move;
import io.thermocline.tiering.plan.NumberLines;
import io.thermocline.tiering.plan.Plan;
import io.thermocline.tiering.plan.Planner;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Erasure-coded files go up to SSD and down to ARCHIVE, internal block by internal block, on a real HDFS. */
@Tag("cluster")
class ErasureCodedTest {

  private static final int NODES = 7;
  private static final int CELL = 1 << 20;
  private static final int UNITS = 5;

  /** So many that some lie on the node without SSD. */
  private static final int MORE = 8;

  private static final String[] RACKS = {"/r0", "/r0", "/r1", "/r1", "/r2", "/r2", "/r2"};

  /** The last node has no SSD, so that what it holds must go elsewhere. */
  private static final org.apache.hadoop.fs.StorageType[][] TYPES =
      new org.apache.hadoop.fs.StorageType[NODES][];

  static {
    for (int i = 0; i < NODES; i++) {
      TYPES[i] =
          new org.apache.hadoop.fs.StorageType[] {
            org.apache.hadoop.fs.StorageType.DISK,
            org.apache.hadoop.fs.StorageType.ARCHIVE,
            i == NODES - 1
                ? org.apache.hadoop.fs.StorageType.ARCHIVE
                : org.apache.hadoop.fs.StorageType.SSD
          };
    }
  }

  /** Two groups of four cells a data block, and one that ends in the middle of its second cell. */
  private static final byte[] LONG = content(2 * 3 * 4 * CELL + CELL + CELL / 2);

  /** One cell at most, so that a group has one data block. */
  private static final byte[] SHORT = content(1000);

  @TempDir Path temp;

  private final List<Move> moved = new ArrayList<>();

  @Test
  void aHotOneGoesToSsdAndBackAndACoolOneToArchive() throws Exception {
    Configuration conf = new HdfsConfiguration();
    conf.setInt(DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY, 1);
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, 4L * CELL);
    try (MiniDFSCluster cluster =
            new MiniDFSCluster.Builder(conf, temp.toFile())
                .numDataNodes(NODES)
                .racks(RACKS)
                .storagesPerDatanode(TYPES[0].length)
                .storageTypes(TYPES)
                .build();
        DirectedMoves moves =
            new DirectedMoves(
                cluster.getURI(), new org.apache.hadoop.fs.Path("/thermocline.mutex"), conf)) {
      cluster.waitActive();
      DistributedFileSystem fs = cluster.getFileSystem();
      org.apache.hadoop.fs.Path directory = new org.apache.hadoop.fs.Path("/coded");
      fs.mkdirs(directory);
      fs.enableErasureCodingPolicy("RS-3-2-1024k");
      fs.setErasureCodingPolicy(directory, "RS-3-2-1024k");
      write(fs, "/coded/long", LONG);
      write(fs, "/coded/short", SHORT);
      for (int i = 0; i < MORE; i++) {
        write(fs, "/coded/more" + i, SHORT);
      }
      HdfsReader reader = new HdfsReader(fs.getClient());
      FileView seen = reader.file("/coded/long").orElseThrow();
      assertEquals(new FileView.Coding(3, 2), seen.coding());
      // Two full groups; of the last, two data blocks and as much parity as its first.
      assertEquals(2 * UNITS + 4, seen.blocks().size());
      assertEquals((2 * UNITS * 4 + 3) * (long) CELL + CELL / 2, seen.length());
      assertEquals(1 + 2, reader.file("/coded/short").orElseThrow().blocks().size());

      onThreeRacks(reader);
      Plan up = decide(reader, limits(0), 100);
      assertEquals(2 * UNITS + 4 + 3 * (1 + MORE), up.moves().size());
      carryOut(moves, up, "ALL_SSD");
      lieOn(reader, StorageType.SSD, fs);
      assertEquals(List.of(), decide(reader, limits(0), 100).moves(), "nothing is left to do");

      carryOut(moves, decide(reader, limits(2), 1), "HOT");
      lieOn(reader, StorageType.DISK, fs);

      carryOut(moves, archiving(reader), "COLD");
      lieOn(reader, StorageType.ARCHIVE, fs);
      assertTrue(moved.stream().anyMatch(ErasureCodedTest::changesNode), "none left its node");
    }
  }

  private static Map<StorageType, TierLimits> limits(double demoteBelow) {
    return Map.of(
        StorageType.SSD, new TierLimits(0.9, 0.95, 2, demoteBelow),
        StorageType.DISK, new TierLimits(0.9, 0.95, 1),
        StorageType.ARCHIVE, new TierLimits(0.9, 0.95, 0));
  }

  private static Plan decide(HdfsReader reader, Map<StorageType, TierLimits> limits, double heat)
      throws IOException {
    return plan(reader, reader.cluster(), limits, heat);
  }

  /** As if DISK were too full. */
  private static Plan archiving(HdfsReader reader) throws IOException {
    Map<StorageType, TierLimits> full =
        Map.of(
            StorageType.SSD, new TierLimits(0.9, 0.95, 2),
            StorageType.DISK, new TierLimits(1e-9, 1e-9, 1),
            StorageType.ARCHIVE, new TierLimits(0.9, 0.95, 0));
    return plan(reader, reader.cluster(), full, 0);
  }

  private static Plan plan(
      HdfsReader reader, ClusterView cluster, Map<StorageType, TierLimits> limits, double heat)
      throws IOException {
    List<HotFile> files = new ArrayList<>();
    for (FileView file : coded(reader)) {
      files.add(new HotFile(file, heat));
    }
    assertEquals(2 + MORE, files.size());
    List<Decision> decisions = new TierDecider(Tiering.plain(limits, 0.2)).decide(files, cluster);
    NumberLines lines = NumberLines.empty().update(cluster, Map.of());
    return new Planner(new Budget(1000, 1L << 40, 1)).plan(1, decisions, cluster, lines);
  }

  private static List<FileView> coded(HdfsReader reader) throws IOException {
    List<FileView> files = new ArrayList<>();
    reader.pass(List.of("/coded"), path -> false, files::add);
    return files;
  }

  private static boolean changesNode(Move move) {
    return !move.source().node().equals(move.targetNode());
  }

  private void carryOut(DirectedMoves hdfs, Plan plan, String policy) throws InterruptedException {
    assertEquals(List.of(), plan.unplaced());
    assertEquals(2 + MORE, plan.files().size());
    plan.files().forEach(file -> assertEquals(policy, file.storagePolicy()));
    List<String> failed = Collections.synchronizedList(new ArrayList<>());
    AtomicInteger ended = new AtomicInteger();
    ExecutorService copiers = Executors.newFixedThreadPool(4);
    try {
      new PlanExecutor(
              hdfs,
              new ActLimits(
                  4, 4, 4, Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofMinutes(2)),
              new PlanExecutor.Machinery(
                  copiers, System::nanoTime, wait -> Thread.sleep(wait.toMillis())),
              (path, set) -> {})
          .execute(
              plan,
              (move, state, detail) -> {
                if (state.isFinal() && state != MoveState.VERIFIED) {
                  failed.add(move.path() + " " + move.block().id() + ": " + state + " " + detail);
                }
                if (state.isFinal()) {
                  ended.incrementAndGet();
                }
              });
      Eventually.holds("no source is left", () -> ended.get() == plan.moves().size());
    } finally {
      copiers.shutdownNow();
    }
    assertEquals(List.of(), failed);
    moved.addAll(plan.moves());
  }

  /**
   * A group of one data block can begin on two racks: the places that its empty ones were given don't count. The NameNode
   * mends that by itself.
   */
  private static void onThreeRacks(HdfsReader reader) {
    Eventually.holds(
        "all groups on three racks, each internal block once",
        () -> {
          ClusterView cluster = reader.cluster();
          Map<Long, Set<String>> racks = new HashMap<>();
          for (FileView file : coded(reader)) {
            for (FileView.Block block : file.blocks()) {
              if (block.replicas().size() != 1) {
                return false;
              }
              racks
                  .computeIfAbsent(block.group(), first -> new HashSet<>())
                  .add(cluster.nodes().get(block.replicas().get(0).node()).rack());
            }
          }
          return racks.values().stream().allMatch(of -> of.size() == 3);
        });
  }

  /** All internal blocks on the type, those of a group on different nodes, and every byte is still there. */
  private static void lieOn(HdfsReader reader, StorageType type, DistributedFileSystem fs)
      throws IOException {
    for (String path : List.of("/coded/long", "/coded/short")) {
      FileView file = reader.file(path).orElseThrow();
      Set<String> taken = new HashSet<>();
      for (FileView.Block block : file.blocks()) {
        assertEquals(List.of(type), block.types(), path + " " + block.id());
        assertTrue(taken.add(block.group() + " " + block.replicas().get(0).node()));
      }
      byte[] expected = path.endsWith("long") ? LONG : SHORT;
      try (InputStream in = fs.open(new org.apache.hadoop.fs.Path(path))) {
        assertArrayEquals(expected, in.readAllBytes(), path);
      }
    }
  }

  private static void write(DistributedFileSystem fs, String path, byte[] content)
      throws IOException {
    try (OutputStream out = fs.create(new org.apache.hadoop.fs.Path(path))) {
      out.write(content);
    }
  }

  private static byte[] content(int bytes) {
    byte[] content = new byte[bytes];
    new SplittableRandom(bytes).nextBytes(content);
    return content;
  }
}
