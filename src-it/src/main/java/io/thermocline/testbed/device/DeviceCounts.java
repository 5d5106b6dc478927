// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.device;

import io.thermocline.placement.model.StorageType;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * What the devices of a cluster did so far, by storage type: an immutable snapshot. This is the truth
 * for "share of reads served from fast storage", as no log of HDFS names the volume of a read.
 *
 * @param byType counts of each type that has a device
 */
public record DeviceCounts(Map<StorageType, IoCounts> byType) {

  public DeviceCounts {
    byType = Collections.unmodifiableMap(copy(byType));
  }

  /** Zeros for a type without a device. */
  public IoCounts of(StorageType type) {
    return byType.getOrDefault(type, IoCounts.ZERO);
  }

  /** All types together. */
  public IoCounts total() {
    return byType.values().stream().reduce(IoCounts.ZERO, IoCounts::plus);
  }

  /** What happened since the earlier snapshot of the same cluster. */
  public DeviceCounts minus(DeviceCounts earlier) {
    Map<StorageType, IoCounts> difference = copy(byType);
    difference.replaceAll((type, counts) -> counts.minus(earlier.of(type)));
    return new DeviceCounts(difference);
  }

  /**
   * Share of the clients' block reads that fast types served ({@link StorageType#isFast}).
   *
   * @return 0 to 1; NaN if there was no read
   */
  public double fastReadShare() {
    return (double) clientReads(StorageType::isFast) / clientReads(type -> true);
  }

  private long clientReads(Predicate<StorageType> wanted) {
    return byType.entrySet().stream()
        .filter(entry -> wanted.test(entry.getKey()))
        .mapToLong(entry -> entry.getValue().clientReads())
        .sum();
  }

  private static Map<StorageType, IoCounts> copy(Map<StorageType, IoCounts> byType) {
    Map<StorageType, IoCounts> copy = new EnumMap<>(StorageType.class);
    copy.putAll(byType);
    return copy;
  }
}
