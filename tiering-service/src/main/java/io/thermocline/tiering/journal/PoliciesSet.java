// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.journal;

import io.thermocline.tiering.observe.Paths;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Whose storage policies are, by path: ours where we set the last one, somebody else's where they set it after us. Not
 * thread-safe.
 */
final class PoliciesSet {

  /** What of it keeps a path from being done anything to that is ours to change. */
  private static final Set<JournalEntry.Taken> TAKEN_BACK =
      EnumSet.of(
          JournalEntry.Taken.NO_POLICY, JournalEntry.Taken.REPLICATION, JournalEntry.Taken.UNDONE);

  /** Of paths below a directory with a policy of ours: where there are more, it counts as taken over itself. */
  private static final int MOST_TAKEN_BELOW = 10_000;

  /** Asked for by who reads logs while entries are written. */
  private final NavigableMap<String, Owned> paths = new ConcurrentSkipListMap<>();

  private long takeovers;

  private static final class Owned {
    /** The last two of ours: the last may have been recorded and not set before a crash. Empty where they aren't ours. */
    private List<JournalEntry.PolicySet> ours = List.of();

    /** What was set on the path before the first of ours; empty: nothing; null: not known. */
    private String original;

    /** Whether the last of ours is the first since then. */
    private boolean isFirst;

    /** What somebody took over, the last of each kind. */
    private final Map<JournalEntry.Taken, JournalEntry.TakenOver> taken =
        new EnumMap<>(JournalEntry.Taken.class);

    /** Ours, which somebody's stands for or was replaced by; null where we set one since. */
    private JournalEntry.PolicySet before;

    /** Counts what was taken over, of the last of it. */
    private long number;

    /** How many paths below it were taken over since they were counted, and were then. */
    private int takenBelow;

    /** Whether what this one set was there before ours: it is somebody's again. Nothing is nobody's. */
    private boolean isBack(JournalEntry.PolicySet set) {
      return !set.policy().isEmpty()
          && set.policy().equals(original)
          && set == ours.get(ours.size() - 1);
    }

    private boolean isOneOfOurs(String policy) {
      return ours.stream().anyMatch(set -> set.policy().equals(policy) && !isBack(set));
    }

    /** Whether ours was recorded as given back before a crash, and is in force all the same. */
    private boolean isUndone(JournalEntry.PolicySet set) {
      if (ours.size() < 2 || set.before() == null) {
        return false;
      }
      JournalEntry.PolicySet last = ours.get(1);
      return (last.policy().isEmpty() || isBack(last))
          && set.before().equals(last.before())
          && set.before().equals(ours.get(0).policy());
    }

    private void set(JournalEntry.PolicySet set) {
      if (isUndone(set)) {
        ours = List.of(ours.get(0));
      }
      isFirst = true;
      if (!ours.isEmpty()) {
        JournalEntry.PolicySet last = ours.get(ours.size() - 1);
        isFirst = last.policy().isEmpty() || isBack(last);
      }
      if (isFirst) {
        original = set.before();
      }
      ours = ours.isEmpty() ? List.of(set) : List.of(ours.get(ours.size() - 1), set);
      before = null;
    }

    /** Replayed, they come to the same. */
    private List<JournalEntry.PolicySet> replayed() {
      if (ours.isEmpty()) {
        return List.of();
      }
      JournalEntry.PolicySet first = ours.get(0);
      String replayed = ours.size() == 1 || !isFirst ? original : first.policy();
      List<JournalEntry.PolicySet> all = new ArrayList<>(ours);
      all.set(0, new JournalEntry.PolicySet(first.at(), first.path(), first.policy(), replayed));
      return all;
    }

    private boolean isTaken() {
      return ours.isEmpty()
          && (taken.containsKey(JournalEntry.Taken.POLICY)
              || taken.containsKey(JournalEntry.Taken.BROUGHT_IN));
    }

    /** Whether a policy of ours may be in force. */
    private boolean mayBeOurs() {
      return ours.stream().anyMatch(set -> !set.policy().isEmpty() && !isBack(set));
    }

    /** Whether it says no more than that the path is somebody's. */
    private boolean isOnlyTaken() {
      return isTaken() && taken.size() == 1 && before == null;
    }
  }

