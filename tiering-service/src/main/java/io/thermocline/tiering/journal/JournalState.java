// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.journal;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a journal's entries come to. The only thing that changes it is the next entry. Not thread-safe. */
final class JournalState {

  private final PoliciesSet policies = new PoliciesSet();
  private final ActionsInForce actions = new ActionsInForce();
  private final PastPlans plans = new PastPlans();
  private final HintsKept hints = new HintsKept();
  private final AnswersKept answers = new AnswersKept();
  private final TasksKept tasks = new TasksKept();
  private final GroupsUp groups = new GroupsUp();

  /** By move, the last entry of those that are not at their end. */
  private final Map<String, JournalEntry.Moved> open = new LinkedHashMap<>();

  /** The last plan, while it isn't at its end. */
  private PlanUnderWay underWay = new PlanUnderWay();

  private JournalEntry.Steered steered;
  private long lastPlan;
  private long lastBegun;
  private long epoch;
  private String began;
  private long changes;

  /** Entries of a checkpoint that are still to come: they were counted when they were written first. */
  private long repeated;

  private List<JournalEntry> untaken = new ArrayList<>();

  void remember(JournalEntry entry) {
    if (entry instanceof JournalEntry.Checkpoint checkpoint) {
      changes = checkpoint.changes();
      repeated = checkpoint.entries();
      return;
    }
    count(entry);
    apply(entry);
  }

  /** What was counted before, or will be when it is written. */
  void apply(JournalEntry entry) {
    if (entry instanceof JournalEntry.PolicySet set) {
      underWay.set(set);
    } else if (entry instanceof JournalEntry.Planned planned) {
      plan(planned);
    } else if (entry instanceof JournalEntry.PlanEnded ended) {
      if (ended.plan() >= lastBegun) {
        underWay = new PlanUnderWay();
      }
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
      changes = Math.max(changes, started.changes());
      began = started.began() == null ? began : started.began();
    } else if (entry instanceof JournalEntry.Moved moved) {
      move(moved);
    } else if (entry instanceof JournalEntry.ActionEnded action) {
      underWay.ended(action);
    } else if (entry instanceof JournalEntry.TakenOver taken && taken.what().isOfPolicy()) {
      underWay.taken(taken.path());
    }
    policies.remember(entry);
    actions.remember(entry);
    plans.remember(entry);
    hints.remember(entry);
    answers.remember(entry);
    tasks.remember(entry);
    groups.remember(entry);
    if (entry instanceof JournalEntry.Planned || entry instanceof JournalEntry.Moved) {
      untaken.add(entry);
    }
  }

  void count(JournalEntry entry) {
    if (repeated > 0) {
      repeated--;
    } else if (entry instanceof JournalEntry.Planned
        || entry instanceof JournalEntry.PolicySet
        || entry instanceof JournalEntry.TakenOver
        || entry instanceof JournalEntry.Released
        || entry instanceof JournalEntry.PolicyGivenBack
        || entry instanceof JournalEntry.Renamed
        || entry instanceof JournalEntry.CacheSet
        || entry instanceof JournalEntry.CacheDirective
        || entry instanceof JournalEntry.ReplicationSet
        || entry instanceof JournalEntry.ReplicationLeft
        || entry instanceof JournalEntry.GroupMade
        || entry instanceof JournalEntry.GroupShown
        || entry instanceof JournalEntry.GroupEnded) {
      changes++;
    }
  }

  /** Whether the same user took it over in the same way before, and nothing of ours is there since. */
  boolean isRepeated(JournalEntry.TakenOver taken) {
    return policies.isRepeated(taken)
        && (taken.what() != JournalEntry.Taken.REPLICATION || !actions.isUp(taken.path()));
  }

  private void plan(JournalEntry.Planned planned) {
    if (planned.plan() > lastBegun) {
      underWay = new PlanUnderWay();
    }
    lastPlan = Math.max(lastPlan, planned.plan());
    lastBegun = Math.max(lastBegun, planned.plan());
    underWay.add(planned);
  }

  private void move(JournalEntry.Moved moved) {
    underWay.moved(moved);
    if (moved.isFinal()) {
      open.remove(moved.move());
    } else {
      open.put(moved.move(), moved);
    }
  }

  /** The entries that come to the same; what was planned and moved, but for the last plan and what is open, aside. */
  List<JournalEntry> entries() {
    List<JournalEntry> entries = new ArrayList<>();
    entries.addAll(policies.entries());
    entries.addAll(actions.entries());
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

  PoliciesSet policies() {
    return policies;
  }

  ActionsInForce actions() {
    return actions;
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

  Optional<String> began() {
    return Optional.ofNullable(began);
  }

  long changes() {
    return changes;
  }

  List<JournalEntry.Moved> open() {
    return List.copyOf(open.values());
  }

  PlanUnderWay underWay() {
    return underWay;
  }
}
