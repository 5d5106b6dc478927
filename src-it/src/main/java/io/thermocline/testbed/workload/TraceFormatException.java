// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.workload;

import java.io.IOException;
import java.nio.file.Path;

/** A trace isn't in the format that its reader knows. The message says where and what. */
public final class TraceFormatException extends IOException {

  private static final long serialVersionUID = 1L;

  private final int line;

  TraceFormatException(Path file, int line, String where, String expected, String found) {
    super("%s, line %d, %s: expected %s, found %s".formatted(file, line, where, expected, found));
    this.line = line;
  }

  /** Number of the line, from 1. */
  public int line() {
    return line;
  }
}
