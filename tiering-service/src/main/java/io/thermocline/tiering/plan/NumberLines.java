// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.plan;

import io.thermocline.placement.model.StorageType;
import io.thermocline.placement.suora.Device;
import io.thermocline.placement.suora.NumberLine;
import io.thermocline.placement.suora.RandomSequence;
import io.thermocline.placement.suora.Segment;
import io.thermocline.placement.suora.SegmentTable;
import io.thermocline.tiering.cluster.ClusterView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * One SUORA number line for each storage type of the cluster, from which a block's home on that type
 * is read. Immutable; {@link #update} gives the lines of a later snapshot.
 *
 * <p>The tables are kept from snapshot to snapshot and only appended to, since a line that were built
 * anew for each would send most blocks to other homes whenever a node comes or goes. They are in
 * memory only: after a restart storages are assigned by id again.
 */
public final class NumberLines {

  /** Draws after which a line counts as having no device that fits; see the class's own bound. */
  private static final int DRAWS_PER_DEVICE = 64;

  private final Map<StorageType, SegmentTable> tables;
  private final Map<StorageType, NumberLine> lines;

  private NumberLines(Map<StorageType, SegmentTable> tables) {
    this.tables = tables;
    this.lines = new EnumMap<>(StorageType.class);
    tables.forEach((type, table) -> lines.put(type, table.numberLine()));
  }

  /** Lines without any device. */
  public static NumberLines empty() {
    return new NumberLines(new EnumMap<>(StorageType.class));
  }

  /** The lines after devices came and went: old segments stay where they are (section 3.4.2). */
  public NumberLines update(ClusterView cluster) {
    Map<StorageType, SegmentTable> updated = new EnumMap<>(StorageType.class);
    devices(cluster)
        .forEach(
            (type, devices) -> {
              SegmentTable table = tables.get(type);
              updated.put(
                  type,
                  table == null
                      ? SegmentTable.assign(devices, SegmentTable.meanCapacity(devices))
                      : merge(table, devices));
            });
    return new NumberLines(updated);
  }

  /**
   * The home of a block on a storage type.
   *
   * @param fits whether the storage of this id may take it; the next in the block's sequence is asked
   *     when not
   * @return storage id, or null where none fits
   */
  String home(StorageType type, long blockId, Predicate<String> fits) {
    NumberLine line = lines.get(type);
    if (line == null || line.devices() == 0) {
      return null;
    }
    int index =
        line.place(
            RandomSequence.inBucket(blockId, type),
            device -> fits.test(line.deviceId(device)),
            DRAWS_PER_DEVICE * line.devices());
    return index < 0 ? null : line.deviceId(index);
  }

  private static SegmentTable merge(SegmentTable table, List<Device> devices) {
    Set<String> known =
        table.segments().stream().map(Segment::deviceId).collect(Collectors.toSet());
    Map<String, Device> now = new LinkedHashMap<>();
    devices.forEach(device -> now.put(device.id(), device));
    SegmentTable merged = table;
    for (String id : known) {
      if (!now.containsKey(id)) {
        merged = merged.remove(id);
      }
    }
    for (Device device : devices) {
      if (!known.contains(device.id())) {
        merged = merged.append(device, SegmentTable.meanCapacity(devices));
      }
    }
    return merged;
  }

  private static Map<StorageType, List<Device>> devices(ClusterView cluster) {
    Map<StorageType, List<Device>> devices = new EnumMap<>(StorageType.class);
    cluster.nodes().values().stream()
        .flatMap(node -> node.storages().stream())
        .filter(storage -> storage.capacity() > 0)
        .sorted(Comparator.comparing(ClusterView.Storage::id))
        .forEach(
            storage ->
                devices
                    .computeIfAbsent(storage.type(), type -> new ArrayList<>())
                    .add(Device.of(storage.id(), storage.capacity())));
    return devices;
  }
}
