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
 * What the service's user asked of the NameNode, by the audit log, against what it may ask.
 * Commands as the log names them, each with a pattern of what it may concern: its source, or its
 * source and target with {@code " -> "} between.
 */
final class NameNodeCalls {

  private static final Pattern LINE =
      Pattern.compile(
          "ugi=" + ServiceProcess.USER + " .*?\tcmd=([^\t]*)\tsrc=([^\t]*)\tdst=([^\t]*)\t");

  /** Of each service: it looks, and keeps a second mover away. */
  static final Map<String, String> ALWAYS =
      Map.of(
          "listStatus", ".*",
          "getfileinfo", ".*",
          "datanodeReport", "null",
          "safemode_get", "null",
          "getDatanodeStorageReport", "null",
          "create", "/system/thermocline/mover.id",
          "delete", "/system/thermocline/mover.id");

  /** Of a service that starts after one that was killed. */
  static final Map<String, String> AFTER_A_KILL = Map.of("append", "/system/thermocline/mover.id");

  /** Of moves of the tests' files. */
  static final Map<String, String> MOVES = Map.of("setStoragePolicy", "/(levers|together)(/.*)?");

  /** Of moves that are taken back, below /together. */
  static final Map<String, String> UNDO =
      Map.of(
          "setStoragePolicy", "/together(/.*)?",
          "unsetStoragePolicy", "/together(/.*)?");

  /** Of levers, on files below /levers. */
  static final Map<String, String> LEVERS =
      Map.of(
          "setReplication", "/levers/.*",
          "addCachePool", ".*poolName:thermocline,.*",
          "listCachePools", ".*",
          "addCacheDirective", ".*path: /levers/.*pool: thermocline.*",
          "removeCacheDirective", ".*",
          "listCacheDirectives", ".*");

  /** Directories of groups, and what is in them. */
  private static final String OWN = "/system/thermocline/(groups|blocks|cold|crash-[^/]*)(/[^/]*)?";

  /** Of groups, on files below /together, of which x and y are too large for a group file. */
  static final Map<String, String> GROUPS =
      Map.of(
          "open", "/together/.*|/\\.reserved/\\.inodes/.*|" + OWN,
          "mkdirs", OWN,
          "create", OWN,
          "setOwner", OWN,
          "setPermission", OWN,
          "rename", OWN + " -> " + OWN,
          "rename (options=[OVERWRITE])", OWN + " -> " + OWN,
          "delete", OWN,
          "setReplication", "/together/[xy]");

  /** By the rows of the page, what tests compare with the log. */
  static final Map<String, List<Map<String, String>>> ROWS =
      Map.of(
          "always", List.of(ALWAYS, AFTER_A_KILL),
          "moves", List.of(MOVES),
          "undo", List.of(UNDO),
          "levers", List.of(LEVERS),
          "groups", List.of(GROUPS));

  private NameNodeCalls() {}

  /**
   * Every call in the log is one of these.
   *
   * @param allowed by what makes them
   */
  @SafeVarargs
  static void areAllOf(Path auditLog, Map<String, String>... allowed) throws IOException {
    Map<String, String> any = new TreeMap<>();
    for (Map<String, String> each : allowed) {
      each.forEach((command, what) -> any.merge(command, what, (a, b) -> a + "|" + b));
    }
    List<String> others = new ArrayList<>();
    asked(auditLog)
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
  static void include(Path auditLog, Map<String, String>... needed) throws IOException {
    Map<String, Set<String>> asked = asked(auditLog);
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
  private static Map<String, Set<String>> asked(Path auditLog) throws IOException {
    Map<String, Set<String>> asked = new TreeMap<>();
    for (String logged : Files.readAllLines(auditLog)) {
      Matcher found = LINE.matcher(logged);
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
