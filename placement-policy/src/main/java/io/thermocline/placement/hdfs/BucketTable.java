// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import io.thermocline.placement.hdfs.PlacementCounters.Event;
import io.thermocline.placement.model.DeviceSelector;
import io.thermocline.placement.model.StorageType;
import io.thermocline.placement.suora.BucketSegments;
import io.thermocline.placement.suora.DeviceSpace;
import io.thermocline.placement.suora.SegmentLog;
import io.thermocline.placement.suora.SegmentLogException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.ThermoclineBridge;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the storages of one bucket with its segments, keeps them in a file where one is given, and
 * puts the NameNode's storages behind the line for new blocks. Used by one thread.
 */
final class BucketTable {

  // With a file, the first assignment waits until the cluster is complete: for as long as
  // storages come, they are assigned anew by id in memory. From then on the table only grows at
  // its end.
  //
  // A storage that is away keeps its segments for some time: a node that restarts must not come
  // back as a new one. The line for new blocks is without it meanwhile.
  //
  // The file goes before the memory: what another NameNode wrote is taken over, and what could
  // not be written yet is dropped for it. Where the file can't be written or read, the table in
  // memory serves on.

  private static final Logger LOG = LoggerFactory.getLogger(ThermoclinePlacementPolicy.class);

  private final String bucket;
  private final StorageType type;
  private final TableKeeping keeping;
  private final BucketSelection.OfBucket selection;

  /** Null where the table is in memory only. */
  private final SegmentFile file;

  private final Map<String, Long> awaySince = new HashMap<>();

  private BucketSegments segments;
  private SegmentLog saved;
  private long comingSince;
  private boolean incomplete = true;

  private BucketLine current;
  private TableFigures figures;

  /** Of all storages of a type. */
  BucketTable(StorageType type, TableKeeping keeping, BucketSelection selection) {
    this.bucket = type.name();
    this.type = type;
    this.selection = selection.ofBucket(type.bucket());
    this.keeping = keeping;
    this.file = keeping.file(bucket);
    this.saved = SegmentLog.empty(bucket);
    this.figures = TableFigures.none(bucket);
  }

  /**
   * The line for the storages present now; the same object as before where nothing changed, null
   * where there are none.
   *
   * @param wornOut ids of storages that take no new blocks
   */
  BucketLine refresh(SortedMap<String, DatanodeStorageInfo> present, Set<String> wornOut) {
    takeOver();
    if (segments == null && present.isEmpty()) {
      return null;
    }
    segments = followed(present);
    save();
    Set<String> passedOver = new HashSet<>();
    int away = 0;
    for (String id : segments.log().deviceIds()) {
      if (!present.containsKey(id)) {
        passedOver.add(id);
        away++;
      } else if (wornOut.contains(id)) {
        passedOver.add(id);
      }
    }
    figures = figures.next(segments.log(), away, passedOver.size() - away);
    current = present.isEmpty() ? null : line(present, passedOver);
    return current;
  }

  /** As of the last refresh; immutable. */
  TableFigures figures() {
    return figures;
  }

  private BucketLine line(SortedMap<String, DatanodeStorageInfo> present, Set<String> passedOver) {
    DeviceSelector selector = selection.follow(segments, present, passedOver);
    DatanodeStorageInfo[] storages = new DatanodeStorageInfo[selector.devices()];
    for (int i = 0; i < storages.length; i++) {
      storages[i] = present.get(selector.deviceId(i));
    }
    return current != null && current.selector() == selector && current.holdsExactly(storages)
        ? current
        : new BucketLine(type, selector, storages);
  }

  private BucketSegments followed(SortedMap<String, DatanodeStorageInfo> present) {
    SortedMap<String, DeviceSpace> spaces = new TreeMap<>();
    present.forEach(
        (id, storage) ->
            spaces.put(
                id,
                DeviceSpace.of(
                    ThermoclineBridge.capacity(storage), ThermoclineBridge.remaining(storage))));
    if (file != null && saved.isEmpty() && incomplete) {
      return first(spaces);
    }
    awaySince.keySet().removeAll(present.keySet());
    if (segments != null) {
      long now = keeping.nanoTime();
      for (String id : segments.log().deviceIds()) {
        if (!present.containsKey(id)
            && now - awaySince.computeIfAbsent(id, key -> now) < keeping.forgetNanos()) {
          spaces.put(id, DeviceSpace.ofUnknownFill(segments.log().capacity(id)));
        }
      }
    }
    if (spaces.isEmpty()) {
      // All forgotten. Whatever comes is a new cluster.
      return segments;
    }
    return segments == null
        ? BucketSegments.of(SegmentLog.empty(bucket)).assignAnew(spaces)
        : segments.follow(
            spaces,
            file == null ? BucketSegments.Growth.ASSIGN_ANEW : BucketSegments.Growth.APPEND);
  }

  /** Of a cluster of which more may come. */
  private BucketSegments first(SortedMap<String, DeviceSpace> spaces) {
    long now = keeping.nanoTime();
    boolean same = segments != null && segments.log().deviceIds().equals(spaces.keySet());
    if (!same) {
      comingSince = now;
    }
    incomplete = now - comingSince < keeping.settleNanos();
    if (same || spaces.isEmpty()) {
      return segments;
    }
    return BucketSegments.of(SegmentLog.empty(bucket)).assignAnew(spaces);
  }

  /** Takes over what the file says, where that isn't known yet. */
  private void takeOver() {
    if (file == null) {
      return;
    }
    try {
      SegmentLog now = file.poll();
      if (now != saved && !now.isEmpty()) {
        adopt(now);
      } else if (now.isEmpty() && !saved.isEmpty()) {
        // Somebody took the file away. What is known is written again.
        saved = now;
      }
    } catch (SegmentLogException e) {
      setAside(e);
    } catch (IOException e) {
      keeping.failed(Event.TABLE_FAILED, e);
    }
  }

  private void save() {
    if (file == null || incomplete && saved.isEmpty() || segments.log() == saved) {
      return;
    }
    try {
      SegmentLog now = file.write(segments.log());
      if (now == segments.log()) {
        saved = now;
      } else if (now != null && !now.isEmpty()) {
        // Another NameNode was first. What is still missing joins at the next refresh.
        adopt(now);
      }
    } catch (SegmentLogException e) {
      setAside(e);
    } catch (IOException e) {
      keeping.failed(Event.TABLE_FAILED, e);
    }
  }

  private void adopt(SegmentLog log) {
    saved = log;
    segments = BucketSegments.of(log);
    incomplete = false;
  }

  private void setAside(SegmentLogException e) {
    try {
      // In memory may be what a cluster that isn't complete gave: then the undamaged part is
      // better.
      SegmentLog instead = saved.isEmpty() ? e.before() : segments.log();
      Path aside = file.setAside(instead);
      if (aside != null) {
        keeping.count(Event.TABLE_DAMAGED);
        LOG.error(
            "the segment table {} is damaged: {}; it is kept as {}, and {} operations known of"
                + " are written in its place",
            file,
            e.getMessage(),
            aside,
            instead.sequence());
        if (!instead.isEmpty()) {
          adopt(instead);
        }
      }
    } catch (SegmentLogException | IOException again) {
      keeping.failed(Event.TABLE_FAILED, again);
    }
  }
}
