// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.heat.HeatDistribution;
import io.thermocline.tiering.observe.FileView;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * One pass over all files of a namespace, in bounded memory: how much data is how hot, and the few files that a
 * plan can be about. One thread.
 *
 * @param <T> what is kept of a file
 */
public final class Survey<T> {

  /*
   * Decisions are made in order of disk time per byte: the hottest data of a type rises, the coldest leaves it. A
   * plan makes a bounded number of moves. So of each type the hottest and the coldest files are enough, as many as a
   * few plans could move; all the rest is in the cluster's occupancy, and in the distribution that thresholds are learned
   * from. Among equally hot files a hash of the path decides, so that the pass has no order to depend on.
   */

  private final int candidates;
  private final HeatDistribution distribution = new HeatDistribution();
  private final long[] bytes = new long[StorageType.values().length];
  private final Map<StorageType, Extremes<T>> hottest = new EnumMap<>(StorageType.class);
  private final Map<StorageType, Extremes<T>> coldest = new EnumMap<>(StorageType.class);

  /** A file as it passes; may be reused for the next one. */
  public interface Passing<T> {
    /** A well-mixed hash of its path. */
    long key();

    /** Bytes of one copy. */
    long length();

    /** Type of its fastest copy, as far as its storage policy tells. */
    StorageType lead();

    /** What to keep of it; asked of few. */
    T kept();
  }

  /**
   * @param candidates to keep of each type, hottest and as many coldest
   */
  public Survey(int candidates) {
    this.candidates = candidates;
  }

  /**
   * @param heat cooled seconds of disk time, which thresholds are learned from
   * @param expected the same, or what replaces it where something else ranks files
   */
  public void add(Passing<T> file, double heat, double expected) {
    long length = file.length();
    if (length <= 0) {
      return;
    }
    StorageType lead = file.lead();
    double density = expected / length;
    distribution.add(heat / length * HotFile.GB, length);
    bytes[lead.ordinal()] += length;
    long key = file.key();
    // What nobody reads doesn't rise.
    if (expected > 0) {
      of(hottest, lead).offer(density, key, file);
    }
    of(coldest, lead).offer(-density, key, file);
  }

  private Extremes<T> of(Map<StorageType, Extremes<T>> extremes, StorageType type) {
    Extremes<T> found = extremes.get(type);
    if (found == null) {
      found = new Extremes<>(candidates);
      extremes.put(type, found);
    }
    return found;
  }

  /** Of bytes over seconds of disk time a GB, as {@link LearnedThresholds#next} takes it. */
  public HeatDistribution distribution() {
    return distribution;
  }

  /** Bytes of one copy of all files whose fastest copy is on the type. */
  public long bytesLedBy(StorageType type) {
    return bytes[type.ordinal()];
  }

  /**
   * The hottest of each type, and the coldest of some, those that are both twice.
   *
   * @param leaves which types those are
   */
  public List<T> candidates(Predicate<StorageType> leaves) {
    List<T> all = new ArrayList<>();
    hottest.values().forEach(extremes -> extremes.addTo(all));
    coldest.forEach(
        (type, extremes) -> {
          if (leaves.test(type)) {
            extremes.addTo(all);
          }
        });
    return all;
  }

  /**
   * Type of a file's fastest copy: as it lies, or, where that isn't known, as its storage policy says. That doesn't tell
   * NVDIMM from SSD.
   *
   * @param policy name of it
   */
  public static StorageType lead(FileView file, String policy) {
    if (!file.blocks().isEmpty()) {
      return Layout.of(file).lead();
    }
    return leadOf(policy);
  }

  /** Type of the fastest copy that a storage policy asks for, by its name; DISK for what isn't known. */
  static StorageType leadOf(String policy) {
    return switch (policy) {
      case "ALL_NVDIMM" -> StorageType.NVDIMM;
      case "ALL_SSD", "ONE_SSD" -> StorageType.SSD;
      case "COLD" -> StorageType.ARCHIVE;
      default -> StorageType.DISK;
    };
  }
}
