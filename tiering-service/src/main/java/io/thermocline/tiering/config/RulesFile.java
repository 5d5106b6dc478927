// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.config;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.decide.Cap;
import io.thermocline.tiering.observe.PathGlob;
import io.thermocline.tiering.rules.Match;
import io.thermocline.tiering.rules.PathRule;
import io.thermocline.tiering.rules.RuleSet;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reads a rules file whole, and reports everything that is wrong with it at once;
 * conf/rules.yaml
 * explains every key, docs/guides/rules.md what it comes to.
 */
public final class RulesFile {

  /** Where all copies of these are is one type; others name no place for the fastest copy. */
  private static final Map<String, StorageType> POLICIES =
      Map.of("COLD", StorageType.ARCHIVE, "HOT", StorageType.DISK, "ONE_SSD", StorageType.SSD);

  /*
   * Each file is held against each pattern, and each pattern against each of the other rules: what a text of some KiB may
   * cost is to be bounded, however it is written. YAML's aliases make much of little.
   */
  static final int MOST_RULES = 1000;

  /** Of all rules. */
  static final int MOST_PATTERNS = 2000;

  private final String label;
  private final List<String> problems = new ArrayList<>();
  private final Map<PathRule, YamlSection> sections = new HashMap<>();

  /** So far. */
  private int patterns;

  private RulesFile(String label) {
    this.label = label;
  }

  /**
   * @throws ConfigException with one line for each problem
   */
  public static RuleSet read(Path file) throws ConfigException {
    return parse(file.toString(), YamlFile.text(file));
  }

  /**
   * @param label what places in it are called, mostly the file's name
   * @throws ConfigException with one line for each problem
   */
  public static RuleSet parse(String label, String text) throws ConfigException {
    return new RulesFile(label).parse(text);
  }

  private RuleSet parse(String text) throws ConfigException {
    YamlSection top = new YamlSection(label, "", YamlFile.compose(label, text), problems);
    String version = top.text("version", null);
    if (version == null) {
      top.lacks("version", "version: 1");
    } else if (!version.equals("1")) {
      top.reject("version", "expected 1, the only one there is, found '" + version + "'");
    }
    ZoneId zone = zone(top);
    List<PathRule> rules = new ArrayList<>();
    Map<String, PathRule> byName = new HashMap<>();
    List<YamlSection> listed = top.list("rules");
    if (listed.size() > MOST_RULES) {
      top.reject("rules", "expected at most " + MOST_RULES + ", found " + listed.size());
      throw new ConfigException(problems);
    }
    for (YamlSection section : listed) {
      Optional<PathRule> read = rule(section, zone);
      section.rejectUnknown();
      if (read.isPresent()) {
        PathRule rule = read.get();
        PathRule same = byName.putIfAbsent(rule.name(), rule);
        if (same != null) {
          section.reject(
              "name", "'" + rule.name() + "' is the name of the rule of " + same.place());
        }
        sections.put(rule, section);
        rules.add(rule);
      }
    }
    List<Cap> caps = CapSection.read(top);
    top.rejectUnknown();
    if (patterns > MOST_PATTERNS) {
      throw new ConfigException(problems);
    }
    for (RuleSet.Tie tie : ties(top, rules)) {
      sections
          .get(tie.second())
          .reject(
              "priority",
              tie.second().priority()
                  + " is also that of "
                  + tie.first()
                  + ", which may be about the same files and says otherwise: give one a higher priority");
    }
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
    return new RuleSet(rules, caps);
  }

  private static List<RuleSet.Tie> ties(YamlSection top, List<PathRule> rules) {
    try {
      return RuleSet.ties(rules);
    } catch (IllegalArgumentException e) {
      top.reject("rules", e.getMessage() + ": use fewer wildcards, or give rules other priorities");
      return List.of();
    }
  }

  private static ZoneId zone(YamlSection top) {
    String name = top.text("timeZone", null);
    try {
      return name == null ? ZoneId.systemDefault() : ZoneId.of(name);
    } catch (DateTimeException e) {
      top.reject("timeZone", "expected a zone like UTC or Europe/Berlin, found '" + name + "'");
      return ZoneId.systemDefault();
    }
  }

