// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What counts as an access; docs/accesses.md says it in full. Immutable.
 *
 * @param openWindow opens of a path by one client within this time are one read; zero: each counts
 * @param scanFiles a client that opens more files of one directory than this, each once, scans; 0: nothing is a
 *     scan
 * @param scanWindow how long opens of one client in one directory belong together
 * @param ignored whose accesses say nothing of heat
 * @param own who the service itself is
 */
public record AccessSettings(
    Duration openWindow, int scanFiles, Duration scanWindow, Ignored ignored, Own own) {

  /** Each file a client scans is remembered until the scan is known as one. */
  public static final int MOST_SCAN_FILES = 4096;

  public AccessSettings {
    if (scanFiles < 0 || scanFiles > MOST_SCAN_FILES) {
      throw new IllegalArgumentException(
          "scanFiles = " + scanFiles + ": expected 0 to " + MOST_SCAN_FILES);
    }
  }

  /** Of a reader that changes nothing itself. */
  public AccessSettings(Duration openWindow, int scanFiles, Duration scanWindow, Ignored ignored) {
    this(openWindow, scanFiles, scanWindow, ignored, new Own("", ""));
  }

  /** As conf/thermocline.yaml shows them. */
  public static AccessSettings defaults(Ignored ignored) {
    return new AccessSettings(Duration.ofSeconds(10), 256, Duration.ofMinutes(10), ignored);
  }

  /**
   * The same for a service whose own calls have this user and this caller context: they say nothing of heat. Where the log has
   * contexts, others may read as this user; else what this user reads is taken for the service's.
   */
  public AccessSettings without(String user, String context) {
    List<String> contexts = new ArrayList<>(ignored.contexts());
    contexts.add(context);
    return new AccessSettings(
        openWindow,
        scanFiles,
        scanWindow,
        new Ignored(ignored.users(), contexts, ignored.paths()),
        new Own(user, context));
  }

  /**
   * The service itself.
   *
   * @param user its short name; empty: nobody
   * @param context what its caller context begins with
   */
  public record Own(String user, String context) {}

  /**
   * Maintenance: reads of it don't heat. What it writes, renames and deletes is as real as anybody's.
   *
   * @param users short names
   * @param contexts what a caller context begins with
   * @param paths patterns: {@code *} stands for anything within a component, {@code **} for anything
   */
  public record Ignored(Set<String> users, List<String> contexts, List<String> paths) {
    public Ignored {
      users = Set.copyOf(users);
      contexts = List.copyOf(contexts);
      paths = List.copyOf(paths);
    }

    public static Ignored nothing() {
      return new Ignored(Set.of(), List.of(), List.of());
    }

    long[] userHashes() {
      return users.stream().mapToLong(AuditLine::hash).sorted().toArray();
    }

    byte[][] contextPrefixes() {
      return contexts.stream()
          .map(context -> context.getBytes(StandardCharsets.UTF_8))
          .toArray(byte[][]::new);
    }

    List<Pattern> pathPatterns() {
      return paths.stream().map(PathGlob::pattern).toList();
    }
  }
}
