// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.journal;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tasks that have not ended, and those that ended last, by a journal. Not thread-safe. */
final class TasksKept {

  /** That ended. */
  private static final int MOST = 1000;

  private final Map<Long, JournalEntry.TaskBegun> open = new LinkedHashMap<>();
  private final Map<Long, Journal.KeptTask> ended = new LinkedHashMap<>();

  void remember(JournalEntry entry) {
    if (entry instanceof JournalEntry.TaskBegun begun) {
      open.put(begun.task(), begun);
    } else if (entry instanceof JournalEntry.TaskEnded end) {
      JournalEntry.TaskBegun begun = open.remove(end.task());
      if (begun != null) {
        ended.put(end.task(), new Journal.KeptTask(begun, Optional.of(end)));
      }
      Iterator<Long> oldest = ended.keySet().iterator();
      while (ended.size() > MOST) {
        oldest.next();
        oldest.remove();
      }
    }
  }

  /** Those that ended in this order, then those that have not. */
  List<Journal.KeptTask> all() {
    List<Journal.KeptTask> all = new ArrayList<>(ended.values());
    open.values().forEach(begun -> all.add(new Journal.KeptTask(begun, Optional.empty())));
    return all;
  }

  /** The entries that come to the same. */
  List<JournalEntry> entries() {
    List<JournalEntry> entries = new ArrayList<>();
    for (Journal.KeptTask task : all()) {
      entries.add(task.begun());
      task.ended().ifPresent(entries::add);
    }
    return entries;
  }
}