  /** Empty where it says nothing that can be used. */
  private Optional<PathRule> rule(YamlSection section, ZoneId zone) {
    String name = section.text("name", null);
    if (name == null) {
      section.lacks("name", "a short one, for reasons and reports");
      name = "";
    }
    int priority = section.integer("priority", 0, -1_000_000, 1_000_000);
    Match match = match(section);
    List<PathRule.Says> says = new ArrayList<>();
    scope(section).ifPresent(says::add);
    place(section).ifPresent(says::add);
    moveOnly(section, zone).ifPresent(says::add);
    boolean isSaid = Stream.of("scope", "atLeast", "atMost", "moveOnly").anyMatch(section::has);
    if (!isSaid) {
      section.lacks("atMost", "what is to be done: one of scope, moveOnly, atLeast and atMost");
    } else if (says.size() > 1) {
      section.reject(
          section.has("moveOnly") ? "moveOnly" : "scope",
          "stands beside another order: a rule has either scope, or moveOnly, or atLeast and atMost");
    }
    if (says.size() != 1) {
      return Optional.empty();
    }
    if (says.get(0) == PathRule.Scope.IGNORED && !match.isByPathAlone()) {
      section.reject(
          "scope", "ignored goes by paths alone: what isn't looked at has no age or owner");
    }
    return Optional.of(
        new PathRule(name, label + ":" + section.line(), priority, match, says.get(0)));
  }

  private Match match(YamlSection section) {
    Match match =
        Match.of(paths(section))
            .by(
                Optional.ofNullable(section.text("user", null)),
                Optional.ofNullable(section.text("group", null)))
            .aged(age(section, "olderThan"), age(section, "unreadFor"));
    long atLeast = section.bytes("atLeastBytes", 0);
    long below = section.bytes("belowBytes", Long.MAX_VALUE);
    if (atLeast >= below) {
      section.reject("belowBytes", "expected more than atLeastBytes");
    }
    return match.sized(atLeast, below);
  }

  /** Those that may be compiled. */
  private List<String> paths(YamlSection section) {
    List<String> paths = section.texts("paths");
    if (paths.isEmpty()) {
      section.lacks("paths", "patterns like [/warehouse/**]");
    }
    int before = patterns;
    patterns += paths.size();
    if (patterns > MOST_PATTERNS) {
      if (before <= MOST_PATTERNS) {
        section.reject(
            "paths",
            "expected at most "
                + MOST_PATTERNS
                + " patterns in all rules, found "
                + patterns
                + " up to here");
      }
      return List.of();
    }
    List<String> fine = new ArrayList<>();
    for (String path : paths) {
      if (path.length() > PathGlob.MAX_LENGTH) {
        section.reject(
            "paths",
            "expected at most " + PathGlob.MAX_LENGTH + " characters, found " + path.length());
      } else if (!path.startsWith("/")) {
        section.reject("paths", "expected absolute paths like /warehouse/**, found '" + path + "'");
      } else {
        fine.add(path);
      }
    }
    return fine;
  }

  private static Optional<Duration> age(YamlSection section, String key) {
    return Optional.ofNullable(section.duration(key, null));
  }

  private static Optional<PathRule.Scope> scope(YamlSection section) {
    boolean is = section.has("scope");
    PathRule.Scope scope = section.choice("scope", PathRule.Scope.MANAGED);
    return is ? Optional.of(scope) : Optional.empty();
  }

  private static Optional<PathRule.Place> place(YamlSection section) {
    Optional<StorageType> atLeast = type(section, "atLeast");
    Optional<StorageType> atMost = type(section, "atMost");
    if (PathRule.crosses(atLeast, atMost)) {
      section.reject("atMost", atMost.get() + " is slower than atLeast, " + atLeast.get());
      return Optional.empty();
    }
    return atLeast.isEmpty() && atMost.isEmpty()
        ? Optional.empty()
        : Optional.of(new PathRule.Place(atLeast, atMost));
  }

  private static Optional<StorageType> type(YamlSection section, String key) {
    String name = section.text(key, null);
    if (name == null) {
      return Optional.empty();
    }
    String upper = name.toUpperCase(Locale.ROOT);
    Optional<StorageType> type =
        Stream.of(StorageType.values())
            .filter(each -> each.isMovable() && each.name().equals(upper))
            .findFirst()
            .or(() -> Optional.ofNullable(POLICIES.get(upper)));
    if (type.isEmpty()) {
      section.reject(
          key,
          "expected one of NVDIMM, SSD, DISK and ARCHIVE, or ONE_SSD, HOT and COLD for the last three,"
              + " found '"
              + name
              + "'");
    }
    return type;
  }

  private static Optional<PathRule.MoveOnly> moveOnly(YamlSection section, ZoneId zone) {
    String words = section.text("moveOnly", null);
    if (words == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(new PathRule.MoveOnly(WindowText.parse(words, zone), words));
    } catch (IllegalArgumentException e) {
      section.reject(
          "moveOnly",
          "expected times like 22:00-06:00 or Sat-Sun 00:00-24:00, found '" + words + "'");
      return Optional.empty();
    }
  }
}
