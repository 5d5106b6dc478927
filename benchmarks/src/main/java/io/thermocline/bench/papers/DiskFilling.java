// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.papers;

import io.thermocline.placement.choice.CandidateSets;
import io.thermocline.placement.choice.ChoiceEngine;
import io.thermocline.placement.choice.MetricsView;
import io.thermocline.placement.choice.PublishedPolicy;
import io.thermocline.placement.choice.ReplicaPlacement;
import io.thermocline.placement.choice.SaltedCandidates;
import io.thermocline.placement.choice.SelectorPlacement;
import io.thermocline.placement.suora.Device;
import io.thermocline.placement.suora.SegmentTable;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Fills equal disks with blocks until the first of them is full, as CHOICE section 5.1 does: with
 * candidates and the space policy of the library. Time doesn't matter to it. Immutable.
 */
final class DiskFilling {
  static final int REPLICAS = 3;

  private final int disks;
  private final int blocksOfDisk;

  DiskFilling(int disks, int blocksOfDisk) {
    this.disks = disks;
    this.blocksOfDisk = blocksOfDisk;
  }

  /** Disks of as many groups, drawn at random; a block belongs to the group that its key leads to. */
  ReplicaPlacement byGroups(int groups, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int[][] disksOf = new int[groups][];
    for (int group = 0; group < groups; group++) {
      disksOf[group] = random.ints(0, disks).distinct().limit(REPLICAS).toArray();
    }
    return (key, devices, from, to) -> {
      int[] group = disksOf[(int) Math.floorMod(key, (long) groups)];
      System.arraycopy(group, 0, devices, from, REPLICAS);
      return REPLICAS;
    };
  }

  /** Each block by itself, on SUORA's number line. */
  ReplicaPlacement byBlock(long seed) {
    List<Device> line = new ArrayList<>();
    for (int disk = 0; disk < disks; disk++) {
      line.add(Device.of("disk" + disk, 1_000_000_000_000L));
    }
    return SelectorPlacement.on(SegmentTable.assign(line, 1e12).numberLine().selector(seed));
  }

  /** Share of all space that is used when the first disk is full, in percent. */
  double percentUsed(ReplicaPlacement placement, int choices, long seed) {
    int[] blocks = new int[disks];
    double capacity = blocksOfDisk;
    MetricsView used = (metric, disk) -> blocks[disk] / capacity;
    ChoiceEngine engine = new ChoiceEngine(PublishedPolicy.SPACE);
    CandidateSets sets = new CandidateSets(choices, REPLICAS);
    SplittableRandom keys = new SplittableRandom(~seed);
    long stored = 0;
    boolean full = false;
    while (!full) {
      SaltedCandidates.fill(keys.nextLong(), placement, sets);
      int best = engine.best(sets, used);
      for (int replica = 0; replica < REPLICAS; replica++) {
        full |= ++blocks[sets.device(best, replica)] == blocksOfDisk;
        stored++;
      }
    }
    return 100.0 * stored / disks / blocksOfDisk;
  }
}
