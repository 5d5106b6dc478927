// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.prs;

import io.thermocline.tiering.classify.groups.CorrelationMiner;
import io.thermocline.tiering.classify.groups.GroupedObject;
import io.thermocline.tiering.classify.groups.MiningSettings;
import io.thermocline.tiering.classify.groups.ObjectGroup;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A load under several schemes, each after one run that is traced, as section 4 does: "we first
 * ran the application for one time to collect the I/O trace". The trace is mined by the
 * service's own miner, and groups are placed by its own placement.
 */
final class Experiment {
  private final Load load;
  private final int disks;
  private final int ssds;
  private final long seed;
  private final List<ObjectGroup> groups;
  private final boolean[] hot;

  Experiment(Load load, int disks, int ssds, long seed) {
    this.load = load;
    this.disks = disks;
    this.ssds = ssds;
    this.seed = seed;
    // A tenth of what is stored is hot, whether it was read or not.
    double hotObjects = 0.1 * Math.max(Storage.STORED_OBJECTS, load.objects());
    double share = Math.min(1, hotObjects / load.objects());
    CorrelationMiner miner =
        new CorrelationMiner(
            MiningSettings.ofBlocks().withHot(share, MiningSettings.ofBlocks().period()));
    // What is only written is grouped by the order that it is written in.
    Load traced = load.readShare() == 0 ? load.asRead() : load;
    new Playing(traced, storage(Scheme.THREE, List.of(), new boolean[load.objects()]), miner, null)
        .play(seed);
    groups = miner.groups();
    hot = new boolean[load.objects()];
    IntStream.range(0, load.objects())
        .boxed()
        .sorted((a, b) -> Integer.compare(miner.reads(b), miner.reads(a)))
        .limit((long) hotObjects)
        .filter(object -> miner.reads(object) > 0)
        .forEach(object -> hot[object] = true);
  }

  private Storage storage(Scheme scheme, List<ObjectGroup> made, boolean[] hotObjects) {
    return new Storage(scheme, disks, ssds, load.objects(), made, hotObjects, seed);
  }

  /** Share of the objects that are in a group. */
  double grouped() {
    return groups.stream().mapToInt(group -> group.members().size()).sum()
        / (double) load.objects();
  }

  /** Each request asked of a device: where copies lie is all that differs. */
  Map<Scheme, Playing.Result> run(Scheme... schemes) {
    return run(false, schemes);
  }

  /** As the paper has it alone: nodes load groups that are worth it whole. */
  Map<Scheme, Playing.Result> loading(Scheme... schemes) {
    return run(true, schemes);
  }

  private Map<Scheme, Playing.Result> run(boolean loads, Scheme... schemes) {
    Map<Scheme, Playing.Result> results = new EnumMap<>(Scheme.class);
    for (Scheme scheme : schemes) {
      Storage storage = storage(scheme, groups, hot);
      int[] loadedAt = new int[storage.groups()];
      Arrays.fill(loadedAt, -1);
      if (loads) {
        load(storage, loadedAt);
      }
      results.put(scheme, new Playing(load, storage, null, loadedAt).play(seed + 1));
    }
    return results;
  }

  /**
   * Those that are read most, as far as memory holds them, each by the node of those with a copy
   * that has most of it left.
   */
  private void load(Storage storage, int[] loadedAt) {
    long[] memory = new long[storage.nodes()];
    IntStream.range(0, loadedAt.length)
        .boxed()
        .filter(group -> isWorthLoading(groups.get(group)))
        .sorted(Comparator.comparingDouble(group -> -readsOfEach(groups.get(group))))
        .forEach(
            group -> {
              int node =
                  Arrays.stream(storage.nodesOf(group))
                      .boxed()
                      .min(Comparator.comparingLong(each -> memory[each]))
                      .orElseThrow();
              long bytes = storage.objectsOf(group).length * Storage.OBJECT_BYTES;
              if (memory[node] + bytes <= PageCache.BYTES) {
                memory[node] += bytes;
                loadedAt[group] = node;
              }
            });
  }

  private static double readsOfEach(ObjectGroup group) {
    return group.members().stream().mapToLong(GroupedObject::reads).average().orElse(0);
  }

  /** Otherwise more is read than is asked for: the read amplification of section 3.3. */
  private boolean isWorthLoading(ObjectGroup group) {
    return readsOfEach(group) * load.bytes() >= Storage.OBJECT_BYTES;
  }
}
