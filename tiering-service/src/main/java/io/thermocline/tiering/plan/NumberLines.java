// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.plan;

import io.thermocline.placement.model.StorageType;
import io.thermocline.placement.suora.BucketSegments;
import io.thermocline.placement.suora.BucketSegments.Growth;
import io.thermocline.placement.suora.DeviceSpace;
import io.thermocline.placement.suora.NumberLine;
import io.thermocline.placement.suora.RandomSequence;
import io.thermocline.placement.suora.SegmentLog;
import io.thermocline.tiering.cluster.ClusterView;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * One SUORA number line for each storage type of the cluster, from which a block's home on that type
 * is read. Immutable; {@link #update} gives the lines of a later snapshot.
 *
 * <p>The tables are kept from snapshot to snapshot and only appended to, since a line that were built
 * anew for each would send most blocks to other homes whenever a node comes or goes. Where the
 * NameNode keeps its tables in files, these are the tables; else they are in memory only, and after a
 * restart storages are assigned by id again.
 */
public final class NumberLines {

  /** Draws for each device, after which the line counts as having none that fits. */
  private static final int DRAWS_PER_DEVICE = 64;

  /**
   * Of the mean capacity: what has less holds no block, and would be next to nothing on the line.
   * The NameNode leaves such storages out by their bytes.
   */
  private static final double LEAST_SHARE = 1e-6;

  private final Map<StorageType, BucketSegments> buckets;

  private NumberLines(Map<StorageType, BucketSegments> buckets) {
    this.buckets = buckets;
  }

  /** Lines without any device. */
  public static NumberLines empty() {
    return new NumberLines(new EnumMap<>(StorageType.class));
  }

  /**
   * The lines after devices came and went: old segments stay where they are (section 3.4.2).
   *
   * @param tables what the NameNode has written down, of the types for which it has
   */
  public NumberLines update(ClusterView cluster, Map<StorageType, SegmentLog> tables) {
    Map<StorageType, BucketSegments> updated = new EnumMap<>(StorageType.class);
    spaces(cluster)
        .forEach(
            (type, present) -> {
              SegmentLog table = tables.get(type);
              BucketSegments before = table == null ? buckets.get(type) : BucketSegments.of(table);
              Growth growth = table == null ? Growth.ASSIGN_ANEW : Growth.APPEND;
              updated.put(
                  type,
                  before == null
                      ? BucketSegments.of(SegmentLog.empty(type.name())).assignAnew(present)
                      : before.follow(present, growth));
            });
    return new NumberLines(updated);
  }

  /** The storages of each type with their segments. */
  public Map<StorageType, BucketSegments> buckets() {
    return Map.copyOf(buckets);
  }

  /**
   * The home of a block on a storage type.
   *
   * @param fits whether the storage of this id may take it; the next in the block's sequence is asked
   *     when not
   * @return storage id, or null where none fits
   */
  String home(StorageType type, long blockId, Predicate<String> fits) {
    BucketSegments bucket = buckets.get(type);
    if (bucket == null) {
      return null;
    }
    NumberLine line = bucket.numberLine();
    int index =
        line.place(
            RandomSequence.inBucket(blockId, type),
            device -> fits.test(line.deviceId(device)),
            DRAWS_PER_DEVICE * line.devices());
    return index < 0 ? null : line.deviceId(index);
  }

  /**
   * The homes of a block's copies on a storage type: the first storages of its sequence, each on another node.
   *
   * @param nodes by storage id
   * @return storage ids, as many as asked for where there are enough nodes
   */
  List<String> homes(StorageType type, long blockId, int copies, Map<String, String> nodes) {
    List<String> homes = new ArrayList<>();
    Set<String> taken = new HashSet<>();
    while (homes.size() < copies) {
      String home = home(type, blockId, storage -> !taken.contains(nodes.get(storage)));
      if (home == null) {
        break;
      }
      homes.add(home);
      taken.add(nodes.get(home));
    }
    return homes;
  }

  private static Map<StorageType, SortedMap<String, DeviceSpace>> spaces(ClusterView cluster) {
    Map<StorageType, SortedMap<String, DeviceSpace>> spaces = new EnumMap<>(StorageType.class);
    cluster.nodes().values().stream()
        .flatMap(node -> node.storages().stream())
        .filter(storage -> storage.capacity() > 0)
        .forEach(
            storage ->
                spaces
                    .computeIfAbsent(storage.type(), type -> new TreeMap<>())
                    .put(storage.id(), DeviceSpace.ofUnknownFill(storage.capacity())));
    spaces.values().forEach(NumberLines::withoutTiny);
    return spaces;
  }

  private static void withoutTiny(SortedMap<String, DeviceSpace> present) {
    double mean = present.values().stream().mapToLong(DeviceSpace::capacity).average().orElse(0);
    present.values().removeIf(space -> space.capacity() < mean * LEAST_SHARE);
  }
}
