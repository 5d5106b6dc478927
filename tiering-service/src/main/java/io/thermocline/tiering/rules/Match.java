// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.rules;

import io.thermocline.tiering.observe.FileView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Which files a rule is about: those that one of the patterns matches and all conditions hold
 * for.
 * Immutable.
 *
 * @param user whose files
 * @param group whose files
 * @param olderThan since it was changed
 * @param unreadFor since it was read
 * @param atLeast bytes of one copy
 * @param below bytes of one copy
 */
public record Match(
    List<PathPattern> paths,
    Optional<String> user,
    Optional<String> group,
    Optional<Duration> olderThan,
    Optional<Duration> unreadFor,
    long atLeast,
    long below) {

  /**
   * HDFS writes down when a file was read only now and then (once an hour by default). The
   * service
   * sees each read: with so much of one left it was lately.
   */
  static final double READ_LATELY = 0.5;

  public Match {
    paths = List.copyOf(paths);
  }

  /** By paths alone. */
  public static Match of(List<String> globs) {
    return new Match(
        globs.stream().map(PathPattern::new).toList(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        0,
        Long.MAX_VALUE);
  }

  /** For people. */
  public String words() {
    List<String> words = new ArrayList<>();
    words.add(
        paths.isEmpty()
            ? "nothing"
            : paths.stream().map(PathPattern::toString).collect(Collectors.joining(", ")));
    user.ifPresent(name -> words.add("of " + name));
    group.ifPresent(name -> words.add("of group " + name));
    olderThan.ifPresent(age -> words.add("older than " + age.toHours() + " h"));
    unreadFor.ifPresent(age -> words.add("unread for " + age.toHours() + " h"));
    if (atLeast > 0) {
      words.add("of at least " + atLeast + " bytes");
    }
    if (below < Long.MAX_VALUE) {
      words.add("below " + below + " bytes");
    }
    return String.join("; ", words);
  }

  /** By paths, and whose they are. */
  public Match by(Optional<String> user, Optional<String> group) {
    return new Match(paths, user, group, olderThan, unreadFor, atLeast, below);
  }

  /** By age too. */
  public Match aged(Optional<Duration> olderThan, Optional<Duration> unreadFor) {
    return new Match(paths, user, group, olderThan, unreadFor, atLeast, below);
  }

  /** By size too. */
  public Match sized(long atLeast, long below) {
    return new Match(paths, user, group, olderThan, unreadFor, atLeast, below);
  }

  /** Whether it asks for nothing but paths. */
  public boolean isByPathAlone() {
    return user.isEmpty()
        && group.isEmpty()
        && olderThan.isEmpty()
        && unreadFor.isEmpty()
        && atLeast == 0
        && below == Long.MAX_VALUE;
  }

  boolean matches(String path) {
    for (PathPattern pattern : paths) {
      if (pattern.matches(path)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether it is about the file; of one whose times aren't known, nothing that asks for age is.
   */
  boolean covers(FileView file, double heat, Instant now) {
    FileView.Times times = file.times();
    long read = Math.max(times.accessed(), times.modified());
    return matches(file.path())
        && file.length() >= atLeast
        && file.length() < below
        && user.map(file.owner()::equals).orElse(true)
        && group.map(file.group()::equals).orElse(true)
        && olderThan.map(age -> isPast(times.modified(), age, now)).orElse(true)
        && unreadFor.map(age -> heat < READ_LATELY && isPast(read, age, now)).orElse(true);
  }

  private static boolean isPast(long millis, Duration age, Instant now) {
    return millis > 0 && now.toEpochMilli() - millis >= age.toMillis();
  }

  boolean reachesBelow(String directory) {
    return paths.stream().anyMatch(pattern -> pattern.reachesBelow(directory));
  }

  /** Whether a file may be covered by both: ages and sizes aren't told apart. */
  boolean overlaps(Match other, Effort effort) {
    return !differ(user, other.user)
        && !differ(group, other.group)
        && paths.stream()
            .anyMatch(mine -> other.paths.stream().anyMatch(each -> mine.overlaps(each, effort)));
  }

  private static boolean differ(Optional<String> mine, Optional<String> other) {
    return mine.isPresent() && other.isPresent() && !mine.equals(other);
  }
}
