// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.tiering.observe.Completeness;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Whether the logs are being read: the reader reports each step, and what it can't read. One thread reports, any may
 * ask. Times are monotonic nanoseconds.
 */
final class ReaderHealth {

  /** A step that takes longer is taken for one that hangs. */
  static final long SILENT_NANOS = 30_000_000_000L;

  /** The first failures may be of a log that is just being rolled. */
  static final long FAILING_NANOS = 5_000_000_000L;

  /** A log that is rolled has no file for some milliseconds, that of a new NameNode for longer. */
  static final long MISSING_NANOS = 60_000_000_000L;

  private final long pollNanos;
  private volatile State state;

  /**
   * @param stepNanos when the last step of reading ended
   * @param problem of the last step; empty where it read all that it was to
   * @param failingNanos since when there has been a problem
   * @param missing logs that have no file
   * @param missingNanos since when there has been one
   */
  private record State(
      long stepNanos, String problem, long failingNanos, List<Path> missing, long missingNanos) {}

  /** @param poll how often the logs are looked at */
  ReaderHealth(Duration poll, long nowNanos) {
    this.pollNanos = poll.toNanos();
    this.state = new State(nowNanos, "", nowNanos, List.of(), nowNanos);
  }

  /** The thread that reads is alive. */
  void stepped(long nowNanos) {
    State was = state;
    state =
        new State(nowNanos, was.problem(), was.failingNanos(), was.missing(), was.missingNanos());
  }

  /**
   * A step of reading ended.
   *
   * @param failure null where it read all that it was to
   * @param missing logs that have no file
   */
  void read(Throwable failure, List<Path> missing, long nowNanos) {
    State was = state;
    String problem = failure == null ? "" : text(failure);
    state =
        new State(
            nowNanos,
            problem,
            was.problem().isEmpty() ? nowNanos : was.failingNanos(),
            missing,
            was.missing().isEmpty() ? nowNanos : was.missingNanos());
  }

  /** In words. */
  static String text(Throwable failure) {
    if (failure instanceof AccessDeniedException denied) {
      return denied.getFile() + ": permission denied";
    }
    if (failure instanceof FileSystemException file && file.getReason() != null) {
      return file.getFile() + ": " + file.getReason();
    }
    return failure.toString();
  }

  /** Whether all that there is can be read, as far as is known. */
  boolean isReading(long nowNanos) {
    return state.problem().isEmpty() && problem(nowNanos).isEmpty();
  }

  /** What keeps the logs from being read; empty where they are. */
  Optional<String> problem(long nowNanos) {
    State now = state;
    long silent = nowNanos - now.stepNanos();
    if (silent > SILENT_NANOS + pollNanos) {
      return Optional.of(
          "nothing was read of the logs for %d s: the reader waits for a file system, a broker or a"
                  .formatted(silent / 1_000_000_000L)
              + " disk that doesn't answer");
    }
    if (!now.problem().isEmpty() && nowNanos - now.failingNanos() >= FAILING_NANOS) {
      return Optional.of("the logs can't be read: " + now.problem());
    }
    if (!now.missing().isEmpty() && nowNanos - now.missingNanos() >= MISSING_NANOS) {
      return Optional.of("there is no file " + now.missing().get(0));
    }
    return Optional.empty();
  }

  /**
   * Why nothing is planned; empty where it may be.
   *
   * @param least completeness, 0 to 1
   */
  Optional<String> objection(Completeness completeness, double least, long nowNanos) {
    Optional<String> problem = problem(nowNanos);
    return problem.isPresent()
        ? problem.map(
            why ->
                CompletenessGate.OPENING + why + ". Reading goes on by itself when that is mended")
        : CompletenessGate.objection(completeness, least);
  }
}