  void remember(JournalEntry entry) {
    if (entry instanceof JournalEntry.PolicySet set) {
      at(set.path()).set(set);
    } else if (entry instanceof JournalEntry.TakenOver taken) {
      boolean isFirst = !paths.containsKey(taken.path());
      Owned owned = at(taken.path());
      if (taken.what().isOfPolicy()) {
        if (isFirst) {
          oursAbove(taken.path()).ifPresent(above -> paths.get(above).takenBelow++);
        }
        owned.taken.keySet().removeIf(JournalEntry.Taken::isOfPolicy);
        if (!owned.ours.isEmpty()) {
          owned.before = owned.ours.get(owned.ours.size() - 1);
          owned.ours = List.of();
        }
      }
      owned.taken.put(taken.what(), taken);
      owned.number = ++takeovers;
      if (owned.isTaken() && owned.takenBelow > 0) {
        // It says the same of them.
        owned.takenBelow = 0;
        takenBelow(taken.path(), Optional.empty()).forEach(paths::remove);
      }
    } else if (entry instanceof JournalEntry.Released released) {
      at(released.path()).taken.keySet().removeAll(TAKEN_BACK);
    } else if (entry instanceof JournalEntry.PolicyGivenBack back) {
      at(back.path()).before = null;
    } else if (entry instanceof JournalEntry.Renamed renamed) {
      rename(renamed.path(), renamed.to());
    }
  }

  private void rename(String path, String to) {
    Optional<String> before = oursAbove(path);
    Paths.rename(paths, path, to);
    if (to.isEmpty() || before.isPresent() && before.equals(oursAbove(to))) {
      return;
    }
    for (String each : Paths.atOrBelow(paths, to)) {
      if (paths.get(each).isOnlyTaken()) {
        Optional<String> above = oursAbove(each);
        above.ifPresent(at -> paths.get(at).takenBelow++);
        if (above.isEmpty()) {
          // Nothing of ours is there that it could pass for.
          paths.remove(each);
        }
      }
    }
  }

  private Owned at(String path) {
    return paths.computeIfAbsent(path, first -> new Owned());
  }

  /** Whether the policy of a path may be of our setting, on it or on a directory above. */
  boolean maySet(String path, String policy) {
    for (String at = path; at != null; at = Paths.above(at)) {
      Owned owned = paths.get(at);
      if (owned != null && owned.isOneOfOurs(policy)) {
        return true;
      }
      if (owned != null && owned.isTaken()) {
        return false;
      }
    }
    return false;
  }

  Optional<JournalEntry.PolicySet> lastSet(String path) {
    Owned owned = paths.get(path);
    return owned == null || owned.ours.isEmpty()
        ? Optional.empty()
        : Optional.of(owned.ours.get(owned.ours.size() - 1))
            .filter(last -> !last.policy().isEmpty() && !owned.isBack(last));
  }

  /**
   * What was set on the path before ours; empty where nothing was, where that isn't known, or where ours isn't in force.
   *
   * @param inForce what HDFS shows: ours may have been recorded as given back before a crash, and be in force all the same
   */
  String original(String path, String inForce) {
    Owned owned = paths.get(path);
    boolean isOurs = owned != null && (lastSet(path).isPresent() || owned.isOneOfOurs(inForce));
    return isOurs && owned.original != null ? owned.original : "";
  }

  /** Policies that are ours, by the paths that they are set on. */
  Map<String, String> policies() {
    Map<String, String> policies = new HashMap<>();
    paths
        .keySet()
        .forEach(path -> lastSet(path).ifPresent(set -> policies.put(path, set.policy())));
    return policies;
  }

  /** What somebody took back last at each path, and wasn't released since. */
  List<JournalEntry.TakenOver> takenBack() {
    List<JournalEntry.TakenOver> last = new ArrayList<>();
    paths.forEach(
        (path, owned) ->
            owned.taken.values().stream()
                .filter(taken -> TAKEN_BACK.contains(taken.what()))
                .max(Comparator.comparing(taken -> Instant.parse(taken.at())))
                .ifPresent(taken -> last.add(of(path, taken))));
    return last;
  }

  /** How often anything was taken over. */
  long takeovers() {
    return takeovers;
  }

  /**
   * Why a path isn't ours to change: somebody set a policy on it or above it, and we none after that, or did anything there
   * since.
   *
   * @param since a number of {@link #takeovers}
   */
  Optional<JournalEntry.TakenOver> takenOver(String path, long since) {
    boolean isOurs = false;
    for (String at = path; at != null; at = Paths.above(at)) {
      Owned owned = paths.get(at);
      if (owned != null && owned.number > since) {
        return owned.taken.values().stream()
            .max(Comparator.comparing(taken -> Instant.parse(taken.at())));
      }
      isOurs |= owned != null && !owned.ours.isEmpty();
      // What was brought in has a policy of its own, or no more than what is above: HDFS shows
      // which once that is gone.
      if (!isOurs
          && owned != null
          && owned.isTaken()
          && owned.taken.containsKey(JournalEntry.Taken.POLICY)) {
        return Optional.of(owned.taken.get(JournalEntry.Taken.POLICY));
      }
    }
    return Optional.empty();
  }

