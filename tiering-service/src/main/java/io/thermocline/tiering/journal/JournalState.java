// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.journal;

import io.thermocline.tiering.observe.Paths;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a journal's entries come to. The only thing that changes it is the next entry. Not thread-safe. */
final class JournalState {

  private static final Set<String> COPY_MADE = Set.of("COPIED", "SHOWN", "VERIFIED");

  /** By path, the last two policies set: the last may have been recorded and not set before a crash. */
  private final Map<String, List<JournalEntry.PolicySet>> policies = new HashMap<>();

  private final LeversUp levers = new LeversUp();
  private final PastPlans plans = new PastPlans();
  private final HintsKept hints = new HintsKept();
  private final AnswersKept answers = new AnswersKept();
  private final TasksKept tasks = new TasksKept();
  private final GroupsUp groups = new GroupsUp();

  /** By move, the last entry of those that are not at their end. */
  private final Map<String, JournalEntry.Moved> open = new LinkedHashMap<>();

  /** Of the last plan, by path; those of which all is at its end are not among them. */
  private final Map<String, JournalEntry.Planned> unfinished = new LinkedHashMap<>();

  /** Set for the last plan, while it isn't at its end. */
  private final Map<String, JournalEntry.PolicySet> policiesOfPlan = new LinkedHashMap<>();

  /** Paths of which the last plan has made a copy, while it isn't at its end. */
  private final Set<String> copied = new HashSet<>();

  /** By path, how many moves of the last plan HDFS showed done, while it isn't at its end. */
  private final Map<String, Integer> verified = new HashMap<>();

  private JournalEntry.Steered steered;
  private long lastPlan;
  private long lastBegun;
  private long epoch;
  private List<JournalEntry> untaken = new ArrayList<>();

  void remember(JournalEntry entry) {
    if (entry instanceof JournalEntry.PolicySet set) {
      policies.merge(
          set.path(), List.of(set), (before, now) -> List.of(before.get(before.size() - 1), set));
      if (!unfinished.isEmpty()) {
        // The first: what puts it back is no policy that could be put back.
        policiesOfPlan.putIfAbsent(set.path(), set);
      }
    } else if (entry instanceof JournalEntry.Planned planned) {
      plan(planned);
    } else if (entry instanceof JournalEntry.PlanEnded ended) {
      clearPlan();
      lastPlan = Math.max(lastPlan, ended.plan());
      lastBegun = Math.max(lastBegun, ended.plan());
    } else if (entry instanceof JournalEntry.PlanChanged changed) {
      lastPlan = Math.max(lastPlan, changed.plan());
    } else if (entry instanceof JournalEntry.GroupMade made) {
      lastPlan = Math.max(lastPlan, made.plan());
    } else if (entry instanceof JournalEntry.Steered now) {
      steered = now;
    } else if (entry instanceof JournalEntry.Started started) {
      epoch = Math.max(epoch, started.epoch());
    } else if (entry instanceof JournalEntry.Moved moved) {
      move(moved);
    }
    levers.remember(entry);
    plans.remember(entry);
    hints.remember(entry);
    answers.remember(entry);
    tasks.remember(entry);
    groups.remember(entry);
    if (entry instanceof JournalEntry.Planned || entry instanceof JournalEntry.Moved) {
      untaken.add(entry);
    }
  }

  private void plan(JournalEntry.Planned planned) {
    if (planned.plan() > lastBegun) {
      clearPlan();
    }
    lastPlan = Math.max(lastPlan, planned.plan());
    lastBegun = Math.max(lastBegun, planned.plan());
    unfinished.put(planned.path(), planned);
  }

  private void clearPlan() {
    unfinished.clear();
    policiesOfPlan.clear();
    copied.clear();
    verified.clear();
  }

  private void move(JournalEntry.Moved moved) {
    if (COPY_MADE.contains(moved.state())) {
      copied.add(moved.path());
    }
    if (moved.state().equals("VERIFIED") && isOfPlan(moved)) {
      verified.merge(moved.path(), 1, Integer::sum);
    }
    if (moved.isFinal()) {
      open.remove(moved.move());
    } else {
      open.put(moved.move(), moved);
    }
  }

  private boolean isOfPlan(JournalEntry.Moved moved) {
    JournalEntry.Planned planned = unfinished.get(moved.path());
    return planned != null && moved.move().startsWith(planned.plan() + "-");
  }

  /** The entries that come to the same; what was planned and moved, but for the last plan and what is open, aside. */
  List<JournalEntry> entries() {
    List<JournalEntry> entries = new ArrayList<>();
    policies.values().forEach(entries::addAll);
    entries.addAll(levers.entries());
    entries.addAll(groups.entries());
    entries.addAll(tasks.entries());
    if (steered != null) {
      entries.add(steered);
    }
    return entries;
  }

  List<JournalEntry> takeMoves() {
    List<JournalEntry> taken = untaken;
    untaken = new ArrayList<>();
    return taken;
  }

  boolean maySet(String path, String policy) {
    for (String at = path; !at.isEmpty(); at = at.substring(0, at.lastIndexOf('/'))) {
      if (policies.getOrDefault(at, List.of()).stream()
          .anyMatch(set -> set.policy().equals(policy))) {
        return true;
      }
    }
    return false;
  }

  Optional<JournalEntry.PolicySet> lastSet(String path) {
    List<JournalEntry.PolicySet> set = policies.get(path);
    return set == null
        ? Optional.empty()
        : Optional.of(set.get(set.size() - 1)).filter(last -> !last.policy().isEmpty());
  }

  LeversUp levers() {
    return levers;
  }

  PastPlans plans() {
    return plans;
  }

  HintsKept hints() {
    return hints;
  }

  AnswersKept answers() {
    return answers;
  }

  TasksKept tasks() {
    return tasks;
  }

  GroupsUp groups() {
    return groups;
  }

  /** Number of the last plan of which anything was begun. */
  long lastBegun() {
    return lastBegun;
  }

  Optional<JournalEntry.Steered> steered() {
    return Optional.ofNullable(steered);
  }

  long lastPlan() {
    return lastPlan;
  }

  long epoch() {
    return epoch;
  }

  List<JournalEntry.Moved> open() {
    return List.copyOf(open.values());
  }

  List<JournalEntry.Planned> unfinished() {
    return List.copyOf(unfinished.values());
  }

  /** Policies that the unfinished plan set, below or on whose paths it has made no copy. */
  List<JournalEntry.PolicySet> idlePolicies() {
    return policiesOfPlan.values().stream()
        .filter(set -> copied.stream().noneMatch(path -> Paths.isAtOrBelow(path, set.path())))
        .toList();
  }

  List<Journal.HalfMoved> halfMoved() {
    return unfinished.values().stream()
        .map(planned -> new Journal.HalfMoved(planned, verified.getOrDefault(planned.path(), 0)))
        .filter(file -> file.verified() < file.planned().moves())
        .filter(file -> file.verified() > 0 || hasPolicy(file.planned().path()))
        .toList();
  }

  private boolean hasPolicy(String path) {
    return policiesOfPlan.keySet().stream().anyMatch(set -> Paths.isAtOrBelow(path, set));
  }

  void settled(JournalEntry.PolicySet idle) {
    policiesOfPlan.remove(idle.path());
  }
}
