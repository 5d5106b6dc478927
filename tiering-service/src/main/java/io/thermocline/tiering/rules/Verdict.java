// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.rules;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.decide.Hold;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * What rules say of one file at one moment. Immutable.
 *
 * @param scope MANAGED where none says otherwise
 * @param scopeRule null where none says it; so for the others
 * @param atLeast null: no floor
 * @param atMost null: no ceiling
 * @param windowRule the rule that says when the file may be moved
 * @param isOpen whether it may be now, as far as that rule goes
 */
public record Verdict(
    PathRule.Scope scope,
    PathRule scopeRule,
    StorageType atLeast,
    PathRule atLeastRule,
    StorageType atMost,
    PathRule atMostRule,
    PathRule windowRule,
    boolean isOpen) {

  static final Verdict NOTHING =
      new Verdict(PathRule.Scope.MANAGED, null, null, null, null, null, null, true);

  /** Whether decisions are as without rules. */
  public boolean isNothing() {
    return scope == PathRule.Scope.MANAGED && atLeast == null && atMost == null && isOpen;
  }

  /** The rules that it comes from, each once. */
  public List<PathRule> rules() {
    return Stream.of(scopeRule, atLeastRule, atMostRule, windowRule)
        .filter(Objects::nonNull)
        .distinct()
        .toList();
  }

  /** The type that the fastest copy has to go to from where it is; null where it may stay. */
  public StorageType goal(StorageType lead) {
    if (scope != PathRule.Scope.MANAGED) {
      return null;
    }
    if (atLeast != null && lead.compareTo(atLeast) < 0) {
      return atLeast;
    }
    return atMost != null && lead.compareTo(atMost) > 0 ? atMost : null;
  }

  /** What keeps the file, beside what else does. */
  public Hold hold(Hold other) {
    if (scope != PathRule.Scope.MANAGED) {
      String word = scope == PathRule.Scope.PINNED ? "pinned by " : "ignored by ";
      return Hold.still(word + scopeRule);
    }
    if (!isOpen) {
      PathRule.MoveOnly only = (PathRule.MoveOnly) windowRule.says();
      return Hold.still("moved only " + only.words() + " by " + windowRule);
    }
    return atLeast == null && atMost == null
        ? other
        : other.between(bound(atLeast, atLeastRule), bound(atMost, atMostRule));
  }

  private static Hold.Bound bound(StorageType type, PathRule rule) {
    return type == null ? null : new Hold.Bound(type, rule.toString());
  }

  /** In a few words, without the names of rules; "left to heat" for nothing. */
  public String words() {
    if (scope != PathRule.Scope.MANAGED) {
      return scope == PathRule.Scope.PINNED ? "pinned" : "ignored";
    }
    List<String> words = new ArrayList<>();
    if (atLeast != null) {
      words.add("at least " + atLeast);
    }
    if (atMost != null) {
      words.add("at most " + atMost);
    }
    if (windowRule != null) {
      words.add("moved only " + ((PathRule.MoveOnly) windowRule.says()).words());
    }
    return words.isEmpty() ? "left to heat" : String.join(", ", words);
  }
}
