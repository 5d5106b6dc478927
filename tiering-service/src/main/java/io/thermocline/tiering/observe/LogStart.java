// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

/** Where to begin in a log of which no position is known. */
public enum LogStart {
  /** At the start of the file that is being written. */
  BEGINNING,
  END
}
