// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import io.thermocline.placement.suora.InitialBuckets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;

/**
 * Which storage types a block's replicas need: what the storage policy says, with its fallbacks for types
 * that can't be had. Safe for any thread.
 *
 * <p>The answers for new blocks are kept, since the storage policy computes them with linked lists. A
 * type of which the cluster has none counts as not to be had from the start; the stock policy finds that
 * out by failing, once per call, with a warning.
 */
final class TypePlans {
  private static final int POLICIES = 16;
  private static final int REPLICAS = 16;

  private final LayoutMode layout;
  private final String defaultPolicy;

  /** Entries are immutable and any thread may replace one: at worst an answer is computed twice. */
  private final Entry[] entries = new Entry[POLICIES * REPLICAS];

  /**
   * @param defaultPolicy name of the storage policy of files that were given none
   */
  TypePlans(LayoutMode layout, String defaultPolicy) {
    this.layout = layout;
    this.defaultPolicy = defaultPolicy;
  }

  /** Whether the storage policy's own types are not the first to be tried. */
  boolean isSpread(BlockStoragePolicy policy) {
    return layout == LayoutMode.SUORA && policy.getName().equals(defaultPolicy);
  }

  /** The types of all replicas of a new block, as {@link TypeCounts}. */
  long ofNewBlock(BlockStoragePolicy policy, int replicas, ClusterSnapshot snapshot) {
    int id = policy.getId();
    if (id < 0 || id >= POLICIES || replicas >= REPLICAS) {
      return byPolicy(policy, new ArrayList<>(), replicas, snapshot.missing(), true);
    }
    int slot = id * REPLICAS + replicas;
    Entry entry = entries[slot];
    if (entry == null || entry.policy != policy || entry.missing != snapshot.missing()) {
      int missing = snapshot.missing();
      entry =
          new Entry(policy, missing, byPolicy(policy, new ArrayList<>(), replicas, missing, true));
      entries[slot] = entry;
    }
    return entry.counts;
  }

  /**
   * The types that replicas beside the given ones need.
   *
   * @param unavailable mask of the types that can't be had
   */
  long byPolicy(
      BlockStoragePolicy policy,
      List<StorageType> present,
      int replicas,
      int unavailable,
      boolean newBlock) {
    return TypeCounts.of(
        policy.chooseStorageTypes(
            (short) replicas, present, TypeCounts.types(unavailable), newBlock));
  }

  /** The types of the replicas that a spread over the bottom buckets lacks. */
  long bySpread(List<DatanodeStorageInfo> present, int replicas, ClusterSnapshot snapshot) {
    long[] capacities = new long[io.thermocline.placement.model.StorageType.values().length];
    for (StorageType type : StorageType.values()) {
      io.thermocline.placement.model.StorageType ours = StorageTypes.ours(type);
      if (ours != null) {
        capacities[ours.bucket()] = snapshot.capacity(type.ordinal());
      }
    }
    int[] wanted = spread(capacities, replicas);
    int surplus = 0;
    for (DatanodeStorageInfo replica : present) {
      io.thermocline.placement.model.StorageType type = StorageTypes.ours(replica.getStorageType());
      if (type != null && wanted[type.bucket()] > 0) {
        wanted[type.bucket()]--;
      } else {
        surplus++;
      }
    }
    // A replica on a type that the spread doesn't name stands for one of the fastest it does.
    for (int bucket = wanted.length - 1; surplus > 0 && bucket >= 0; bucket--) {
      int fewer = Math.min(surplus, wanted[bucket]);
      wanted[bucket] -= fewer;
      surplus -= fewer;
    }
    long counts = TypeCounts.NONE;
    for (StorageType type : StorageType.values()) {
      io.thermocline.placement.model.StorageType ours = StorageTypes.ours(type);
      for (int i = 0; ours != null && i < wanted[ours.bucket()]; i++) {
        counts = TypeCounts.plusOne(counts, type.ordinal());
      }
    }
    return counts;
  }

  /** Replicas by bucket; all zero where no storage of ours is left to take them. */
  private static int[] spread(long[] capacities, int replicas) {
    // HDFS can't move a replica off RAM_DISK, the last bucket: none starts there.
    long[] movable = Arrays.copyOf(capacities, capacities.length - 1);
    int home = io.thermocline.placement.model.StorageType.DISK.bucket();
    for (int bucket = 0; movable[home] == 0 && bucket < movable.length; bucket++) {
      home = movable[bucket] > movable[home] ? bucket : home;
    }
    int[] counts = new int[capacities.length];
    if (movable[home] > 0) {
      for (int bucket : InitialBuckets.of(movable, replicas, home)) {
        counts[bucket]++;
      }
    }
    return counts;
  }

  /** What was asked, and the answer. */
  private static final class Entry {
    private final BlockStoragePolicy policy;
    private final int missing;
    private final long counts;

    Entry(BlockStoragePolicy policy, int missing, long counts) {
      this.policy = policy;
      this.missing = missing;
      this.counts = counts;
    }
  }
}
