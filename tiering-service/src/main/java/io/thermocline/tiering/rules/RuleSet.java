// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.rules;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.decide.Cap;
import io.thermocline.tiering.observe.FileView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** All rules in force, and the caps. Immutable; evaluation is pure. */
public final class RuleSet {

  /** Of comparing patterns: a second or two. Thousands of rules on real paths take a hundredth of it. */
  private static final long MAX_STEPS = 500_000_000;

  private static final int MAX_TIES = 100;

  /*
   * Each rule speaks of one thing: whether a file takes part, between which types its fastest
   * copy lies, or
   * when it may move. Of each thing the rule of the highest priority that covers the file is
   * followed; of rules that say
   * the same with equal priority, the first in the file. Others of equal priority that may cover
   * one file aren't
   * accepted, so the order is total wherever it matters. A floor above a ceiling gives way where
   * its priority is
   * lower, and the ceiling where that is.
   */
  private final List<PathRule> rules;
  private final List<Cap> caps;

  /** Two rules of equal priority that may speak of a file differently. */
  public record Tie(PathRule first, PathRule second) {}

  /**
   * @param rules in the order of the file, without {@link #ties}
   */
  public RuleSet(List<PathRule> rules, List<Cap> caps) {
    if (!ties(rules).isEmpty()) {
      throw new IllegalArgumentException("ties: " + ties(rules));
    }
    this.rules =
        rules.stream().sorted(Comparator.comparingInt(PathRule::priority).reversed()).toList();
    this.caps = List.copyOf(caps);
  }

  /**
   * Those that may not stand so; of many some.
   *
   * @throws IllegalArgumentException where their patterns take too long to compare
   */
  public static List<Tie> ties(List<PathRule> rules) {
    List<Tie> ties = new ArrayList<>();
    Effort effort = new Effort(MAX_STEPS);
    for (int second = 1; second < rules.size(); second++) {
      for (int first = 0; first < second && ties.size() < MAX_TIES; first++) {
        PathRule a = rules.get(first);
        PathRule b = rules.get(second);
        if (a.priority() == b.priority() && a.contradicts(b, effort)) {
          ties.add(new Tie(a, b));
        }
      }
    }
    return ties;
  }

  /**
   * Out of the lists of thermocline.yaml; what is ignored isn't looked at, pinned or not.
   */
  public static RuleSet of(List<String> ignored, List<String> pinned, List<Cap> caps) {
    return new RuleSet(
        List.of(
            new PathRule(
                "manage.ignore", "thermocline.yaml", 1, Match.of(ignored), PathRule.Scope.IGNORED),
            new PathRule(
                "manage.pin", "thermocline.yaml", 0, Match.of(pinned), PathRule.Scope.PINNED)),
        caps);
  }

  /** The highest priority first. */
  public List<PathRule> rules() {
    return rules;
  }

  /** What may be taken of storage types. */
  public List<Cap> caps() {
    return caps;
  }

  /**
   * What rules say of a file.
   *
   * @param heat cooled reads
   */
  public Verdict of(FileView file, double heat, Instant now) {
    PathRule scope = null;
    PathRule atLeast = null;
    PathRule atMost = null;
    PathRule window = null;
    for (PathRule rule : rules) {
      PathRule.Place place = rule.says() instanceof PathRule.Place says ? says : null;
      boolean isNews =
          place != null
              ? atLeast == null && place.atLeast().isPresent()
                  || atMost == null && place.atMost().isPresent()
              : rule.says() instanceof PathRule.Scope ? scope == null : window == null;
      if (!isNews || !rule.match().covers(file, heat, now)) {
        continue;
      }
      if (place == null) {
        scope = rule.says() instanceof PathRule.Scope ? rule : scope;
        window = rule.says() instanceof PathRule.MoveOnly ? rule : window;
        continue;
      }
      if (atLeast == null && place.atLeast().isPresent() && !isAbove(place, atMost)) {
        atLeast = rule;
      }
      if (atMost == null && place.atMost().isPresent() && !isBelow(place, atLeast)) {
        atMost = rule;
      }
    }
    if (scope == null && atLeast == null && atMost == null && window == null) {
      return Verdict.NOTHING;
    }
    return new Verdict(
        scope == null ? PathRule.Scope.MANAGED : (PathRule.Scope) scope.says(),
        scope,
        atLeast == null ? null : place(atLeast).atLeast().orElseThrow(),
        atLeast,
        atMost == null ? null : place(atMost).atMost().orElseThrow(),
        atMost,
        window,
        window == null || ((PathRule.MoveOnly) window.says()).window().contains(now));
  }

  private static boolean isAbove(PathRule.Place floor, PathRule ceiling) {
    return ceiling != null && PathRule.crosses(floor.atLeast(), place(ceiling).atMost());
  }

  private static boolean isBelow(PathRule.Place ceiling, PathRule floor) {
    return floor != null && PathRule.crosses(place(floor).atLeast(), ceiling.atMost());
  }

  private static PathRule.Place place(PathRule rule) {
    return (PathRule.Place) rule.says();
  }

  /**
   * What rules have against the fastest copies of what is below a directory being on a type, or empty: a bound that the
   * type is beyond, or that any of it is pinned or ignored. Conditions of size and age aren't asked.
   */
  public String against(String directory, StorageType type) {
    for (PathRule rule : rules) {
      if (!rule.match().reachesBelow(directory.equals("/") ? "/**" : directory)) {
        continue;
      }
      if (rule.says() == PathRule.Scope.PINNED || rule.says() == PathRule.Scope.IGNORED) {
        return (rule.says() == PathRule.Scope.PINNED ? "pinned by " : "ignored by ") + rule;
      }
      if (rule.says() instanceof PathRule.Place place
          && (place.atMost().filter(most -> type.compareTo(most) > 0).isPresent()
              || place.atLeast().filter(least -> type.compareTo(least) < 0).isPresent())) {
        return "placed elsewhere by " + rule;
      }
    }
    return "";
  }

  /**
   * Whether nothing of a path, a file's or a directory's, has to be looked at. What is ignored
   * below a directory of which
   * something else isn't, is looked at and not moved.
   */
  public boolean ignores(String path) {
    Optional<PathRule> first = scope(path);
    return first.isPresent()
        && first.get().says() == PathRule.Scope.IGNORED
        && rules.stream()
            .takeWhile(rule -> rule.priority() > first.get().priority())
            .filter(rule -> rule.says() instanceof PathRule.Scope)
            .noneMatch(rule -> rule.match().reachesBelow(path));
  }

  private Optional<PathRule> scope(String path) {
    return rules.stream()
        .filter(rule -> rule.says() instanceof PathRule.Scope)
        .filter(rule -> rule.match().isByPathAlone() && rule.match().matches(path))
        .findFirst();
  }
}
