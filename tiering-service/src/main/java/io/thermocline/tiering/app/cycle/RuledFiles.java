// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.cycle;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.decide.Cap;
import io.thermocline.tiering.decide.Hold;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.MoveHistory;
import io.thermocline.tiering.rules.RuleSet;
import io.thermocline.tiering.rules.Verdict;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * What rules and its own past make of each file, for one plan. One thread plans; any may ask.
 */
final class RuledFiles {

  private final RulesInForce rules;
  private final MoveHistory history;
  private RuleSet ruleSet;
  private Instant now;

  /** When other rules came into force. */
  private Instant changed = Instant.EPOCH;

  /**
   * Of files of which rules say something; replaced with each plan, so that the last one's stay
   * as they were.
   */
  private volatile Map<String, Verdict> verdicts = Map.of();

  RuledFiles(RulesInForce rules, MoveHistory history) {
    this.rules = rules;
    this.history = history;
    this.ruleSet = rules.ruleSet();
  }

  /** Takes the rules as they are now. */
  void begin(Instant at) {
    RuleSet before = ruleSet;
    ruleSet = rules.reload();
    now = at;
    if (ruleSet != before) {
      changed = at;
    }
    verdicts = new ConcurrentHashMap<>();
  }

  List<Cap> caps() {
    return ruleSet.caps();
  }

  /** Whether a rule has it elsewhere than its fastest copy is. */
  boolean mustMove(HotFile hot, StorageType lead) {
    return ruleSet.of(hot.file(), hot.heat(), now).goal(lead) != null;
  }

  /** Evaluates the rules for a file. */
  void rule(HotFile hot) {
    Verdict verdict = ruleSet.of(hot.file(), hot.heat(), now);
    if (!verdict.isNothing()) {
      verdicts.put(hot.file().path(), verdict);
    }
  }

  /** What rules alone say of a file, whatever its past. */
  Hold ofRules(HotFile hot, Instant at) {
    return rules.ruleSet().of(hot.file(), hot.heat(), at).hold(Hold.NONE);
  }

  /** Whether a rule says something of a file, and rules came into force after a time. */
  boolean isRuledSince(String path, Instant time) {
    return changed.isAfter(time) && verdicts.containsKey(path);
  }

  /** What keeps files, or has them moved, in this plan. */
  Function<String, Hold> holds(Instant at) {
    Map<String, Verdict> ofPlan = verdicts;
    return path -> {
      Hold past = history.hold(path, at);
      Verdict verdict = ofPlan.get(path);
      return verdict == null ? past : verdict.hold(past);
    };
  }
}
