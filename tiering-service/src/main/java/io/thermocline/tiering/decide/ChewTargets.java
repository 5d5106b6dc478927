// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.placement.model.StorageType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Turns placements of chunks into targets of files, as far as holds, caps and the gate let them through. Not thread-safe. */
final class ChewTargets {

  private final Gate gate;
  private final List<HotFile> files;
  private final Situation situation;
  private final Ladder ladder;
  private Draft draft;

  /**
   * @param files all there are, also those that were not placed
   */
  ChewTargets(Gate gate, List<HotFile> files, Situation situation, Ladder ladder) {
    this.gate = gate;
    this.files = files;
    this.situation = situation;
    this.ladder = ladder;
  }

  List<Decision> decisions() {
    return draft.decisions();
  }

  /**
   * Decides all that changes something.
   *
   * @return paths that may not go where they were placed, with the reason
   */
  Map<String, String> carryOut(List<ChewUnit> units) {
    draft = new Draft(withParts(units), situation, ladder);
    Map<HotFile, Draft.Entry> entries = new IdentityHashMap<>();
    draft.entries().forEach(entry -> entries.put(entry.hot(), entry));
    Map<String, String> policies = policies(units, entries);
    Map<String, String> refused = new HashMap<>();
    // What leaves makes room under caps for what comes.
    for (boolean up : new boolean[] {false, true}) {
      for (ChewUnit unit : units) {
        Draft.Entry entry = entries.get(unit.hot());
        Target target = target(unit, entry);
        if (unit.isPart()) {
          target = new Target(target.copies(), policies.get(unit.hot().file().path()));
        }
        Layout then = Layout.of(unit.hot().file(), target);
        boolean rises = then.lead().compareTo(entry.leadNow()) > 0;
        if (rises == up && !then.equals(entry.layout())) {
          String objection = decide(unit, entry, target, then);
          if (!objection.isEmpty()) {
            refused.put(unit.hot().file().path(), objection);
          }
        }
      }
    }
    return refused;
  }

  /** The files, with those that are split as their parts. */
  private List<HotFile> withParts(List<ChewUnit> units) {
    List<HotFile> all = new ArrayList<>();
    Set<String> placed = new HashSet<>();
    for (ChewUnit unit : units) {
      all.add(unit.hot());
      placed.add(unit.hot().file().path());
    }
    files.stream().filter(hot -> !placed.contains(hot.file().path())).forEach(all::add);
    return all;
  }

  /** Of files that are split, by path: one for all parts, that of the fastest. */
  private Map<String, String> policies(List<ChewUnit> units, Map<HotFile, Draft.Entry> entries) {
    Map<String, Target> fastest = new HashMap<>();
    for (ChewUnit unit : units) {
      if (unit.isPart()) {
        fastest.merge(
            unit.hot().file().path(),
            target(unit, entries.get(unit.hot())),
            (a, b) -> b.lead().compareTo(a.lead()) > 0 ? b : a);
      }
    }
    Map<String, String> policies = new HashMap<>();
    fastest.forEach((path, target) -> policies.put(path, target.storagePolicy()));
    return policies;
  }

  private Target target(ChewUnit unit, Draft.Entry entry) {
    StorageType pool = StorageType.valueOf(unit.placement().pool());
    return ladder.target(Shapes.of(entry.hot().file()).step(copies -> ladder.ledBy(copies, pool)));
  }

  /** Plans it, or tells what forbids it; "" for nothing. */
  private String decide(ChewUnit unit, Draft.Entry entry, Target target, Layout then) {
    if (then.lead() != entry.leadNow() && !entry.mayLeadOn(then.lead())) {
      return entry.hold().reason();
    }
    List<CapLedger.Excess> exceeded =
        draft.caps().exceeded(unit.hot().file(), entry.layout(), then);
    if (!exceeded.isEmpty()) {
      return exceeded.get(0).cap().reason();
    }
    boolean rises = then.lead().compareTo(entry.leadNow()) > 0;
    Gate.Benefit benefit =
        rises
            ? gate.weigh(new Gate.Change(unit.hot(), target, draft.reads()), List.of())
            : Gate.UNWEIGHED;
    if (!gate.passes(benefit)) {
      return gate.words(benefit) + ": not worth it";
    }
    String weighed = gate.words(benefit);
    draft.decide(
        entry,
        entry.planned(),
        target,
        cause(entry.leadNow(), then.lead()),
        unit.placement().reason() + (weighed.isEmpty() ? "" : "; " + weighed),
        benefit);
    return "";
  }

  private static Decision.Cause cause(StorageType from, StorageType to) {
    if (to.compareTo(from) > 0) {
      return to.isFast() ? Decision.Cause.PROMOTED : Decision.Cause.RECALLED;
    }
    return to == StorageType.ARCHIVE && !from.isFast()
        ? Decision.Cause.ARCHIVED
        : Decision.Cause.DEMOTED;
  }
}
