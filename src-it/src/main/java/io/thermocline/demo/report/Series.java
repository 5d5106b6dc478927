// SPDX-License-Identifier: Apache-2.0
package io.thermocline.demo.report;

import io.thermocline.placement.model.StorageType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the lines of the charts show, computed once for the charts and for the tables beside them.
 *
 * @param tiers the storage types that occur in the samples, from slow to fast
 * @param seconds of each sample
 * @param occupancy used share of the capacity by sample; null where the type was absent
 * @param upper upper watermark by sample, as a share; null where the type was absent
 * @param lower lower watermark likewise
 * @param windowSeconds length of the window over which each point of readShare is taken
 * @param readShare share of the reads in the window that ends at the sample; null where there was none
 */
record Series(
    List<StorageType> tiers,
    List<Double> seconds,
    Map<StorageType, List<Double>> occupancy,
    Map<StorageType, List<Double>> upper,
    Map<StorageType, List<Double>> lower,
    double windowSeconds,
    Map<StorageType, List<Double>> readShare) {

  /** A share over a fortieth of the run is steady enough to read and still shows each turn. */
  private static final int WINDOWS_PER_RUN = 40;

  static Series of(List<Sample> samples) {
    Set<StorageType> tiers = EnumSet.noneOf(StorageType.class);
    samples.forEach(sample -> tiers.addAll(sample.tiers().keySet()));
    double duration = samples.isEmpty() ? 0 : last(samples).seconds() - samples.get(0).seconds();
    double window = duration / WINDOWS_PER_RUN;

    Map<StorageType, List<Double>> occupancy = new EnumMap<>(StorageType.class);
    Map<StorageType, List<Double>> upper = new EnumMap<>(StorageType.class);
    Map<StorageType, List<Double>> lower = new EnumMap<>(StorageType.class);
    Map<StorageType, List<Double>> share = new EnumMap<>(StorageType.class);
    for (StorageType type : tiers) {
      occupancy.put(type, new ArrayList<>());
      upper.put(type, new ArrayList<>());
      lower.put(type, new ArrayList<>());
      share.put(type, new ArrayList<>());
    }
    int start = 0;
    for (int i = 0; i < samples.size(); i++) {
      Sample now = samples.get(i);
      while (start + 1 < i && samples.get(start + 1).seconds() <= now.seconds() - window) {
        start++;
      }
      Sample then = samples.get(start);
      long allReads = tiers.stream().mapToLong(type -> reads(type, then, now)).sum();
      for (StorageType type : tiers) {
        Sample.Tier tier = now.tiers().get(type);
        occupancy.get(type).add(tier == null ? null : (Double) tier.occupancy());
        upper.get(type).add(tier == null ? null : (Double) tier.upperWatermark());
        lower.get(type).add(tier == null ? null : (Double) tier.lowerWatermark());
        share
            .get(type)
            .add(allReads == 0 ? null : (Double) Ratio.of(reads(type, then, now), allReads));
      }
    }
    return new Series(
        List.copyOf(tiers),
        samples.stream().map(Sample::seconds).toList(),
        Collections.unmodifiableMap(occupancy),
        Collections.unmodifiableMap(upper),
        Collections.unmodifiableMap(lower),
        window,
        Collections.unmodifiableMap(share));
  }

  private static long reads(StorageType type, Sample then, Sample now) {
    return Math.max(0, readsTotal(type, now) - readsTotal(type, then));
  }

  private static long readsTotal(StorageType type, Sample sample) {
    Sample.Tier tier = sample.tiers().get(type);
    return tier == null ? 0 : tier.readsTotal();
  }

  private static Sample last(List<Sample> samples) {
    return samples.get(samples.size() - 1);
  }
}
