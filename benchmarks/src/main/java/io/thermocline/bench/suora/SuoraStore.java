// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.suora;

import io.thermocline.placement.model.StorageType;
import io.thermocline.placement.suora.BucketSegments;
import io.thermocline.placement.suora.InitialBuckets;
import io.thermocline.placement.suora.NumberLine;
import io.thermocline.placement.suora.RandomSequence;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.Gate;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.Promotion;
import io.thermocline.tiering.decide.TierDecider;
import io.thermocline.tiering.decide.TierLimits;
import io.thermocline.tiering.decide.Tiering;
import io.thermocline.tiering.decide.Written;
import io.thermocline.tiering.heat.BucketThresholds;
import io.thermocline.tiering.heat.FingerprintHotnessTable;
import io.thermocline.tiering.heat.HotnessTable;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.Budget;
import io.thermocline.tiering.plan.Move;
import io.thermocline.tiering.plan.NumberLines;
import io.thermocline.tiering.plan.Planner;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * SUORA as the service does it: replicas start in the bottom buckets, reads go to the fastest one and are counted, and
 * what the hotness table says becomes decisions, and these a plan. The service's stages are called as they are; an object
 * is a file of one block.
 */
final class SuoraStore implements ObjectStore {
  /** Section 4.5. */
  static final BucketThresholds THRESHOLDS = BucketThresholds.fixed(0, 1, 30);

  /** The service's default. */
  private static final double MARGIN = 0.2;

  private static final double FILL = 0.95;
  private static final int TRIES = 10_000;
  private static final int STEPS_OF_A_HALF_LIFE = 8;
  private static final int BYTES_OF_AN_ITEM = 8;

  private final Testbed testbed;
  private final long seed;
  private final HotnessTable table;
  private final TierDecider decider;
  private final Planner planner = new Planner(new Budget(Integer.MAX_VALUE, Long.MAX_VALUE, FILL));
  private final NumberLines lines;
  private final int[][] nodes;
  private final long[] keys;
  private final long[] used = new long[Testbed.NODES];
  private final Map<String, Integer> nodeOfName = new HashMap<>();
  private long plans;
  private long steps;

  /**
   * @param watermarks W_l and W_u of the SSDs
   * @param counting whether there is a hotness table; without one nothing is ever moved
   */
  SuoraStore(Testbed testbed, Watermarks watermarks, int objects, boolean counting, long seed) {
    this.testbed = testbed;
    this.seed = seed;
    double[] thresholds = THRESHOLDS.heats();
    TierLimits ssd =
        new TierLimits(watermarks.lower(), watermarks.upper(), thresholds[thresholds.length - 1]);
    this.decider =
        new TierDecider(
            new Tiering(
                Map.of(StorageType.SSD, ssd),
                MARGIN,
                Promotion.GRADUAL,
                Written.SPREAD,
                Gate.open()));
    this.lines = NumberLines.empty().update(testbed.view(used), Map.of());
    this.table =
        counting
            ? new FingerprintHotnessTable(
                Math.max(1 << 16, (long) objects * BYTES_OF_AN_ITEM), 0, seed)
            : null;
    SplittableRandom random = new SplittableRandom(seed);
    this.keys = random.longs(objects).toArray();
    this.nodes = written(objects);
  }

  /** How full the SSDs may be, from 0 to 1: promotion ends at the lower mark, cold migration begins at the upper one. */
  record Watermarks(double lower, double upper) {}

  /** Each replica to its bucket's line, with the sequence of that bucket. */
  private int[][] written(int objects) {
    List<NumberLine> buckets = new ArrayList<>();
    long[] capacities = new long[Testbed.BUCKETS.size()];
    for (int bucket = 0; bucket < capacities.length; bucket++) {
      SortedMap<String, Long> present = new TreeMap<>();
      for (int i = 0; i < Testbed.NODES_OF_A_BUCKET; i++) {
        int node = bucket * Testbed.NODES_OF_A_BUCKET + i;
        present.put(Testbed.nameOf(node), testbed.capacity(node));
        nodeOfName.put(Testbed.nameOf(node), node);
        capacities[bucket] += testbed.capacity(node);
      }
      buckets.add(BucketSegments.assign(present).numberLine());
    }
    int[] initial =
        InitialBuckets.of(capacities, REPLICAS, Testbed.BUCKETS.indexOf(StorageType.DISK));
    int[][] placed = new int[objects][REPLICAS];
    for (int object = 0; object < objects; object++) {
      for (int i = 0; i < REPLICAS; i++) {
        NumberLine line = buckets.get(initial[i]);
        RandomSequence sequence =
            RandomSequence.inBucket(ObjectStore.id(object, seed), Testbed.BUCKETS.get(initial[i]));
        placed[object][i] =
            nodeOfName.get(line.deviceId(line.place(sequence, device -> true, TRIES)));
        used[placed[object][i]] += Testbed.OBJECT_BYTES;
      }
    }
    return placed;
  }

  /** The fastest replica, of which there is one: no bucket holds two. */
  @Override
  public int read(int object, SplittableRandom random) {
    if (table != null) {
      table.add(keys[object], 1);
    }
    return Math.max(nodes[object][0], nodes[object][1]);
  }

  @Override
  public int[] nodes(int object) {
    return nodes[object];
  }

  @Override
  public List<Copying> plan() {
    if (table == null) {
      return List.of();
    }
    List<HotFile> files = new ArrayList<>(nodes.length);
    for (int object = 0; object < nodes.length; object++) {
      files.add(new HotFile(file(object), table.estimate(keys[object])));
    }
    ClusterView cluster = testbed.view(used);
    List<Decision> decisions = decider.decide(files, cluster);
    List<Copying> copies = new ArrayList<>();
    for (Move move : planner.plan(++plans, decisions, cluster, lines).moves()) {
      copies.add(
          new Copying(
              // The lower half of what it is placed by.
              (int) move.block().id(),
              nodeOfName.get(move.source().node()),
              nodeOfName.get(move.targetNode())));
    }
    return copies;
  }

  private FileView file(int object) {
    List<FileView.Replica> replicas = new ArrayList<>(REPLICAS);
    for (int node : nodes[object]) {
      String name = Testbed.nameOf(node);
      replicas.add(new FileView.Replica(name, name, Testbed.BUCKETS.get(Testbed.bucketOf(node))));
    }
    FileView.Block block =
        new FileView.Block("BP", ObjectStore.id(object, seed), 1, Testbed.OBJECT_BYTES, replicas);
    return new FileView(
        String.format(Locale.ROOT, "/object%07d", object),
        Testbed.OBJECT_BYTES,
        REPLICAS,
        0,
        List.of(block));
  }

  @Override
  public void copied(Copying copying) {
    int[] replicas = nodes[copying.object()];
    replicas[replicas[0] == copying.from() ? 0 : 1] = copying.to();
    used[copying.from()] -= Testbed.OBJECT_BYTES;
    used[copying.to()] += Testbed.OBJECT_BYTES;
  }

  @Override
  public void cool() {
    if (table != null) {
      steps += STEPS_OF_A_HALF_LIFE;
      table.coolTo(steps);
    }
  }
}
