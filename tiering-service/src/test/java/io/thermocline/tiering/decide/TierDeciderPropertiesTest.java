// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.observe.FileView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * What must hold in every cluster. Files lie on types at random, on several fast ones too and with
 * some blocks further up than others, as an interrupted plan or a user leaves them.
 */
class TierDeciderPropertiesTest {

  private static final long SEED = Long.getLong("test.seed", 0);
  private static final int SCENES = Boolean.getBoolean("test.short") ? 40 : 300;
  private static final List<StorageType> TYPES =
      List.of(StorageType.ARCHIVE, StorageType.DISK, StorageType.SSD, StorageType.NVDIMM);

  @Test
  void decidesNothingMoreOnceItsDecisionsAreDone() {
    int decided = 0;
    for (long seed = SEED; seed < SEED + SCENES; seed++) {
      Case made = new Case(seed);
      List<Decision> decisions = made.decide();
      decided += decisions.size();
      List<Decision> again = made.after(decisions).decide();
      assertEquals(List.of(), again, "seed " + seed);
    }
    // Far from vacuous: several decisions a scene.
    assertTrue(decided > 5 * SCENES, decided + " decisions");
  }

  @Test
  void promotesNoTierAboveItsLowerWatermark() {
    for (long seed = SEED; seed < SEED + SCENES; seed++) {
      Case made = new Case(seed);
      List<Decision> decisions = made.decide();
      Map<StorageType, ClusterView.Occupancy> before = made.cluster().occupancy();
      Map<StorageType, ClusterView.Occupancy> after = made.after(decisions).cluster().occupancy();
      for (StorageType tier : before.keySet()) {
        boolean grew = after.get(tier).used() > before.get(tier).used();
        TierLimits limits = made.limits.get(tier);
        if (grew && tier.isFast()) {
          assertTrue(
              after.get(tier).fraction() <= limits.lowerWatermark(),
              "seed " + seed + ": " + tier + " at " + after.get(tier) + " with " + limits);
        }
        if (grew && tier == StorageType.ARCHIVE) {
          assertTrue(
              after.get(tier).fraction() <= limits.upperWatermark(),
              "seed " + seed + ": " + tier + " at " + after.get(tier) + " with " + limits);
        }
      }
    }
  }

  @Test
  void everyDecisionHasAReasonWithNumbers() {
    Pattern numbers = Pattern.compile(".*\\d+\\.\\d block reads, \\d+\\.\\d\\d s of disk time.*");
    for (long seed = SEED; seed < SEED + SCENES; seed++) {
      for (Decision decision : new Case(seed).decide()) {
        assertTrue(numbers.matcher(decision.reason()).matches(), "seed " + seed + ": " + decision);
      }
    }
  }

  @Test
  void theSameSceneGivesTheSameDecisionsInWhateverOrderFilesAreListed() {
    for (long seed = SEED; seed < SEED + SCENES; seed++) {
      Case made = new Case(seed);
      List<Decision> decisions = made.decide();
      Collections.shuffle(made.files, new Random(seed));
      assertEquals(decisions, made.decide(), "seed " + seed);
    }
  }

  /** A random cluster with random files, random limits, and bytes that belong to no file. */
  private static final class Case {
    final Map<StorageType, TierLimits> limits = new EnumMap<>(StorageType.class);
    final Map<StorageType, Long> capacity = new EnumMap<>(StorageType.class);
    final Map<StorageType, Long> foreign = new EnumMap<>(StorageType.class);
    final List<HotFile> files;
    final double margin;

    Case(long seed) {
      Random random = new Random(seed);
      margin = random.nextInt(4) * 0.1;
      List<StorageType> present = new ArrayList<>();
      for (StorageType type : TYPES) {
        if (type == StorageType.DISK || random.nextInt(4) > 0) {
          present.add(type);
          double lower = 0.3 + random.nextInt(50) / 100.0;
          double upper = lower + random.nextInt(20) / 100.0;
          limits.put(type, new TierLimits(lower, upper, random.nextInt(6)));
        }
      }
      files = new ArrayList<>();
      int count = 1 + random.nextInt(40);
      for (int i = 0; i < count; i++) {
        files.add(new HotFile(file("/f" + i, present, random), random.nextInt(60) / 2.0));
      }
      for (StorageType type : present) {
        foreign.put(type, (long) random.nextInt(100));
        long used = used(type);
        capacity.put(type, used + 1 + (long) (used * random.nextDouble() * 1.5));
      }
    }

    private Case(Case before, List<HotFile> files) {
      this.margin = before.margin;
      this.limits.putAll(before.limits);
      this.capacity.putAll(before.capacity);
      this.foreign.putAll(before.foreign);
      this.files = files;
    }

    private static FileView file(String path, List<StorageType> present, Random random) {
      int replication = 1 + random.nextInt(3);
      List<FileView.Block> blocks = new ArrayList<>();
      long length = 0;
      List<FileView.Replica> replicas = replicas(replication, present, random);
      for (int i = 1 + random.nextInt(3); i > 0; i--) {
        long bytes = 1 + random.nextInt(50);
        length += bytes;
        blocks.add(new FileView.Block("BP-1", path.hashCode() * 10L + i, 1, bytes, replicas));
        if (random.nextInt(4) == 0) {
          replicas = replicas(replication, present, random);
        }
      }
      return new FileView(path, length, replication, 0, blocks);
    }

    private static List<FileView.Replica> replicas(
        int replication, List<StorageType> present, Random random) {
      List<FileView.Replica> replicas = new ArrayList<>();
      for (int i = 0; i < replication; i++) {
        StorageType type = present.get(random.nextInt(present.size()));
        replicas.add(new FileView.Replica("n" + i, "n" + i + "-" + type, type));
      }
      return replicas;
    }

    private long used(StorageType type) {
      return foreign.getOrDefault(type, 0L)
          + files.stream()
              .flatMap(hot -> hot.file().blocks().stream())
              .mapToLong(
                  block ->
                      block.length()
                          * block.replicas().stream().filter(r -> r.type() == type).count())
              .sum();
    }

    ClusterView cluster() {
      List<ClusterView.Storage> storages = new ArrayList<>();
      capacity.forEach(
          (type, bytes) ->
              storages.add(
                  new ClusterView.Storage("n-" + type, "n", type, bytes, bytes - used(type))));
      return new ClusterView(Map.of("n", new ClusterView.Node("n", "n:9866", "/r", storages)), 1);
    }

    List<Decision> decide() {
      return new TierDecider(Tiering.plain(limits, margin)).decide(files, cluster());
    }

    Case after(List<Decision> decisions) {
      List<HotFile> moved = new ArrayList<>(files);
      for (Decision decision : decisions) {
        FileView file = Moved.file(decision.hot().file(), decision.target());
        moved.set(moved.indexOf(decision.hot()), new HotFile(file, decision.hot().heat()));
      }
      return new Case(this, moved);
    }
  }
}
