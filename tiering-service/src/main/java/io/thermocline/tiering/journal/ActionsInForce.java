// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.journal;

import io.thermocline.tiering.observe.Paths;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/** Which actions a journal says are up by our doing. Not thread-safe. */
final class ActionsInForce {

  private final Map<String, Integer> cached = new HashMap<>();
  private final Map<String, JournalEntry.CacheSet> sets = new HashMap<>();
  private final Map<String, JournalEntry.CacheDirective> directives = new HashMap<>();

  /** Asked for by who reads logs while entries are written. */
  private final NavigableMap<String, Up> raised = new ConcurrentSkipListMap<>();

  /** Those that somebody took over, and that we raised last. */
  private final NavigableMap<String, Lost> lost = new ConcurrentSkipListMap<>();

  /** Those that we lowered a moment ago: somebody may have set them right before. */
  private final Map<String, JournalEntry.ReplicationSet> lowered = new LinkedHashMap<>();

  /** Those that HDFS shows changed, where nobody knows yet who did it. */
  private final NavigableMap<String, Left> left = new ConcurrentSkipListMap<>();

  private record Left(Up up, JournalEntry.ReplicationLeft found) {}

  private record Lost(Up up, JournalEntry.TakenOver to) {}

  /**
   * A factor that is raised.
   *
   * @param at when it was last
   * @param group whose member the file is; 0: none
   */
  private record Up(Journal.Raised raised, String at, long group) {}

  void remember(JournalEntry entry) {
    if (entry instanceof JournalEntry.CacheSet set) {
      if (set.after() == 0) {
        cached.remove(set.path());
        sets.remove(set.path());
        directives.remove(set.path());
      } else {
        cached.put(set.path(), set.after());
        sets.put(set.path(), set);
      }
    } else if (entry instanceof JournalEntry.CacheDirective made) {
      directives.put(made.path(), made);
    } else if (entry instanceof JournalEntry.ReplicationSet set) {
      Up up = raised.get(set.path());
      int origin =
          up != null && up.raised().now() == set.before() ? up.raised().before() : set.before();
      if (set.after() <= origin) {
        raised.remove(set.path());
        lowered.remove(set.path());
        lowered.put(set.path(), set);
        forgetLowered(Instant.parse(set.at()).minus(Journal.LEFT_FACTORS));
      } else {
        lowered.remove(set.path());
        lost.remove(set.path());
        left.remove(set.path());
        raised.put(
            set.path(), new Up(new Journal.Raised(origin, set.after()), set.at(), set.group()));
      }
    } else if (entry instanceof JournalEntry.ReplicationLeft found) {
      Instant old = Instant.parse(found.at()).minus(Journal.LEFT_FACTORS);
      left.values().removeIf(each -> Instant.parse(each.found().at()).isBefore(old));
      Up up = raised.remove(found.path());
      if (up != null) {
        left.put(found.path(), new Left(up, found));
      }
    } else if (entry instanceof JournalEntry.TakenOver taken
        && taken.what() == JournalEntry.Taken.REPLICATION) {
      left.remove(taken.path());
      Up up = raised.remove(taken.path());
      JournalEntry.ReplicationSet down = lowered.get(taken.path());
      if (up == null && down != null) {
        up = new Up(new Journal.Raised(down.before(), down.after()), down.at(), down.group());
      }
      if (up != null) {
        lost.put(taken.path(), new Lost(up, taken));
      }
    } else if (entry instanceof JournalEntry.Renamed renamed) {
      // A replication factor goes along with its file, a cache directive stays with its path.
      Paths.rename(raised, renamed.path(), renamed.to());
      Paths.rename(lost, renamed.path(), renamed.to());
      lowered.remove(renamed.path());
      Paths.rename(left, renamed.path(), renamed.to());
    } else if (entry instanceof JournalEntry.GroupEnded ended) {
      // Members that it couldn't lower.
      raised.replaceAll(
          (path, up) -> up.group() == ended.group() ? new Up(up.raised(), up.at(), 0) : up);
    } else if (entry instanceof JournalEntry.Released released) {
      lost.remove(released.path());
      left.remove(released.path());
    }
  }

  private void forgetLowered(Instant before) {
    Iterator<JournalEntry.ReplicationSet> oldest = lowered.values().iterator();
    while (oldest.hasNext() && Instant.parse(oldest.next().at()).isBefore(before)) {
      oldest.remove();
    }
  }

  /** When we changed a factor last that is raised, or was a moment ago, or when nobody knew yet who changed it. */
  Optional<String> changedAt(String path) {
    return Optional.ofNullable(raised.get(path))
        .or(() -> Optional.ofNullable(left.get(path)).map(Left::up))
        .map(Up::at)
        .or(() -> Optional.ofNullable(lowered.get(path)).map(JournalEntry.ReplicationSet::at));
  }

  /** Whether somebody's change of a factor is one of what we had changed. */
  boolean isConcerned(String path) {
    return isUp(path) || lowered.containsKey(path);
  }

  /** Whether the factor is ours, or was when we looked last. */
  boolean isUp(String path) {
    return raised.containsKey(path) || left.containsKey(path);
  }

  Map<String, Instant> leftSince(Instant since) {
    Map<String, Instant> paths = new HashMap<>();
    left.forEach(
        (path, each) -> {
          Instant at = Instant.parse(each.found().at());
          if (!at.isBefore(since)) {
            paths.put(path, at);
          }
        });
    return paths;
  }

  /** How we had changed a factor before somebody took it over; empty where we raised it after that. */
  Optional<Journal.Raised> takenFrom(String path) {
    return Optional.ofNullable(lost.get(path)).map(each -> each.up().raised());
  }

  boolean isRaisedBelow(String path) {
    return Paths.hasAtOrBelow(raised, path);
  }

  /** Entries that come to the same. */
  List<JournalEntry> entries() {
    List<JournalEntry> entries = new ArrayList<>(sets.values());
    entries.addAll(directives.values());
    raised.forEach((path, up) -> entries.add(set(path, up)));
    left.forEach(
        (path, each) -> {
          entries.add(set(path, each.up()));
          entries.add(
              new JournalEntry.ReplicationLeft(each.found().at(), path, each.found().found()));
        });
    lost.forEach(
        (path, each) -> {
          JournalEntry.TakenOver to = each.to();
          entries.add(set(path, each.up()));
          entries.add(new JournalEntry.TakenOver(to.at(), path, to.what(), to.who(), to.heat()));
        });
    return entries;
  }

  private static JournalEntry.ReplicationSet set(String path, Up up) {
    return new JournalEntry.ReplicationSet(
        up.at(), path, up.raised().before(), up.raised().now(), up.group());
  }

  Map<String, Integer> cached() {
    return Map.copyOf(cached);
  }

  Optional<JournalEntry.CacheDirective> directive(String path) {
    return Optional.ofNullable(directives.get(path));
  }

  /** But for members of groups. */
  Map<String, Journal.Raised> raised() {
    Map<String, Journal.Raised> factors = new HashMap<>();
    raised.forEach(
        (path, up) -> {
          if (up.group() == 0) {
            factors.put(path, up.raised());
          }
        });
    return factors;
  }

  /** Also of a member of a group. */
  Optional<Journal.Raised> raised(String path) {
    return Optional.ofNullable(raised.get(path)).map(Up::raised);
  }
}
