// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the service asked of the NameNode, by the audit log, against what it may ask.
 * Commands as the log names them, each with a pattern of what it may concern: its source, or its
 * source and target with {@code " -> "} between.
 */
final class NameNodeCalls {

  /** Of each service: it looks, and keeps a second mover away. */
  static final Map<String, String> ALWAYS =
      Map.of(
          "listStatus", ".*",
          "getfileinfo", ".*",
          "quotaUsage", ".*",
          "datanodeReport", "null",
          "safemode_get", "null",
          "getDatanodeStorageReport", "null",
          "create", "/system/thermocline/mover.id",
          "setXAttr", "/system/thermocline/mover.id",
          "delete", "/system/thermocline/mover.id");

  /** Of a service that finds the mutex of one before it, or of another. */
  static final Map<String, String> AFTER_A_KILL =
      Map.of("append", "/system/thermocline/mover.id", "getXAttrs", "/system/thermocline/mover.id");

  /** Of who has the superuser's rights, and marks how far the journal is. */
  static final Map<String, String> MARK =
      Map.of("getXAttrs", "/system/thermocline", "setXAttr", "/system/thermocline");

  /** Of moves of the tests' files. */
  static final Map<String, String> MOVES =
      Map.of(
          "setStoragePolicy", "/(actions|satisfied|together|hints|rest|led|apart|ha)(/.*)?",
          "setXAttr", "/(actions|satisfied|together|hints|rest|led|apart|ha)(/.*)?");

  /** Of moves of a service that was killed: a policy is put back where no copy followed it. */
  static final Map<String, String> MOVES_AFTER_A_KILL =
      Map.of(
          "setStoragePolicy", "/(together|ha)(/.*)?",
          "unsetStoragePolicy", "/(together|ha)(/.*)?",
          "removeXAttr", "/(together|ha)(/.*)?");

  /** Of what a client had set, and the service replaced before it read of it. */
  static final Map<String, String> GIVEN_BACK =
      Map.of(
          "setStoragePolicy", "/.*",
          "unsetStoragePolicy", "/.*",
          "setReplication", "/.*",
          "removeXAttr", "/.*",
          "rollEditLog", "null");

  /** Of a service that goes on without its journal. */
  static final Map<String, String> LOST_JOURNAL = Map.of("getXAttrs", "/.*");

  /** Of policies of its own that nothing needs any more. */
  static final Map<String, String> NEEDLESS =
      Map.of("setStoragePolicy", "/.*", "unsetStoragePolicy", "/.*", "removeXAttr", "/.*");

  /** Of moves that are taken back. */
  static final Map<String, String> UNDO =
      Map.of(
          "setStoragePolicy", "/(together|apart)(/.*)?",
          "unsetStoragePolicy", "/(together|apart)(/.*)?",
          "setXAttr", "/(together|apart)(/.*)?",
          "removeXAttr", "/(together|apart)(/.*)?");

  /** Of actions, on files below /actions. */
  static final Map<String, String> ACTIONS =
      Map.of(
          "setReplication", "/actions/.*",
          "getXAttrs", "/actions/.*",
          "setXAttr", "/actions/.*",
          "removeXAttr", "/actions/.*",
          "addCachePool", ".*poolName:thermocline,.*",
          "listCachePools", ".*",
          "addCacheDirective", ".*path: /actions/.*pool: thermocline.*",
          "removeCacheDirective", ".*",
          "listCacheDirectives", ".*");

  private static final String JOURNALS = "(/.*)?/journal(-clock|-ends|/[^/]*)?";
  private static final String SEGMENTS = JOURNALS + "/journal-[0-9]+\\.jsonl";
  private static final String HINTED = "/(bad|rest)/.*";

  /** Directories of groups, and what is in them. */
  private static final String OWN = "/system/thermocline/(groups|blocks|cold|crash-[^/]*)(/[^/]*)?";

  /** Of groups, on files below /together, of which x and y are too large for a group file. */
  static final Map<String, String> GROUPS =
      Map.ofEntries(
          Map.entry("open", "/together/.*|/\\.reserved/\\.inodes/.*|" + OWN),
          Map.entry("mkdirs", OWN),
          Map.entry("create", OWN),
          Map.entry("setOwner", OWN),
          Map.entry("setPermission", OWN),
          Map.entry("rename", OWN + " -> " + OWN),
          Map.entry("rename (options=[OVERWRITE])", OWN + " -> " + OWN),
          Map.entry("delete", OWN),
          Map.entry("setReplication", "/together/[xy]"),
          Map.entry("getXAttrs", "/together/[xy]"),
          Map.entry("setXAttr", "/together/[xy]"),
          Map.entry("removeXAttr", "/together/[xy]"));

  /** Of a journal in HDFS. The log has no word of recoverLease. */
  static final Map<String, String> JOURNAL =
      Map.of("mkdirs", JOURNALS, "create", SEGMENTS, "open", SEGMENTS, "delete", SEGMENTS);

  /** Of hints on files below the tests' directories of hints. */
  static final Map<String, String> HINTS = Map.of("getXAttrs", "/(hints|bad|rest|led)(/.*)?");

