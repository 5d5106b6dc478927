// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.plan;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.Scene;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.decide.CurrentActions;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.Gate;
import io.thermocline.tiering.decide.Hold;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.LearnedThresholds;
import io.thermocline.tiering.decide.Promotion;
import io.thermocline.tiering.decide.Situation;
import io.thermocline.tiering.decide.TierDecider;
import io.thermocline.tiering.decide.TierLimits;
import io.thermocline.tiering.decide.Tiering;
import io.thermocline.tiering.decide.Written;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.readorder.ReadOrder;
import io.thermocline.tiering.readorder.ReadShares;
import io.thermocline.tiering.readorder.Readers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What plans bring where HDFS's own read order sends only some of the reads to a fast copy. */
class ServedReadsTest {

  private static final int RACKS = 8;
  private static final int NODES = 2 * RACKS;
  private static final int FILES = 400;

  private static final int CLUSTERS = 3;
  private static final int PLANS = 3;

  private Scene scene;
  private final Map<String, String> racks = new HashMap<>();

  private final List<HotFile> files = new ArrayList<>();
  private final Map<StorageType, TierLimits> limits =
      Map.of(StorageType.SSD, new TierLimits(0.8, 0.9, 2));

  /** As HDFS places replicas: two in one rack, one in another. Heat falls by rank, as reads do. */
  private void files(int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    scene = scene();
    files.clear();
    scene.cluster().nodes().forEach((id, node) -> racks.put(id, node.rack()));
    for (int i = 0; i < FILES; i++) {
      int rack = random.nextInt(RACKS);
      int other = (rack + 1 + random.nextInt(RACKS - 1)) % RACKS;
      FileView file =
          scene.file(
              "/f" + i,
              10 + random.nextInt(90),
              node(rack, random.nextInt(2)),
              node(other, 0),
              node(other, 1));
      files.add(new HotFile(file, 400 * Math.pow(i + 1, -5.0 / 6)));
    }
  }

  private static Scene scene() {
    return new Scene().nodes(NODES, Map.of(StorageType.DISK, 1_000_000L, StorageType.SSD, 400L));
  }

  private static String node(int rack, int index) {
    return "n" + (2 * rack + index + 1) + "-DISK";
  }

  @Test
  void readersOfOneRackGetTheCopiesThatServeThem() {
    Readers readers = new Readers(Map.of(), Map.of("/r1", 1.0), false);
    Saved regardless = saved(readers, false, Promotion.ONE_COPY);

    Saved near = saved(readers, true, Promotion.ONE_COPY);
    assertSaves(1, near, regardless);
    assertSaves(1.9, saved(readers, true, Promotion.ONE_OR_ALL), regardless);
    assertSaves(1.5, saved(readers, true, Promotion.ONE_OR_ALL), near);
  }

  @Test
  void readersEverywhereGetAllCopiesOfTheHottest() {
    Map<String, Double> each = new HashMap<>();
    for (int rack = 0; rack < RACKS; rack++) {
      each.put("/r" + rack, 1.0 / RACKS);
    }
    Readers readers = new Readers(Map.of(), each, false);
    Saved regardless = saved(readers, false, Promotion.ONE_COPY);

    assertSaves(1, saved(readers, true, Promotion.ONE_COPY), regardless);
    assertSaves(1.9, saved(readers, true, Promotion.ONE_OR_ALL), regardless);
  }

  private static void assertSaves(double times, Saved saved, Saved regardless) {
    assertTrue(saved.seconds >= times * regardless.seconds, saved + " against " + regardless);
    assertTrue(saved.bytes <= 1.03 * regardless.bytes, saved + " against " + regardless);
  }

  /**
   * @param seconds of disk time that SSD serves
   * @param bytes on SSD
   */
  private record Saved(double seconds, long bytes) {}

  /**
   * What plans bring in some clusters.
   *
   * @param knows whether decisions and plans know how HDFS orders replicas; else they take the fastest to be read
   */
  private Saved saved(Readers readers, boolean knows, Promotion promotion) {
    double seconds = 0;
    long bytes = 0;
    for (int seed = 0; seed < CLUSTERS; seed++) {
      files(seed);
      ReadShares shares = new ReadShares(ReadOrder.NEAREST, readers, racks);
      Saved one = saved(shares, knows ? shares : ReadShares.fastest(), promotion);
      seconds += one.seconds;
      bytes += one.bytes;
    }
    return new Saved(seconds, bytes);
  }

  private Saved saved(ReadShares shares, ReadShares believed, Promotion promotion) {
    TierDecider decider =
        new TierDecider(new Tiering(limits, 0.2, promotion, Written.BY_POLICY, Gate.open()));
    Planner planner = new Planner(new Budget(10_000, 1_000_000, 0.95));
    for (int number = 1; number <= PLANS; number++) {
      ClusterView cluster = scene.cluster();
      NumberLines lines = NumberLines.empty().update(cluster, Map.of());
      List<Decision> decisions = decider.decide(files, situation(cluster, believed));
      carryOut(planner.plan(number, decisions, cluster, lines, Map.of(), believed));
    }
    double seconds = 0;
    for (HotFile hot : files) {
      seconds += hot.diskSeconds() * shares.fast(hot.file());
    }
    return new Saved(seconds, LearnedThresholds.bytes(files).get(StorageType.SSD));
  }

  private Situation situation(ClusterView cluster, ReadShares believed) {
    LearnedThresholds thresholds =
        LearnedThresholds.none()
            .next(
                LearnedThresholds.distribution(files),
                LearnedThresholds.room(LearnedThresholds.bytes(files), cluster, limits));
    return new Situation(
        cluster,
        thresholds.heats(),
        List.of(),
        path -> Hold.NONE,
        CurrentActions.NOTHING,
        believed);
  }

  /** The same files, where their copies are now. */
  private void carryOut(Plan plan) {
    Map<String, List<Move>> moves =
        plan.moves().stream().collect(Collectors.groupingBy(Move::path));
    scene = scene();
    files.replaceAll(
        hot -> {
          List<String> storages =
              new ArrayList<>(
                  hot.file().blocks().get(0).replicas().stream()
                      .map(FileView.Replica::storageId)
                      .toList());
          for (Move move : moves.getOrDefault(hot.file().path(), List.of())) {
            storages.set(storages.indexOf(move.source().storageId()), move.targetStorage());
          }
          return new HotFile(
              scene.file(hot.file().path(), hot.file().length(), storages.toArray(String[]::new)),
              hot.heat());
        });
  }
}
