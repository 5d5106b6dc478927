// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.fs;

import io.thermocline.hints.AccessPattern;
import io.thermocline.hints.Hint;
import io.thermocline.hints.Operation;
import io.thermocline.hints.Requirement;
import io.thermocline.hints.Scope;
import io.thermocline.hints.Temperature;
import io.thermocline.hints.client.ServiceClient;
import io.thermocline.hints.redirect.hdfs.GroupReads;
import io.thermocline.placement.choice.PublishedPolicy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;

/**
 * What Hadoop's configuration says about hints: keys from {@code thermocline.hints.}. Immutable.
 * What is wrong is listed in {@link #problems} and counts as unsaid.
 */
final class FileSystemSettings {
  static final String PREFIX = "thermocline.hints.";
  static final String SERVICE = ConfiguredService.ADDRESSES;
  static final String STRICT = PREFIX + "strict";
  static final String TIMEOUT = ConfiguredService.TIMEOUT;
  static final String TOKEN_FILE = ConfiguredService.TOKEN_FILE;
  static final String QUEUE = PREFIX + "queue";
  static final String POLICIES = PREFIX + "create.policies";
  static final String OPEN_REDIRECT = PREFIX + "open.redirect";
  static final String CHOICE_PATHS = PREFIX + "choice.paths";
  static final String CHOICE_TABLE = PREFIX + "choice.table";
  static final String CHOICE_POLICY = PREFIX + "choice.policy";
  static final String CHOICE_CANDIDATES = PREFIX + "choice.candidates";
  static final String CHOICE_REFRESH = PREFIX + "choice.refresh";
  static final String READ_ORDER = PREFIX + "read.order";
  static final String GROUPS = PREFIX + "groups";
  static final String GROUPS_AHEAD = PREFIX + "groups.ahead";
  static final String GROUPS_MEMORY = PREFIX + "groups.memory";
  static final String REDIRECT_REFRESH = PREFIX + "redirect.refresh";
  static final String RULES = PREFIX + "rules";
  static final String RULE = PREFIX + "rule.";

  static final String DEFAULT_POLICIES = "LOW_LATENCY=ONE_SSD,CHEAP=COLD";
  static final String DEFAULT_LEASE = "1d";

  /** Those that a client may ask for; HDFS has no list of them on its side. */
  private static final List<String> KNOWN_POLICIES =
      Arrays.asList(
          "COLD", "WARM", "HOT", "ONE_SSD", "ALL_SSD", "ALL_NVDIMM", "LAZY_PERSIST", "PROVIDED");

  private final List<String> problems = new ArrayList<>();
  private final Configuration conf;
  private final List<PathRule> rules = new ArrayList<>();
  private final List<PathGlob> chosen = new ArrayList<>();
  private PublishedPolicy choicePolicy = PublishedPolicy.SPACE;
  private final Map<Requirement, String> policies = new EnumMap<>(Requirement.class);
  private ReplicaOrder readOrder = ReplicaOrder.NAMENODE;
  private long redirectRefreshMillis = TimeUnit.SECONDS.toMillis(10);

  private FileSystemSettings(Configuration conf) {
    this.conf = conf;
  }

  static FileSystemSettings of(Configuration conf) {
    FileSystemSettings settings = new FileSystemSettings(conf);
    settings.readPolicies();
    settings.readChoice();
    settings.readRefresh();
    settings.readReadOrder();
    for (String rule : conf.getTrimmedStrings(RULES)) {
      try {
        settings.rules.add(settings.rule(rule));
      } catch (IllegalArgumentException e) {
        settings.problems.add("rule " + rule + " is left out: " + e.getMessage());
      }
    }
    return settings;
  }

  /** Empty: nobody is told of hints. */
  String service() {
    return conf.getTrimmed(SERVICE, "");
  }

  boolean isStrict() {
    return conf.getBoolean(STRICT, false);
  }

  int timeoutMillis() {
    return (int) conf.getTimeDuration(TIMEOUT, TimeUnit.SECONDS.toMillis(5), TimeUnit.MILLISECONDS);
  }

  ServiceClient serviceClient(String user) throws IOException {
    return ConfiguredService.of(conf, "", user, timeoutMillis());
  }

  int queueLength() {
    return conf.getInt(QUEUE, 10_000);
  }

  /** The storage policy that a file is created with; absent: whatever it would have. */
  Map<Requirement, String> policies() {
    return Collections.unmodifiableMap(policies);
  }

  /** In order: the first that speaks of a path counts. */
  List<PathRule> rules() {
    return Collections.unmodifiableList(rules);
  }

  /** Null for none. */
  Class<? extends OpenRedirect> openRedirect() {
    return conf.getClass(OPEN_REDIRECT, null, OpenRedirect.class);
  }

  /** Whether the servers of a file are chosen by its client. */
  boolean isChosen(String path) {
    return chosen.stream().anyMatch(glob -> glob.matches(path));
  }

  /** Whether those of any are. */
  boolean hasChosen() {
    return !chosen.isEmpty();
  }

  PublishedPolicy choicePolicy() {
    return choicePolicy;
  }

  String choiceTable() {
    return conf.getTrimmed(CHOICE_TABLE, "/thermocline/servers");
  }

  int choiceCandidates() {
    return conf.getInt(CHOICE_CANDIDATES, 2);
  }

  long choiceRefreshMillis() {
    return conf.getTimeDuration(
        CHOICE_REFRESH, TimeUnit.SECONDS.toMillis(10), TimeUnit.MILLISECONDS);
  }

  /** How old what the service said of the queue, or HDFS of directories, may be. */
  long redirectRefreshMillis() {
    return redirectRefreshMillis;
  }

  /** In which the replicas of an opened file are tried. */
  ReplicaOrder readOrder() {
    return readOrder;
  }

