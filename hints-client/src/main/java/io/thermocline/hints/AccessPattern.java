// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints;

/**
 * How the application will use the data: the first field of HintStor's enhanced stream ID (thesis,
 * figure 2.7), where an application that has no clue leaves {@link #UNKNOWN}.
 */
public enum AccessPattern {
  UNKNOWN(Requirement.NONE, Temperature.UNKNOWN),
  WRITE_INTENSIVE(Requirement.LOW_LATENCY, Temperature.HOT),
  /** Its writes need nothing; readers are what it is moved for. */
  READ_INTENSIVE(Requirement.NONE, Temperature.HOT),
  RANDOM_WRITE(Requirement.LOW_LATENCY, Temperature.HOT),
  SEQUENTIAL(Requirement.NONE, Temperature.UNKNOWN),
  /** Kept for long, hardly read. */
  ARCHIVAL(Requirement.CHEAP, Temperature.COLD),
  /** Written once, read only when something else was lost. */
  BACKUP(Requirement.CHEAP, Temperature.COLD),
  /** Written once, then read once from front to back: caching it would only push out others. */
  WRITE_ONCE_SCAN_ONCE(Requirement.NONE, Temperature.COLD),
  /** Deleted soon; not worth a move. */
  TEMPORARY(Requirement.NONE, Temperature.COLD);

  private final Requirement need;
  private final Temperature temperature;

  AccessPattern(Requirement need, Temperature temperature) {
    this.need = need;
    this.temperature = temperature;
  }

  /** What new data needs, where nothing else says so. What is led to a tier is expected to stay there. */
  public Requirement need() {
    return need;
  }

  /** How hot data will be, where nothing else says so. */
  public Temperature temperature() {
    return temperature;
  }
}
