// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.client;

/** What became of hints so far. Immutable. */
public final class HintCounts {
  private final long given;
  private final long taken;
  private final long refused;
  private final long dropped;
  private final String lastProblem;

  HintCounts(long given, long taken, long refused, long dropped, String lastProblem) {
    this.given = given;
    this.taken = taken;
    this.refused = refused;
    this.dropped = dropped;
    this.lastProblem = lastProblem;
  }

  /** By the application; those that are not in the other counts are under way. */
  public long given() {
    return given;
  }

  public long taken() {
    return taken;
  }

  /** By the service, each for a reason of its own. */
  public long refused() {
    return refused;
  }

  /** Because the queue was full, or the service not to be had. */
  public long dropped() {
    return dropped;
  }

  /** Why the last one was refused or dropped; null while none was. */
  public String lastProblem() {
    return lastProblem;
  }

  @Override
  public String toString() {
    return given
        + " hints given, "
        + taken
        + " taken, "
        + refused
        + " refused, "
        + dropped
        + " dropped"
        + (lastProblem == null ? "" : "; the last problem: " + lastProblem);
  }
}
