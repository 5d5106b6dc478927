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
  static final Map<String, String> LOOKS =
      Map.of(
          "listStatus", ".*",
          "getfileinfo", ".*",
          "datanodeReport", "null",
          "safemode_get", "null",
          "getDatanodeStorageReport", "null",
          "create", "/system/thermocline/mover.id",
          "delete", "/system/thermocline/mover.id");

  /** Of moves and levers, on files below /levers. */
  static final Map<String, String> LEVERS =
      Map.of(
          "setStoragePolicy", "/levers/.*",
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

  /** Of files that are moved while there are groups, and back; of the mutex of one that was killed. */
  static final Map<String, String> BESIDE_GROUPS =
      Map.of(
          "setStoragePolicy", "/together(/.*)?",
          "unsetStoragePolicy", "/together(/.*)?",
          "append", "/system/thermocline/mover.id");

  private NameNodeCalls() {}

  /**
   * Every call in the log is one of these or of {@link #LOOKS}, and each of both is in the log.
   *
   * @param perhaps calls that may be in the log too
   */
  static void areExactly(Path auditLog, Map<String, String> changes, Map<String, String> perhaps)
      throws IOException {
    Map<String, String> needed = new TreeMap<>(LOOKS);
    changes.forEach((command, what) -> needed.merge(command, what, (a, b) -> a + "|" + b));
    Map<String, String> allowed = new TreeMap<>(perhaps);
    allowed.putAll(needed);
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
    List<String> others = new ArrayList<>();
    asked.forEach(
        (command, sources) ->
            sources.stream()
                .filter(source -> !source.matches(allowed.getOrDefault(command, "")))
                .forEach(source -> others.add(command + " of " + source)));
    assertEquals(List.of(), others);
    Set<String> missing = new TreeSet<>(needed.keySet());
    missing.removeAll(asked.keySet());
    assertEquals(Set.of(), missing);
  }
}
