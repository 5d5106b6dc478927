// SPDX-License-Identifier: Apache-2.0
package io.thermocline.chaos;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** What didn't hold in a run of scenarios: counted by kind, the first in words. For one thread. */
final class Findings {

  private static final int MAX_KEPT = 100;

  private final Consumer<String> progress;
  private final Map<Kind, Integer> counts = new EnumMap<>(Kind.class);
  private final List<String> violations = new ArrayList<>();

  /** What is counted apart. */
  enum Kind {
    LOST,
    OVERWRITTEN_POLICIES,
    OVERWRITTEN_REPLICATION,
    QUOTA_EXCEEDED,
    STUCK_MOVES,
    OTHER;

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * @param progress told each
   */
  Findings(Consumer<String> progress) {
    this.progress = progress;
  }

  void add(Kind kind, String what) {
    counts.merge(kind, 1, Integer::sum);
    if (violations.size() < MAX_KEPT) {
      violations.add(what);
      progress.accept("violation: " + what);
    }
  }

  int count(Kind kind) {
    return counts.getOrDefault(kind, 0);
  }

  /** In words, at most a hundred. */
  List<String> violations() {
    return List.copyOf(violations);
  }
}