  /** In the names of those who give hints by REST, on files below /bad and /rest. */
  static final Map<String, String> HINTS_BY_REST =
      Map.of(
          "checkAccess", HINTED,
          "setXAttr", HINTED,
          "getXAttrs", HINTED,
          "removeXAttr", HINTED);

  /** Of hints whose lease ends, on files below /hints. */
  static final Map<String, String> HINTS_THAT_END =
      Map.of("getXAttrs", "/hints/.*", "removeXAttr", "/hints/.*");

  /** Of movers of services that are elected. */
  static final Map<String, String> FENCE =
      Map.of(
          "mkdirs", "/system/thermocline",
          "getXAttrs", "/system/thermocline(/mover.id)?",
          "setXAttr", "/system/thermocline");

  /** Of moves by the satisfier, below /satisfied. */
  static final Map<String, String> SATISFIER = Map.of("satisfyStoragePolicy", "/satisfied/.*");

  static final Map<String, String> ROLLING_UPGRADE = Map.of("queryRollingUpgrade", "null");

  static final Map<String, String> QUOTAS = Map.of("contentSummary", "/satisfied(/.*)?");

  /** By the rows of the page, what tests compare with the log. */
  static final Map<String, List<Map<String, String>>> ROWS =
      Map.ofEntries(
          Map.entry("always", List.of(ALWAYS, AFTER_A_KILL)),
          Map.entry("position of the journal", List.of(MARK)),
          Map.entry("`--accept-journal`", List.of(LOST_JOURNAL)),
          Map.entry("moves", List.of(MOVES)),
          Map.entry("after a kill", List.of(MOVES_AFTER_A_KILL)),
          Map.entry("a user's change that the service overwrote", List.of(GIVEN_BACK)),
          Map.entry("policies that nothing needs any more", List.of(NEEDLESS)),
          Map.entry("undo", List.of(UNDO)),
          Map.entry("actions", List.of(ACTIONS)),
          Map.entry("groups", List.of(GROUPS)),
          Map.entry("journal in HDFS", List.of(JOURNAL)),
          Map.entry("hints", List.of(HINTS)),
          Map.entry("hints by REST", List.of(HINTS_BY_REST)),
          Map.entry("hints that end", List.of(HINTS_THAT_END)),
          Map.entry("epoch, with a separate mover", List.of(FENCE)),
          Map.entry("satisfier", List.of(SATISFIER)),
          Map.entry("during a rolling upgrade", List.of(ROLLING_UPGRADE)),
          Map.entry("quotas", List.of(QUOTAS)));

  private final Path auditLog;
  private final Pattern line;

  private NameNodeCalls(Path auditLog, String who) {
    this.auditLog = auditLog;
    this.line =
        Pattern.compile("ugi=" + who + " \\([^\t]*\t.*?cmd=([^\t]*)\tsrc=([^\t]*)\tdst=([^\t]*)\t");
  }

  /** What the service's user asked in its own name. */
  static NameNodeCalls in(Path auditLog) {
    return by(ServiceProcess.USER, auditLog);
  }

  /** What a user asked in its own name. */
  static NameNodeCalls by(String user, Path auditLog) {
    return new NameNodeCalls(auditLog, user);
  }

  /** What a user asked in the names of others. */
  static NameNodeCalls forOthersBy(String user, Path auditLog) {
    return new NameNodeCalls(auditLog, "[^ ]* \\(auth:PROXY\\) via " + user);
  }

  /**
   * Every call in the log is one of these.
   *
   * @param allowed by what makes them
   */
  @SafeVarargs
  final void areAllOf(Map<String, String>... allowed) throws IOException {
    Map<String, String> any = new TreeMap<>();
    for (Map<String, String> each : allowed) {
      each.forEach((command, what) -> any.merge(command, what, (a, b) -> a + "|" + b));
    }
    List<String> others = new ArrayList<>();
    asked()
        .forEach(
            (command, concerned) ->
                concerned.stream()
                    .filter(what -> !what.matches(any.getOrDefault(command, "")))
                    .forEach(what -> others.add(command + " of " + what)));
    assertEquals(List.of(), others);
  }

  /**
   * Each of these is in the log, of what it may concern.
   *
   * @param needed by what makes them
   */
  @SafeVarargs
  final void include(Map<String, String>... needed) throws IOException {
    Map<String, Set<String>> asked = asked();
    List<String> missing = new ArrayList<>();
    for (Map<String, String> each : needed) {
      each.forEach(
          (command, pattern) -> {
            if (asked.getOrDefault(command, Set.of()).stream()
                .noneMatch(what -> what.matches(pattern))) {
              missing.add(command + " of " + pattern);
            }
          });
    }
    assertEquals(List.of(), missing);
  }

  /** Of each command what it concerned. */
  private Map<String, Set<String>> asked() throws IOException {
    Map<String, Set<String>> asked = new TreeMap<>();
    for (String logged : Files.readAllLines(auditLog)) {
      Matcher found = line.matcher(logged);
      if (found.find()) {
        String target = found.group(3).equals("null") ? "" : " -> " + found.group(3);
        asked
            .computeIfAbsent(found.group(1), first -> new TreeSet<>())
            .add(found.group(2) + target);
      }
    }
    return asked;
  }
}
