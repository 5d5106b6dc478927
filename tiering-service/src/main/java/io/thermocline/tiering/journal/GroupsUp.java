// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.journal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Which groups a journal says there are, and which people didn't want. Not thread-safe. */
final class GroupsUp {

  private static final int MOST_UNWANTED = 1_000;

  private final Map<Long, JournalEntry.GroupMade> groups = new LinkedHashMap<>();
  private final Map<Long, JournalEntry.GroupShown> shown = new HashMap<>();
  private final Deque<Unwanted> unwanted = new ArrayDeque<>();

  /** A group that somebody had ended. */
  private record Unwanted(JournalEntry.GroupMade group, JournalEntry.GroupEnded end) {}

  void remember(JournalEntry entry) {
    if (entry instanceof JournalEntry.GroupMade made) {
      groups.put(made.group(), made);
    } else if (entry instanceof JournalEntry.GroupShown now) {
      shown.put(now.group(), now);
    } else if (entry instanceof JournalEntry.GroupEnded ended) {
      shown.remove(ended.group());
      JournalEntry.GroupMade group = groups.remove(ended.group());
      if (group != null && !ended.who().isEmpty()) {
        unwanted.addLast(new Unwanted(group, ended));
        if (unwanted.size() > MOST_UNWANTED) {
          unwanted.removeFirst();
        }
      }
    }
  }

  /** Entries that come to the same. */
  List<JournalEntry> entries() {
    List<JournalEntry> entries = new ArrayList<>();
    for (Unwanted each : unwanted) {
      entries.add(each.group());
      entries.add(each.end());
    }
    entries.addAll(groups.values());
    entries.addAll(shown.values());
    return entries;
  }

  List<Journal.Group> groups() {
    return groups.values().stream()
        .map(made -> new Journal.Group(made, Optional.ofNullable(shown.get(made.group()))))
        .toList();
  }

  /** When somebody had the last group ended that a file was in, as text, by the file's path then. */
  Map<String, String> unwanted() {
    Map<String, String> ended = new HashMap<>();
    for (Unwanted each : unwanted) {
      each.group().members().forEach(member -> ended.put(member.path(), each.end().at()));
    }
    return ended;
  }
}
