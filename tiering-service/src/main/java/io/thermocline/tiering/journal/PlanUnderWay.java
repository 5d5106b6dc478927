// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.journal;

import io.thermocline.tiering.observe.Paths;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What was done of a plan that is not at its end, as the journal tells it. Not thread-safe. */
public final class PlanUnderWay {

  /** SHOWN: the name of VISIBLE in journals of earlier versions. */
  private static final Set<String> COPY_MADE = Set.of("COPIED", "VISIBLE", "SHOWN", "VERIFIED");

  /** By path; those of which all is at its end are not among them. */
  private final Map<String, JournalEntry.Planned> unfinished = new LinkedHashMap<>();

  /** By path, the first that was set: what puts it back is no policy that could be put back. */
  private final Map<String, JournalEntry.PolicySet> policies = new LinkedHashMap<>();

  /** Paths of which a copy was made. */
  private final Set<String> copied = new HashSet<>();

  /** By path, how many moves HDFS showed done. */
  private final Map<String, Integer> verified = new HashMap<>();

  /** Its moves, and copies of actions, that are at their end: how many, by state. */
  private final Map<String, Integer> ended = new HashMap<>();

  /** Moves, and copies of actions. */
  private int moves;

  /** By path, a block of the file that was there when its first move began. */
  private final Map<String, Long> blocks = new HashMap<>();

  PlanUnderWay() {}

  /** As it stands now: what is journalled later changes only the other. */
  PlanUnderWay copy() {
    PlanUnderWay copy = new PlanUnderWay();
    copy.unfinished.putAll(unfinished);
    copy.policies.putAll(policies);
    copy.copied.addAll(copied);
    copy.verified.putAll(verified);
    copy.ended.putAll(ended);
    copy.moves = moves;
    copy.blocks.putAll(blocks);
    return copy;
  }

  void add(JournalEntry.Planned planned) {
    unfinished.put(planned.path(), planned);
    moves += planned.moves();
  }

  void set(JournalEntry.PolicySet set) {
    if (!unfinished.isEmpty()) {
      policies.putIfAbsent(set.path(), set);
    }
  }

  /** Somebody set or unset the policy of a path since: there is nothing of ours to put back. */
  void taken(String path) {
    policies.remove(path);
  }

  /** What became of a move, of this plan or another. */
  public void moved(JournalEntry.Moved moved) {
    if (COPY_MADE.contains(moved.state())) {
      copied.add(moved.path());
    }
    JournalEntry.Planned planned = unfinished.get(moved.path());
    if (planned != null && moved.move().startsWith(planned.plan() + "-")) {
      blocks.putIfAbsent(moved.path(), moved.block());
      if (moved.state().equals("VERIFIED")) {
        verified.merge(moved.path(), 1, Integer::sum);
      }
      if (moved.isFinal()) {
        ended.merge(moved.state(), 1, Integer::sum);
      }
    }
  }

  /** What was done beside moving. */
  void ended(JournalEntry.ActionEnded action) {
    JournalEntry.Planned planned = unfinished.get(action.path());
    if (planned != null && planned.cause().equals(action.cause())) {
      ended.merge(
          action.failure().isEmpty() ? "VERIFIED" : "FAILED", planned.moves(), Integer::sum);
    }
  }

  /** The plan's number; 0 where nothing of a plan is left to be looked after. */
  public long number() {
    return unfinished.values().stream().findFirst().map(JournalEntry.Planned::plan).orElse(0L);
  }

  /** How many moves it has. */
  public int moves() {
    return moves;
  }

  /** How many of them HDFS showed done. */
  public int done() {
    return ended.getOrDefault("VERIFIED", 0);
  }

  /** What came of each of its moves, in words, once none is under way. */
  public String account() {
    int failed = ended.getOrDefault("FAILED", 0);
    int dropped = ended.getOrDefault("OBSOLETE", 0) + ended.getOrDefault("CANCELLED", 0);
    return done()
        + " of "
        + moves
        + " moves done, "
        + failed
        + " failed, "
        + dropped
        + " dropped, "
        + Math.max(0, moves - done() - failed - dropped)
        + " not begun; the service ended meanwhile";
  }

  /** A block of the file that a move began with, by which another file of the same name is told from it; 0 where it isn't known. */
  public long blockOf(String path) {
    return blocks.getOrDefault(path, 0L);
  }

  boolean isAbout(String path) {
    return unfinished.containsKey(path);
  }

  /** What it was to do. */
  public List<JournalEntry.Planned> unfinished() {
    return List.copyOf(unfinished.values());
  }

  /**
   * Policies that it set for the sake of copies and below or on whose paths it has made none. One that was set where no copy
   * was to be made, as where a plan is taken back, was wanted for itself.
   */
  public List<JournalEntry.PolicySet> idlePolicies() {
    Set<String> wanted = new HashSet<>();
    unfinished.values().stream()
        .filter(planned -> planned.moves() > 0)
        .forEach(planned -> addWithAllAbove(planned.path(), wanted));
    Set<String> followed = new HashSet<>();
    copied.forEach(path -> addWithAllAbove(path, followed));
    return policies.values().stream()
        .filter(set -> wanted.contains(set.path()) && !followed.contains(set.path()))
        .toList();
  }

  /** Files of which some copies were made, or their policy set, and not all copies made. */
  public List<Journal.HalfMoved> halfMoved() {
    return unfinished.values().stream()
        .map(planned -> new Journal.HalfMoved(planned, verified.getOrDefault(planned.path(), 0)))
        .filter(file -> file.verified() < file.planned().moves())
        .filter(file -> file.verified() > 0 || hasPolicy(file.planned().path()))
        .toList();
  }

  private boolean hasPolicy(String path) {
    for (String at = path; at != null; at = Paths.above(at)) {
      if (policies.containsKey(at)) {
        return true;
      }
    }
    return false;
  }

  private static void addWithAllAbove(String path, Set<String> to) {
    for (String at = path; at != null && to.add(at); at = Paths.above(at)) {
      // What is above one that is there is there too.
    }
  }

  /** A policy was looked after. */
  public void settled(JournalEntry.PolicySet idle) {
    policies.remove(idle.path());
  }
}
