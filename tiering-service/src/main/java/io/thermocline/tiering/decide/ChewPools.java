// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.decide.pools.Pool;
import io.thermocline.tiering.decide.pools.VolumeSpeed;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The storage types of a cluster as pools of chunks, of which each has one copy in its pool. Pure. */
final class ChewPools {

  /*
   * A pool of the paper holds a chunk once. A file of HDFS has several copies, of which the fastest is in the pool, and the
   * others on DISK, or on ARCHIVE where that one is there too. So NVDIMM and SSD have room for as many bytes of chunks as
   * of copies; ARCHIVE, and DISK, for as many as of copies by the mean replication; and DISK has the other copies of
   * what may lie on faster types besides.
   */

  private final Map<StorageType, TierLimits> limits;

  /** Of each pool of the library, fastest first. */
  private final Map<String, VolumeSpeed> speeds;

  ChewPools(Map<StorageType, TierLimits> limits, Map<String, VolumeSpeed> speeds) {
    this.limits = limits;
    this.speeds = speeds;
  }

  /**
   * @param files that are placed; other data's bytes are seen through the cluster's occupancy
   * @throws IllegalArgumentException where the slowest pool has no storage
   */
  List<Pool> of(List<HotFile> files, ClusterView cluster) {
    Map<StorageType, Long> own = new EnumMap<>(StorageType.class);
    long length = 0;
    for (HotFile hot : files) {
      Layout.of(hot.file()).bytes().forEach((type, bytes) -> own.merge(type, bytes, Long::sum));
      length += hot.file().length();
    }
    long copies = own.values().stream().mapToLong(Long::longValue).sum();
    double replication = length == 0 ? 1 : Math.max(1, (double) copies / length);
    List<Pool> pools = new ArrayList<>();
    long faster = 0;
    for (Map.Entry<String, VolumeSpeed> speed : speeds.entrySet()) {
      StorageType type = StorageType.valueOf(speed.getKey());
      boolean isSlowest = pools.size() == speeds.size() - 1;
      double room = room(type, cluster, own.getOrDefault(type, 0L));
      if (isSlowest && !takesPart(type, cluster)) {
        throw new IllegalArgumentException(
            type
                + " is the slowest pool of the pattern library, and no storage of this type takes part: leave it out"
                + " there, or have it take part in decide.tiers");
      }
      if (!type.isFast()) {
        double others = type == StorageType.DISK ? (replication - 1) * Math.min(faster, length) : 0;
        room = Math.max(0, room - others) / replication;
      }
      // What finds no other place stays there, or goes as far as storages are filled.
      long bytes = isSlowest ? Math.max((long) room, length) : (long) room;
      faster += bytes;
      long volumes = Math.max(1, volumes(type, cluster));
      pools.add(
          new Pool(
              speed.getKey(),
              bytes,
              volumes * speed.getValue().requests(),
              volumes * speed.getValue().bytes()));
    }
    return pools;
  }

  /** Where chunks may lie. */
  Set<StorageType> types(ClusterView cluster) {
    return limits.keySet().stream()
        .filter(type -> takesPart(type, cluster))
        .collect(Collectors.toUnmodifiableSet());
  }

  private boolean takesPart(StorageType type, ClusterView cluster) {
    return speeds.containsKey(type.name())
        && limits.containsKey(type)
        && volumes(type, cluster) > 0;
  }

  /** Below the lower watermark, of what other data leaves. */
  private double room(StorageType type, ClusterView cluster, long own) {
    if (!takesPart(type, cluster)) {
      return 0;
    }
    ClusterView.Occupancy bytes = cluster.occupancy().get(type);
    double below = limits.get(type).lowerWatermark() * bytes.capacity();
    return Math.max(0, below - Math.max(0, bytes.used() - own));
  }

  private static long volumes(StorageType type, ClusterView cluster) {
    return cluster.nodes().values().stream().mapToLong(node -> node.storages(type).size()).sum();
  }
}
