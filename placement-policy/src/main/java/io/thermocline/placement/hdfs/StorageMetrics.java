// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import io.thermocline.placement.choice.MetricsView;
import io.thermocline.placement.choice.ServerMetrics;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;

/** What was known of each storage at one refresh, for {@link CandidateChoice}. Immutable. */
final class StorageMetrics {
  /** Of a storage that came since. */
  private static final int UNHEARD_OF = -1;

  private final Map<DatanodeStorageInfo, Integer> numbers;
  private final ServerMetrics values;

  private StorageMetrics(Map<DatanodeStorageInfo, Integer> numbers, ServerMetrics values) {
    this.numbers = numbers;
    this.values = values;
  }

  static StorageMetrics of(List<DatanodeDescriptor> nodes, NameNodeMetrics source) {
    List<DatanodeStorageInfo> storages = new ArrayList<>(nodes.size() * 4);
    // By identity: the equals of a storage compares ids.
    Map<DatanodeStorageInfo, Integer> numbers = new IdentityHashMap<>(nodes.size() * 4);
    for (DatanodeDescriptor node : nodes) {
      for (DatanodeStorageInfo storage : node.getStorageInfos()) {
        numbers.put(storage, storages.size());
        storages.add(storage);
      }
    }
    return new StorageMetrics(
        numbers, source.ofStorages(storages.toArray(new DatanodeStorageInfo[0])));
  }

  /** The number that the values have it under; one without values where it has none. */
  int number(DatanodeStorageInfo storage) {
    return numbers.getOrDefault(storage, UNHEARD_OF);
  }

  /**
   * The values with the distances from a writer.
   *
   * @param writer null where it is no DataNode: then no distance is known
   */
  MetricsView seenBy(NodeEntry writer) {
    return values.seenFrom(writer == null ? null : NameNodeMetrics.locationOf(writer.node()));
  }
}