  /** Directory of group files in HDFS; empty: files are read as they are. */
  String groups() {
    return conf.getTrimmed(GROUPS, "");
  }

  /**
   * How much of a group is loaded ahead of what is asked for, and of all groups kept in memory.
   */
  GroupReads.Limits groupLimits() {
    return GroupReads.Limits.of(
        conf.getLongBytes(GROUPS_AHEAD, GroupReads.DEFAULT_AHEAD_BYTES),
        conf.getLongBytes(GROUPS_MEMORY, GroupReads.DEFAULT_MEMORY_BYTES));
  }

  List<String> problems() {
    return Collections.unmodifiableList(problems);
  }

  private void readPolicies() {
    for (String pair : conf.get(POLICIES, DEFAULT_POLICIES).split(",")) {
      if (pair.trim().isEmpty()) {
        continue;
      }
      String[] parts = pair.trim().split("\\s*=\\s*", 2);
      try {
        Requirement requirement = constant(Requirement.class, POLICIES, parts[0]);
        if (parts.length < 2 || !KNOWN_POLICIES.contains(parts[1])) {
          throw invalid(POLICIES, pair.trim(), "REQUIREMENT=POLICY with one of " + KNOWN_POLICIES);
        }
        policies.put(requirement, parts[1]);
      } catch (IllegalArgumentException e) {
        problems.add(e.getMessage());
      }
    }
  }

  private void readChoice() {
    try {
      String policy = conf.getTrimmed(CHOICE_POLICY, "space");
      choicePolicy = constant(PublishedPolicy.class, CHOICE_POLICY, policy);
      if (choicePolicy != PublishedPolicy.SPACE && choicePolicy != PublishedPolicy.MEMORY) {
        // What was published as not effective, and where this client is.
        throw invalid(CHOICE_POLICY, policy, "space or memory");
      }
      for (String glob : conf.getTrimmedStrings(CHOICE_PATHS)) {
        chosen.add(new PathGlob(bounded(CHOICE_PATHS, glob)));
      }
    } catch (IllegalArgumentException e) {
      problems.add(e.getMessage());
    }
  }

  private void readReadOrder() {
    try {
      readOrder = optional(ReplicaOrder.NAMENODE, READ_ORDER);
    } catch (IllegalArgumentException e) {
      problems.add(e.getMessage());
    }
  }

  private void readRefresh() {
    try {
      redirectRefreshMillis =
          conf.getTimeDuration(REDIRECT_REFRESH, redirectRefreshMillis, TimeUnit.MILLISECONDS);
    } catch (NumberFormatException e) {
      String value = conf.getTrimmed(REDIRECT_REFRESH);
      problems.add(invalid(REDIRECT_REFRESH, value, "a duration, such as 10s").getMessage());
    }
  }

  private PathRule rule(String name) {
    String prefix = RULE + name + ".";
    String glob = conf.getTrimmed(prefix + "path");
    if (glob == null || !glob.startsWith("/")) {
      throw invalid(prefix + "path", glob, "an absolute path, with * ? or **, such as /tmp/**");
    }
    bounded(prefix + "path", glob);
    Scope scope = optional(Scope.FILE, prefix + "scope");
    if (scope == Scope.STREAM) {
      throw invalid(prefix + "scope", "stream", "file or directory; the stream has its own key");
    }
    long lease =
        conf.getTimeDuration(prefix + "lease", TimeUnit.DAYS.toMillis(1), TimeUnit.MILLISECONDS);
    if (lease <= 0) {
      throw invalid(prefix + "lease", lease + "ms", "a duration, such as 12h");
    }
    Set<PathRule.Moment> moments = EnumSet.noneOf(PathRule.Moment.class);
    for (String moment : conf.getTrimmedStrings(prefix + "on", "create")) {
      moments.add(constant(PathRule.Moment.class, prefix + "on", moment));
    }
    Hint.Builder said =
        Hint.onDirectory(optional(Operation.ADVISE, prefix + "operation"), "/")
            .pattern(optional(AccessPattern.UNKNOWN, prefix + "pattern"))
            .requirement(optional(Requirement.NONE, prefix + "requirement"))
            .temperature(optional(Temperature.UNKNOWN, prefix + "temperature"))
            .stream(stream(prefix + "stream"));
    PathRule.When when = optional(PathRule.When.ALWAYS, prefix + "when");
    return new PathRule(name, glob, moments, when, scope, lease, said);
  }

  /**
   * A job's own names come in by Hadoop's ${...}; where the job hasn't that one there is no
   * stream.
   */
  private String stream(String key) {
    String tag = conf.getTrimmed(key, "");
    return tag.isEmpty() || tag.contains("${") ? null : tag;
  }

  private static String bounded(String key, String glob) {
    if (glob.length() > PathGlob.MAX_LENGTH) {
      throw invalid(
          key,
          glob.substring(0, 20) + "...",
          "a path of at most " + PathGlob.MAX_LENGTH + " characters");
    }
    return glob;
  }

  private <E extends Enum<E>> E optional(E otherwise, String key) {
    String value = conf.getTrimmed(key, "");
    return value.isEmpty() ? otherwise : constant(otherwise.getDeclaringClass(), key, value);
  }

  private static <E extends Enum<E>> E constant(Class<E> type, String key, String value) {
    String name = value.toUpperCase(Locale.ROOT).replace('-', '_');
    for (E constant : type.getEnumConstants()) {
      if (constant.name().equals(name)) {
        return constant;
      }
    }
    throw invalid(key, value, "one of " + Arrays.toString(type.getEnumConstants()));
  }

  private static IllegalArgumentException invalid(String key, String value, String allowed) {
    return new IllegalArgumentException(key + " is '" + value + "'; allowed: " + allowed);
  }
}
