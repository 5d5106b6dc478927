// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints;

/**
 * How the application will use the data: the first field of HintStor's enhanced stream ID (thesis,
 * figure 2.7), where an application that has no clue leaves {@link #UNKNOWN}.
 */
public enum AccessPattern {
  UNKNOWN,
  WRITE_INTENSIVE,
  READ_INTENSIVE,
  RANDOM_WRITE,
  SEQUENTIAL,
  /** Kept for long, hardly read. */
  ARCHIVAL,
  /** Written once, read only when something else was lost. */
  BACKUP,
  /** Written once, then read once from front to back: caching it would only push out others. */
  WRITE_ONCE_SCAN_ONCE,
  /** Deleted soon; not worth a move. */
  TEMPORARY
}
