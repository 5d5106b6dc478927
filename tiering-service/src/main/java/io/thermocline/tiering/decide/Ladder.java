// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.placement.model.StorageType;
import io.thermocline.placement.suora.InitialBuckets;
import io.thermocline.placement.suora.ReplicaBuckets;
import io.thermocline.tiering.cluster.ClusterView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How the copies of a file climb to faster types and come back: SUORA's algorithm 3 (section 3.6) on storage
 * types. Copies are lists of types, fastest first. Not thread-safe.
 */
final class Ladder {

  /*
   * A promotion moves one copy, straight to the type that the heat has reached. Which one:
   *
   * GRADUAL is the paper's: the fastest copy that is still where it started; those that climbed before stay, so that
   * what goes on getting hotter has several fast copies.
   *
   * ONE_COPY keeps one fast copy: the one that climbed before goes on, else the slowest climbs. What then lies on
   * ARCHIVE besides a fast copy would be outside every storage policy (HDFS has none with ARCHIVE and SSD), so
   * it would come back on DISK when lost; S D D is ONE_SSD to the letter.
   *
   * A copy that leaves a fast type takes the way back to where one started and is missing.
   */

  private final Promotion promotion;
  private final Written written;
  private final boolean isCoded;
  private final long[] capacities = new long[StorageType.RAM_DISK.bucket()];
  private final Map<Integer, int[]> starts = new HashMap<>();

  /** Of replicated files. */
  Ladder(Promotion promotion, Written written, ClusterView cluster) {
    this(promotion, written, cluster, false);
  }

  /**
   * Of erasure-coded files: each internal block is one copy, written to DISK, and goes to SSD and ARCHIVE only, as HDFS
   * has no other storage policies for them than HOT, COLD and ALL_SSD.
   */
  static Ladder coded(ClusterView cluster) {
    return new Ladder(Promotion.ONE_COPY, Written.BY_POLICY, cluster, true);
  }

  private Ladder(Promotion promotion, Written written, ClusterView cluster, boolean isCoded) {
    this.promotion = promotion;
    this.written = written;
    this.isCoded = isCoded;
    cluster
        .occupancy()
        .forEach(
            (type, bytes) -> {
              if (type.isMovable()) {
                capacities[type.bucket()] = bytes.capacity();
              }
            });
  }

  Promotion promotion() {
    return promotion;
  }

  /** Whether a copy can be led there and HDFS has a storage policy to hold it. */
  boolean reaches(StorageType tier) {
    return !isCoded || tier != StorageType.NVDIMM;
  }

  /** With one copy more on a type; as they are where there is one already. */
  List<StorageType> promoted(List<StorageType> copies, StorageType tier) {
    if (promotion == Promotion.GRADUAL) {
      if (copies.contains(tier)) {
        return copies;
      }
      ReplicaBuckets.Step step = buckets(copies).promotionTo(tier.bucket());
      if (step != null) {
        return moved(copies, typeOf(step.from()), tier);
      }
      // All have left where they started: the slowest goes on.
      return moved(copies, copies.get(copies.size() - 1), tier);
    }
    List<StorageType> back = copies;
    for (StorageType fast : List.of(StorageType.NVDIMM, StorageType.SSD)) {
      if (!starts(copies).contains(fast)) {
        back = vacated(back, fast, StorageType.ARCHIVE);
      }
    }
    return back.contains(tier) ? back : moved(back, back.get(back.size() - 1), tier);
  }

  /**
   * With none on a type.
   *
   * @param slowest they may go to: ARCHIVE, or DISK where that has no room
   */
  List<StorageType> vacated(List<StorageType> copies, StorageType tier, StorageType slowest) {
    List<StorageType> left = copies;
    while (left.contains(tier)) {
      ReplicaBuckets.Step step = buckets(left).demotionTo(tier.bucket(), StorageType.DISK.bucket());
      StorageType home = step == null ? StorageType.DISK : typeOf(step.to());
      boolean goesHome = !home.isFast() && home.compareTo(slowest) >= 0 && home != tier;
      left = moved(left, tier, goesHome ? home : StorageType.DISK);
    }
    return left;
  }

  /** With the fastest copy on a type: straight from wherever copies are. ARCHIVE takes all of them. */
  List<StorageType> ledBy(List<StorageType> copies, StorageType type) {
    if (type == StorageType.ARCHIVE) {
      return Collections.nCopies(copies.size(), type);
    }
    List<StorageType> left = copies;
    for (StorageType fast : List.of(StorageType.NVDIMM, StorageType.SSD)) {
      if (fast.compareTo(type) > 0) {
        left = vacated(left, fast, StorageType.ARCHIVE);
      }
    }
    return type.isFast() ? promoted(left, type) : RecallRule.recalled(left);
  }

  /**
   * The storage policy that describes copies, or comes closest. One that names a fast type where one is held, as HDFS
   * may drop what no policy names: it has none with one copy on NVDIMM, so a lost one comes back on SSD and is promoted
   * again.
   */
  String storagePolicy(List<StorageType> copies) {
    long fast = copies.stream().filter(StorageType::isFast).count();
    int archived = Collections.frequency(copies, StorageType.ARCHIVE);
    if (fast > 0) {
      return (isCoded || fast > 1) && fast == copies.size() ? "ALL_SSD" : "ONE_SSD";
    }
    if (archived == 0 || copies.equals(starts(copies))) {
      return "HOT";
    }
    if (archived == copies.size()) {
      return "COLD";
    }
    // WARM is one copy on DISK. The nearer one; a file that is mostly on DISK was not archived.
    return archived > copies.size() - 1 - archived ? "WARM" : "HOT";
  }

  Target target(List<StorageType> copies) {
    return new Target(copies, storagePolicy(Target.fastestFirst(copies)));
  }

  /** The types that a file of as many copies starts on, fastest first. */
  private List<StorageType> starts(List<StorageType> copies) {
    List<StorageType> types = new ArrayList<>();
    for (int bucket : start(copies.size())) {
      types.add(0, typeOf(bucket));
    }
    return types;
  }

  private ReplicaBuckets buckets(List<StorageType> copies) {
    return ReplicaBuckets.of(
        start(copies.size()), copies.stream().mapToInt(StorageType::bucket).toArray());
  }

  private int[] start(int replication) {
    return starts.computeIfAbsent(
        replication,
        copies -> {
          int disk = StorageType.DISK.bucket();
          if (written == Written.SPREAD && capacities[disk] > 0) {
            return InitialBuckets.of(capacities, copies, disk);
          }
          int[] onDisk = new int[copies];
          Arrays.fill(onDisk, disk);
          return onDisk;
        });
  }

  private static List<StorageType> moved(
      List<StorageType> copies, StorageType from, StorageType to) {
    List<StorageType> after = new ArrayList<>(copies);
    after.set(after.lastIndexOf(from), to);
    return Target.fastestFirst(after);
  }

  private static StorageType typeOf(int bucket) {
    return StorageType.values()[bucket];
  }
}
