// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim;

/**
 * One access of a trace.
 *
 * @param atMicros time since the trace's begin
 * @param file index of the file in {@link Trace#files()}
 * @param bytes read or written
 * @param write whether it writes the file; else it reads it
 */
public record FileAccess(long atMicros, int file, long bytes, boolean write) {
  public FileAccess {
    if (atMicros < 0 || file < 0 || bytes < 0) {
      throw new IllegalArgumentException(
          "time, file and bytes are from 0 on: %d, %d, %d".formatted(atMicros, file, bytes));
    }
  }
}