  /** What somebody took over last at a path; empty where nobody did. */
  Optional<JournalEntry.TakenOver> taken(String path, JournalEntry.Taken what) {
    Owned owned = paths.get(path);
    return owned == null ? Optional.empty() : Optional.ofNullable(owned.taken.get(what));
  }

  /** When we set one on the path last; empty where that was never, or somebody did since. */
  Optional<String> lastAt(String path) {
    Owned owned = paths.get(path);
    return owned == null || owned.ours.isEmpty()
        ? Optional.empty()
        : Optional.of(owned.ours.get(owned.ours.size() - 1).at());
  }

  /** The policy of ours that somebody took over at a path, as long as we set none after it. */
  Optional<JournalEntry.PolicySet> takenFrom(String path) {
    Owned owned = paths.get(path);
    return owned == null ? Optional.empty() : Optional.ofNullable(owned.before);
  }

  /** Whether somebody's policy on a path matters: anything is known of the path, or a policy of ours may be above it. */
  boolean isConcerned(String path) {
    return paths.containsKey(path) || oursAbove(path).isPresent();
  }

  /** Whether anything is remembered of a directory above the path. Any thread may ask. */
  boolean isBelowAny(String path) {
    for (String at = Paths.above(path); at != null; at = Paths.above(at)) {
      if (paths.containsKey(at)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a policy of ours may be in force on a path or a directory above it, and none of somebody's between. */
  boolean isOurs(String path) {
    Owned owned = paths.get(path);
    return owned != null && owned.mayBeOurs()
        || (owned == null || !owned.isTaken()) && oursAbove(path).isPresent();
  }

  /** The lowest directory above a path whose policy may be ours; empty where somebody's is lower, or there is none. */
  Optional<String> oursAbove(String path) {
    for (String at = Paths.above(path); at != null; at = Paths.above(at)) {
      Owned owned = paths.get(at);
      if (owned != null && owned.mayBeOurs()) {
        return Optional.of(at);
      }
      if (owned != null && owned.isTaken()) {
        return Optional.empty();
      }
    }
    return Optional.empty();
  }

  /**
   * Paths below a directory of which no more is known than that they are somebody's.
   *
   * @param ours the lowest directory above them with a policy of ours
   */
  private List<String> takenBelow(String directory, Optional<String> ours) {
    List<String> found = Paths.atOrBelow(paths, directory);
    found.removeIf(
        path ->
            path.equals(directory)
                || !paths.get(path).isOnlyTaken()
                || !oursAbove(path).equals(ours));
    return found;
  }

  /** The directory with a policy of ours above the path below which too many were taken over; empty where there is none. */
  Optional<String> crowded(String path) {
    Optional<String> above =
        oursAbove(path).filter(at -> paths.get(at).takenBelow > MOST_TAKEN_BELOW);
    // Some may be gone since.
    above.ifPresent(at -> paths.get(at).takenBelow = takenBelow(at, above).size());
    return above.filter(at -> paths.get(at).takenBelow > MOST_TAKEN_BELOW);
  }

  /** Whether the same user took it over in the same way before, and we set nothing there since. */
  boolean isRepeated(JournalEntry.TakenOver taken) {
    Owned owned = paths.get(taken.path());
    JournalEntry.TakenOver known = owned == null ? null : owned.taken.get(taken.what());
    return known != null
        && known.who().equals(taken.who())
        && (taken.what() == JournalEntry.Taken.REPLICATION || owned.ours.isEmpty());
  }

  /** Whether anything is remembered of the path or of what lies below it. Any thread may ask. */
  boolean isOnOrBelow(String path) {
    return Paths.hasAtOrBelow(paths, path);
  }

  /** The entries that come to the same. */
  List<JournalEntry> entries() {
    List<JournalEntry> entries = new ArrayList<>();
    paths.forEach(
        (path, owned) -> {
          if (owned.before != null) {
            entries.add(of(path, owned.before));
          }
          for (JournalEntry.TakenOver taken : owned.taken.values()) {
            entries.add(of(path, taken));
          }
          owned.replayed().forEach(set -> entries.add(of(path, set)));
        });
    return entries;
  }

  /** It may have been renamed since. */
  static JournalEntry.TakenOver of(String path, JournalEntry.TakenOver taken) {
    return new JournalEntry.TakenOver(taken.at(), path, taken.what(), taken.who(), taken.heat());
  }

  /** It may have been renamed since. */
  private static JournalEntry.PolicySet of(String path, JournalEntry.PolicySet set) {
    return new JournalEntry.PolicySet(set.at(), path, set.policy(), set.before());
  }
}
