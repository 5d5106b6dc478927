// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.journal;

import io.thermocline.tiering.observe.Paths;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Changes of others that were remembered and wait to be written, as fewer entries that come to the same: first renames, of
 * which one that takes back the one before cancels it, then what was taken over, the last of each kind. Not thread-safe.
 */
final class NotedChanges {

  /** How many deletions are compared with the next. */
  private static final int COMPARED = 64;

  private final List<Rename> renames = new ArrayList<>();

  /** By the path that it is at after all renames. */
  private final NavigableMap<String, Map<JournalEntry.Taken, JournalEntry.TakenOver>> taken =
      new TreeMap<>();

  /**
   * @param replaces whether something that was remembered of the new path goes
   */
  private record Rename(JournalEntry.Renamed entry, boolean replaces) {}

  void add(JournalEntry.TakenOver next) {
    Map<JournalEntry.Taken, JournalEntry.TakenOver> kinds =
        taken.computeIfAbsent(next.path(), first -> new EnumMap<>(JournalEntry.Taken.class));
    if (next.what().isOfPolicy()) {
      kinds.keySet().removeIf(JournalEntry.Taken::isOfPolicy);
    }
    kinds.put(next.what(), next);
  }

  /**
   * @param replaces whether something is remembered of the new path
   */
  void add(JournalEntry.Renamed next, boolean replaces) {
    Paths.rename(taken, next.path(), next.to());
    Rename last = renames.isEmpty() ? null : renames.get(renames.size() - 1);
    if (last == null || !isContinued(last.entry(), next)) {
      push(next, replaces);
      return;
    }
    renames.remove(renames.size() - 1);
    if (last.replaces()) {
      push(new JournalEntry.Renamed(next.at(), next.path(), ""), false);
    }
    if (!last.entry().path().equals(next.to())) {
      push(new JournalEntry.Renamed(next.at(), last.entry().path(), next.to()), replaces);
    }
  }

  /** What was taken over at or below a path, and isn't remembered any more, needn't be written. */
  void forget(String path, Predicate<String> isRemembered) {
    for (String each : Paths.atOrBelow(taken, path)) {
      if (!isRemembered.test(each)) {
        taken.remove(each);
      }
    }
  }

  private static boolean isContinued(JournalEntry.Renamed last, JournalEntry.Renamed next) {
    return last.to().equals(next.path())
        && !areNested(last.path(), last.to())
        && !areNested(next.path(), next.to())
        && !areNested(last.path(), next.to());
  }

  private static boolean areNested(String one, String other) {
    return Paths.isBelow(one, other) || Paths.isBelow(other, one);
  }

  private void push(JournalEntry.Renamed next, boolean replaces) {
    if (next.to().isEmpty()) {
      int oldest = Math.max(0, renames.size() - COMPARED);
      for (int i = renames.size() - 1; i >= oldest; i--) {
        JournalEntry.Renamed before = renames.get(i).entry();
        if (!before.to().isEmpty()) {
          break;
        }
        if (before.path().equals(next.path())) {
          return;
        }
      }
    }
    renames.add(new Rename(next, replaces));
  }

  boolean isEmpty() {
    return renames.isEmpty() && taken.isEmpty();
  }

  List<JournalEntry> entries() {
    List<JournalEntry> entries = new ArrayList<>();
    renames.forEach(rename -> entries.add(rename.entry()));
    // A directory's last: it may be there because of those below it.
    taken
        .descendingMap()
        .forEach(
            (path, kinds) ->
                kinds.values().forEach(each -> entries.add(PoliciesSet.of(path, each))));
    return entries;
  }

  void clear() {
    renames.clear();
    taken.clear();
  }
}
