// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.heat.BucketThresholds;
import io.thermocline.tiering.heat.HeatDistribution;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Thresholds of the fast types that follow the data (SUORA, section 4.3), in seconds of disk time a GB: a type is for what is so
 * hot that all of it has room there or above. Immutable; {@link #next} gives those of a later snapshot.
 */
public final class LearnedThresholds {

  /** By how much what a threshold lets in may be more than the room, or less than it could be, before it moves. */
  private static final double TOLERANCE = 0.1;

  private static final LearnedThresholds NONE = new LearnedThresholds(null, Map.of());

  private final BucketThresholds fitted;
  private final Map<StorageType, Double> heats;

  private LearnedThresholds(BucketThresholds fitted, Map<StorageType, Double> heats) {
    this.fitted = fitted;
    this.heats = Map.copyOf(heats);
  }

  /** Before anything was learned: all data is hot enough. */
  public static LearnedThresholds none() {
    return NONE;
  }

  /** By storage type. */
  public Map<StorageType, Double> heats() {
    return heats;
  }

  /**
   * The thresholds that a snapshot asks for.
   *
   * @param distribution of bytes over seconds of disk time a GB
   * @param room for the data of the distribution, by fast type
   */
  public LearnedThresholds next(HeatDistribution distribution, Map<StorageType, Long> room) {
    List<StorageType> tiers = room.keySet().stream().sorted().toList();
    long[] rooms = new long[tiers.size() + 1];
    rooms[0] = distribution.total();
    for (int i = 0; i < tiers.size(); i++) {
      rooms[i + 1] = room.get(tiers.get(i));
    }
    BucketThresholds next =
        fitted == null
            ? BucketThresholds.fit(distribution, rooms)
            : fitted.refit(distribution, rooms, TOLERANCE);
    Map<StorageType, Double> learned = new EnumMap<>(StorageType.class);
    for (int i = 0; i < tiers.size(); i++) {
      BucketThresholds.Threshold threshold = next.all().get(i + 1);
      // Where many are equally hot, none of them would get in although there is room for some.
      boolean leavesRoom = threshold.share() < threshold.room() * (1 - TOLERANCE);
      learned.put(
          tiers.get(i), leavesRoom ? distribution.below(threshold.heat()) : threshold.heat());
    }
    return new LearnedThresholds(next, learned);
  }

  /** How many bytes of the files have how much disk time a GB. */
  public static HeatDistribution distribution(Iterable<HotFile> files) {
    HeatDistribution distribution = new HeatDistribution();
    for (HotFile hot : files) {
      distribution.add(hot.density() * HotFile.GB, hot.file().length());
    }
    return distribution;
  }

  /** Bytes of all copies of the files, by type. */
  public static Map<StorageType, Long> bytes(Iterable<HotFile> files) {
    Map<StorageType, Long> all = new EnumMap<>(StorageType.class);
    for (HotFile hot : files) {
      Layout.of(hot.file()).bytes().forEach((type, bytes) -> all.merge(type, bytes, Long::sum));
    }
    return all;
  }

  /**
   * Bytes of each fast type below its lower watermark that other data than our own doesn't take.
   *
   * @param own bytes by type
   */
  public static Map<StorageType, Long> room(
      Map<StorageType, Long> own, ClusterView cluster, Map<StorageType, TierLimits> limits) {
    Map<StorageType, Long> room = new EnumMap<>(StorageType.class);
    for (Map.Entry<StorageType, ClusterView.Occupancy> type : cluster.occupancy().entrySet()) {
      TierLimits limit = limits.get(type.getKey());
      if (limit != null && type.getKey().isFast()) {
        long others = type.getValue().used() - own.getOrDefault(type.getKey(), 0L);
        long below = (long) (limit.lowerWatermark() * type.getValue().capacity());
        room.put(type.getKey(), Math.max(0, below - Math.max(0, others)));
      }
    }
    return room;
  }
}
