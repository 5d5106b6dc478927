// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import io.thermocline.tiering.observe.Access;

/** The opens of one file, not cooled. Not thread-safe. */
public final class OpenTally {
  private final ReadTimes times = new ReadTimes();
  private long all;
  private long parts;
  private long again;
  private double requests;
  private double share;
  private long added;

  /** Counts a READ or a RESTORE, and takes back a WITHDRAW; others change nothing. */
  public void add(Access access) {
    switch (access.kind()) {
      case READ -> {
        all++;
        parts += access.isPart() ? 1 : 0;
        again += access.isAgain() ? 1 : 0;
        requests += access.extent().requests();
        share += access.extent().share();
        times.add(access.timeMillis());
        added++;
      }
      case RESTORE -> all++;
      case WITHDRAW -> {
        all -= 1 + access.parts();
        parts -= access.parts();
      }
      default -> {
        // Says nothing of reads.
      }
    }
  }

  /** Below zero where some were no reads after all. */
  public long all() {
    return all;
  }

  /** The share of the opens before an instant, in milliseconds since 1970; NaN where there were none. */
  public double shareBefore(long millis) {
    return times.shareBefore(millis);
  }

  /** What was counted. */
  public Opens opens() {
    double count = Math.max(0, all);
    double shared = Math.max(0, Math.min(parts, count));
    return new Opens(
        count - shared,
        shared,
        Math.min(shared, again),
        added == 0 ? 1 : requests / added,
        added == 0 ? 1 : share / added);
  }
}
