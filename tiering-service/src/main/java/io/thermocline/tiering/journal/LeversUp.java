// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.journal;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which levers a journal says are up by our doing. Not thread-safe. */
final class LeversUp {

  private final Map<String, Integer> cached = new HashMap<>();
  private final Map<String, JournalEntry.CacheSet> directives = new HashMap<>();
  private final Map<String, Journal.Raised> raised = new HashMap<>();

  void remember(JournalEntry entry) {
    if (entry instanceof JournalEntry.CacheSet set) {
      if (set.after() == 0) {
        cached.remove(set.path());
        directives.remove(set.path());
      } else {
        cached.put(set.path(), set.after());
        directives.put(set.path(), set);
      }
    } else if (entry instanceof JournalEntry.ReplicationSet set) {
      Journal.Raised up = raised.get(set.path());
      int origin = up != null && up.now() == set.before() ? up.before() : set.before();
      if (set.after() <= origin) {
        raised.remove(set.path());
      } else {
        raised.put(set.path(), new Journal.Raised(origin, set.after()));
      }
    } else if (entry instanceof JournalEntry.ReplicationLeft left) {
      raised.remove(left.path());
    }
  }

  /** Entries that come to the same. */
  List<JournalEntry> entries() {
    List<JournalEntry> entries = new ArrayList<>(directives.values());
    raised.forEach(
        (path, up) ->
            entries.add(
                new JournalEntry.ReplicationSet(
                    Instant.EPOCH.toString(), path, up.before(), up.now())));
    return entries;
  }

  Map<String, Integer> cached() {
    return Map.copyOf(cached);
  }

  Map<String, Journal.Raised> raised() {
    return Map.copyOf(raised);
  }
}
