// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.plans;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Files of which a move failed: they aren't planned for a while, twice as long each time that they fail for the same reason
 * again. In memory alone. Thread-safe.
 */
final class FailurePauses {

  static final Duration FIRST = Duration.ofSeconds(10);
  static final Duration LONGEST = Duration.ofHours(1);

  /** Files; those that failed first are forgotten first. */
  static final int MOST = 100_000;

  private final LongSupplier nanos;

  // Guarded by this.
  private final Map<String, Failed> files = new LinkedHashMap<>();

  /**
   * @param kind the reason without its numbers
   */
  private record Failed(String kind, String reason, Duration pause, long sinceNanos) {}

  /**
   * @param nanos monotonic
   */
  FailurePauses(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** A move of the file failed; others of the same pause change nothing. */
  synchronized void failed(String path, String reason) {
    Failed last = files.get(path);
    if (last != null && left(last).compareTo(Duration.ZERO) > 0) {
      return;
    }
    String kind = reason.replaceAll("[0-9a-f-]*[0-9][0-9a-f-]*", "#");
    Duration pause = FIRST;
    if (last != null && last.kind().equals(kind)) {
      Duration twice = last.pause().multipliedBy(2);
      pause = twice.compareTo(LONGEST) < 0 ? twice : LONGEST;
    }
    files.remove(path);
    if (files.size() == MOST) {
      files.remove(files.keySet().iterator().next());
    }
    files.put(path, new Failed(kind, reason, pause, nanos.getAsLong()));
  }

  /** A move of the file came to a good end; during its pause that says nothing of the one that failed. */
  synchronized void done(String path) {
    if (objection(path).isEmpty()) {
      files.remove(path);
    }
  }

  /** Why the file isn't planned for now; empty where it may be. */
  synchronized Optional<String> objection(String path) {
    return Optional.ofNullable(files.get(path))
        .filter(failed -> left(failed).compareTo(Duration.ZERO) > 0)
        .map(
            failed ->
                "a move of it failed, and is planned again in "
                    + (left(failed).toSeconds() + 1)
                    + " s: "
                    + failed.reason());
  }

  private Duration left(Failed failed) {
    return failed.pause().minusNanos(nanos.getAsLong() - failed.sinceNanos());
  }
}
