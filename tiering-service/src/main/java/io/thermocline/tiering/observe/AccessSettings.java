// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What counts as an access; docs/concepts/heat.md says it in full. Immutable.
 *
 * @param openWindow opens of a path by one application within this time share the file; zero: each reads all of it
 * @param scanFiles an application that opens more files than this, each once, scans; 0: nothing is a scan
 * @param scanWindow how long opens of one application belong together
 * @param scanAgain a file that is scanned again within this time counts as read
 * @param ignored whose accesses say nothing of heat
 * @param own who the service itself is
 * @param heated the nameservice whose heat is learned; empty: of any
 */
public record AccessSettings(
    Duration openWindow,
    int scanFiles,
    Duration scanWindow,
    Duration scanAgain,
    Ignored ignored,
    Own own,
    String heated) {

  /** In half-lives: so much later, an eighth is left of a read. */
  private static final int AGAIN_HALF_LIVES = 3;

  private static final Duration DEFAULT_HALF_LIFE = Duration.ofHours(6);

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
    this(
        openWindow,
        scanFiles,
        scanWindow,
        DEFAULT_HALF_LIFE.multipliedBy(AGAIN_HALF_LIVES),
        ignored,
        new Own("", ""),
        "");
  }

  /** The same for heat of another half-life than the default, 6 h. */
  public AccessSettings cooling(Duration halfLife) {
    return new AccessSettings(
        openWindow,
        scanFiles,
        scanWindow,
        halfLife.multipliedBy(AGAIN_HALF_LIVES),
        ignored,
        own,
        heated);
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
        scanAgain,
        new Ignored(ignored.users(), contexts, ignored.paths()),
        new Own(user, context),
        heated);
  }

  /** The same for a reader that tells the service's calls from those of others. */
  AccessSettings of(Own service) {
    return new AccessSettings(
        openWindow, scanFiles, scanWindow, scanAgain, ignored, service, heated);
  }

  /** The same where only the heat of one nameservice is learned. */
  public AccessSettings heating(String nameservice) {
    return new AccessSettings(
        openWindow, scanFiles, scanWindow, scanAgain, ignored, own, nameservice);
  }

  /** @param nameservice as {@link PathKey#nameservice} makes it */
  boolean isHeated(long nameservice) {
    return heated.isEmpty() || PathKey.nameservice(heated) == nameservice;
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

    List<PathGlob> pathPatterns() {
      return paths.stream().map(PathGlob::new).toList();
    }
  }
}
