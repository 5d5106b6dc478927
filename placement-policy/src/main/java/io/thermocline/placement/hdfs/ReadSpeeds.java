// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import io.thermocline.placement.model.NodeAttributes;
import io.thermocline.placement.model.StorageType;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How fast a storage is read, as its type and the node attributes say. Safe for any thread; {@link #of}
 * does no I/O.
 */
final class ReadSpeeds implements Refreshed {
  /** More classes than a type can sensibly have. */
  private static final int CLASSES = 1 << 16;

  private final WatchedFile<NodeAttributes> file;

  private volatile Known known = new Known(NodeAttributes.none());

  private ReadSpeeds(WatchedFile<NodeAttributes> file) {
    this.file = file;
  }

  /** Follows the configured node-attributes file; null where there is none. */
  static ReadSpeeds following(PolicySettings settings, PolicyHost host) {
    if (settings.attributesFile() == null) {
      return null;
    }
    ReadSpeeds speeds =
        new ReadSpeeds(AttributesFile.at(settings.attributesFile(), host.counters()));
    // Once here, so that the first readers are served right.
    speeds.refresh();
    LineRefresher.start(speeds, host, settings.refreshMillis(), () -> {});
    return speeds;
  }

  /** Speed of an undivided type: more is faster. */
  static int of(StorageType type) {
    return type.bucket() * CLASSES;
  }

  int of(String host, StorageType type, String storageId) {
    return known.of(host, type, storageId);
  }

  @Override
  public void refresh() {
    file.poll();
    if (file.content() != known.attributes) {
      known = new Known(file.content());
    }
  }

  /** What one version of the attributes says, remembered for each storage asked for. */
  private static final class Known {
    private final NodeAttributes attributes;
    private final Map<String, Integer> byStorage = new ConcurrentHashMap<>();

    Known(NodeAttributes attributes) {
      this.attributes = attributes;
    }

    int of(String host, StorageType type, String storageId) {
      if (!attributes.divides(type)) {
        return ReadSpeeds.of(type);
      }
      Integer speed = byStorage.get(storageId);
      if (speed == null) {
        int rank = attributes.storage(host, type, storageId).performanceClass().rank();
        speed = ReadSpeeds.of(type) + rank;
        byStorage.put(storageId, speed);
      }
      return speed;
    }
  }
}
