// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

/**
 * How much of what a NameNode did stands in its audit log: what an asynchronous appender dropped, or a log shipper
 * lost, is missing from heat. Immutable.
 *
 * @param counted operations by the NameNode's own counters, of the kinds that are audited one line each
 * @param audited lines of those kinds, at most: see {@link CompletenessMeter}
 * @param discarded records that the NameNode's logger itself says it dropped
 */
public record Completeness(long counted, long audited, long discarded) {

  /** With fewer operations the clocks of counter and log matter more than what is missing. */
  static final long LEAST = 1000;

  public static final Completeness UNKNOWN = new Completeness(0, 0, 0);

  /** Whether there was enough to compare. */
  public boolean isKnown() {
    return counted >= LEAST || isMute();
  }

  /** Whether operations were counted, and no line of them came, however long it was waited for. */
  private boolean isMute() {
    return audited == 0 && counted > 0;
  }

  /** The share that stands in the log, 0 to 1; 1 where it is not known. */
  public double share() {
    return isKnown() ? Math.min(1, (double) audited / counted) : 1;
  }

  public Completeness plus(Completeness other) {
    return new Completeness(
        counted + other.counted, audited + other.audited, discarded + other.discarded);
  }

  @Override
  public String toString() {
    if (isMute()) {
      return "0 %% complete: no line came of %d operations that a NameNode counted"
          .formatted(counted);
    }
    return isKnown()
        ? "%.2f %% complete: %d of %d counted operations are in the audit log, %d known as discarded"
            .formatted(100 * share(), audited, counted, discarded)
        : "completeness unknown: only %d operations were counted".formatted(counted);
  }
}
