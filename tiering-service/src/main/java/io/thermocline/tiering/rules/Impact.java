// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.rules;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.observe.FileView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * What other rules would change, told file by file in memory that doesn't grow with their
 * number. One thread.
 */
public final class Impact {

  private static final int EXAMPLES = 3;

  /** Patterns that are matched between two questions whether time is over. */
  private static final int MATCHES = 64;

  private final RuleSet before;
  private final RuleSet after;
  private final Instant now;
  private final Map<StorageType, Long> nodes;
  private final BooleanSupplier isOver;
  private final Map<PathRule, Tally> matched = new LinkedHashMap<>();
  private final Map<PathRule, Tally> followed = new LinkedHashMap<>();
  private final Map<Change, Tally> changes = new LinkedHashMap<>();
  private final Tally seen = new Tally();

  /** Patterns since it was asked last whether time is over. */
  private long matches = MATCHES;

  /** Matching takes longer than it may. */
  public static final class TooLongException extends RuntimeException {

    private static final long serialVersionUID = 1;

    TooLongException(long files) {
      super("matching the patterns takes too long: time was over at file " + files);
    }
  }

  /** Files, bytes of all their copies, and some of the files. */
  public static final class Tally {
    private long files;
    private long bytes;
    private final List<String> examples = new ArrayList<>();

    private void add(FileView file) {
      files++;
      bytes += file.length() * Math.max(1, file.replication());
      if (examples.size() < EXAMPLES) {
        examples.add(file.path());
      }
    }

    public long files() {
      return files;
    }

    public long bytes() {
      return bytes;
    }

    public List<String> examples() {
      return List.copyOf(examples);
    }
  }

  /**
   * What becomes of files.
   *
   * @param before what held, in words
   * @param after what would hold
   * @param move where their fastest copies would go because of it; "" where they wouldn't
   */
  public record Change(String before, String after, String move) {}

  /**
   * @param before the rules in force
   */
  public Impact(RuleSet before, RuleSet after, Instant now) {
    this(before, after, now, Map.of(), () -> false);
  }

  /**
   * @param before the rules in force
   * @param nodes DataNodes that have each type; without a type where that isn't known
   */
  public Impact(RuleSet before, RuleSet after, Instant now, Map<StorageType, Long> nodes) {
    this(before, after, now, nodes, () -> false);
  }

  /**
   * @param before the rules in force
   * @param isOver whether it takes too long already
   */
  public Impact(RuleSet before, RuleSet after, Instant now, BooleanSupplier isOver) {
    this(before, after, now, Map.of(), isOver);
  }

  private Impact(
      RuleSet before,
      RuleSet after,
      Instant now,
      Map<StorageType, Long> nodes,
      BooleanSupplier isOver) {
    this.nodes = Map.copyOf(nodes);
    this.isOver = isOver;
    this.before = before;
    this.after = after;
    this.now = now;
    for (PathRule rule : after.rules()) {
      matched.put(rule, new Tally());
      followed.put(rule, new Tally());
    }
  }

  /**
   * There is such a file.
   *
   * @param lead type of its fastest copy
   * @param heat cooled reads
   * @throws TooLongException where time is over
   */
  public void add(FileView file, StorageType lead, double heat) {
    seen.add(file);
    for (Map.Entry<PathRule, Tally> rule : matched.entrySet()) {
      spend(rule.getKey().match().paths().size());
      if (rule.getKey().match().covers(file, heat, now)) {
        rule.getValue().add(file);
      }
    }
    Verdict then = after.of(file, heat, now);
    then.rules().forEach(rule -> followed.get(rule).add(file));
    Verdict is = before.of(file, heat, now);
    StorageType goal = then.goal(lead);
    String move =
        goal == null || goal == is.goal(lead) ? "" : lead + " to " + goal + impossible(file, goal);
    if (!is.words().equals(then.words()) || !move.isEmpty()) {
      changes
          .computeIfAbsent(new Change(is.words(), then.words(), move), change -> new Tally())
          .add(file);
    }
  }

  private void spend(int patterns) {
    matches += patterns;
    if (matches >= MATCHES) {
      matches = 0;
      if (isOver.getAsBoolean()) {
        throw new TooLongException(seen.files);
      }
    }
  }

  /** All copies go to ARCHIVE, each to another DataNode; of other types one copy is enough. */
  private String impossible(FileView file, StorageType goal) {
    long has = nodes.getOrDefault(goal, Long.MAX_VALUE);
    return goal != StorageType.ARCHIVE || file.isErasureCoded() || file.replication() <= has
        ? ""
        : ", which is impossible: "
            + file.replication()
            + " copies need as many DataNodes with "
            + goal
            + ", and the cluster has "
            + has;
  }

  /** All files. */
  public Tally seen() {
    return seen;
  }

  /** What the paths and conditions of each rule cover, the highest priority first. */
  public Map<PathRule, Tally> matched() {
    return matched;
  }

  /** Where no rule of higher priority says otherwise. */
  public Map<PathRule, Tally> followed() {
    return followed;
  }

  /** What would change, the most bytes first. */
  public List<Map.Entry<Change, Tally>> changes() {
    return changes.entrySet().stream()
        .sorted(Comparator.comparingLong(entry -> -entry.getValue().bytes))
        .toList();
  }
}
