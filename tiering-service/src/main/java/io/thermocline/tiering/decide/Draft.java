// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.cluster.ClusterView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Decisions while they are being made: what each file's layout and each type's bytes will be once all
 * that was decided so far is done. Rules read from here and write here, so each sees what the ones
 * before it decided. Not thread-safe.
 */
final class Draft {

  private final List<Entry> entries = new ArrayList<>();
  private final Map<StorageType, ClusterView.Occupancy> occupancy;
  private final Map<StorageType, Long> used = new EnumMap<>(StorageType.class);

  /**
   * A file, and what is planned for it.
   *
   * @param planned replaced as rules decide
   */
  static final class Entry {
    /** As {@link HotFile#HOTTEST_FIRST}; total, since paths differ. */
    static final Comparator<Entry> HOTTEST_FIRST =
        Comparator.comparing(entry -> entry.hot, HotFile.HOTTEST_FIRST);

    private final HotFile hot;
    private Outcome planned;

    private Entry(HotFile hot) {
      this.hot = hot;
      this.planned = new Outcome(Layout.of(hot.file()), null, null, "");
    }

    HotFile hot() {
      return hot;
    }

    Outcome planned() {
      return planned;
    }

    Layout layout() {
      return planned.layout();
    }
  }

  /**
   * What is planned for a file.
   *
   * @param target null where it stays
   * @param cause of the first rule that decided; null where none did
   */
  record Outcome(Layout layout, Target target, Decision.Cause cause, String reason) {

    /** Where copies go besides the fastest, as decided so far. */
    StorageType rest() {
      return target == null ? null : target.rest();
    }
  }

  Draft(List<HotFile> files, ClusterView cluster) {
    this.occupancy = cluster.occupancy();
    occupancy.forEach((type, bytes) -> used.put(type, bytes.used()));
    for (HotFile hot : files) {
      Entry entry = new Entry(hot);
      // What lies in memory is on its way to a disk by HDFS's own hand, and can't be moved
      // meanwhile.
      if (hot.file().length() > 0 && !entry.layout().touches(StorageType.RAM_DISK)) {
        entries.add(entry);
      }
    }
    entries.sort(Entry.HOTTEST_FIRST);
  }

  /** All files, hottest byte first. */
  List<Entry> entries() {
    return entries;
  }

  /** Bytes on a type, with all that was decided done. */
  long used(StorageType type) {
    return used.getOrDefault(type, 0L);
  }

  /** Whether the cluster has storages of this type. */
  boolean has(StorageType type) {
    return capacity(type) > 0;
  }

  /** Bytes that a fraction of a type's capacity is. */
  long share(double fraction, StorageType type) {
    return (long) (fraction * capacity(type));
  }

  private long capacity(StorageType type) {
    ClusterView.Occupancy found = occupancy.get(type);
    return found == null ? 0 : found.capacity();
  }

  /**
   * Plans a target on top of an earlier outcome of the same file: the first cause stays, and each reason
   * is added once.
   */
  void decide(Entry entry, Outcome earlier, Target target, Decision.Cause cause, String reason) {
    boolean first = earlier.cause() == null;
    String reasons = earlier.reason();
    if (!reasons.contains(reason)) {
      reasons = first ? reason : reasons + "; " + reason;
    }
    Layout layout = Layout.of(entry.hot.file(), target);
    restore(entry, new Outcome(layout, target, first ? cause : earlier.cause(), reasons));
  }

  /** Goes back to an earlier outcome. */
  void restore(Entry entry, Outcome outcome) {
    for (StorageType type : StorageType.values()) {
      long change = outcome.layout().bytesOn(type) - entry.layout().bytesOn(type);
      if (change != 0) {
        used.merge(type, change, Long::sum);
      }
    }
    entry.planned = outcome;
  }

  /** The files whose copies go elsewhere, room first, then what needs it. */
  List<Decision> decisions() {
    List<Decision> decisions = new ArrayList<>();
    for (Entry entry : entries) {
      Outcome planned = entry.planned;
      Layout now = Layout.of(entry.hot.file());
      if (planned.target() != null && !planned.layout().equals(now)) {
        decisions.add(
            new Decision(
                entry.hot, now.lead(), planned.target(), planned.cause(), planned.reason()));
      }
    }
    // Stable, so the hottest come first within a cause.
    decisions.sort(Comparator.comparing(Decision::cause));
    return decisions;
  }
}
