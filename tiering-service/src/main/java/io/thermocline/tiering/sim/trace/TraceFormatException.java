// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.trace;

import java.io.IOException;
import java.nio.file.Path;

/** A trace isn't in the format that its reader knows. The message says where and what. */
public final class TraceFormatException extends IOException {

  private static final long serialVersionUID = 1L;

  TraceFormatException(Path file, long line, String expected, String found) {
    super("%s, line %d: expected %s, found %s".formatted(file, line, expected, found));
  }
}
