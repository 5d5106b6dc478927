// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.policy;

import io.thermocline.tiering.sim.FileAccess;
import io.thermocline.tiering.sim.Trace;
import java.util.Arrays;
import java.util.List;

/** When each file will be read again: a trace, read backwards, beside the one that runs. */
final class FutureReads {
  /** There is no such read. */
  static final int NEVER = Integer.MAX_VALUE;

  private final List<FileAccess> accesses;

  /** Index of the access that reads the same file next, for each access. */
  private final int[] after;

  /** Index of the read that comes next, for each file that was accessed. */
  private final int[] next;

  private int index = -1;

  FutureReads(Trace trace) {
    accesses = trace.accesses();
    after = new int[accesses.size()];
    next = new int[trace.files().size()];
    Arrays.fill(next, NEVER);
    for (int i = after.length - 1; i >= 0; i--) {
      FileAccess access = accesses.get(i);
      after[i] = next[access.file()];
      if (!access.write()) {
        next[access.file()] = i;
      }
    }
    Arrays.fill(next, NEVER);
  }

  /** The next access of the trace happened. Before its first access nothing is known of a file. */
  void advance() {
    index++;
    next[accesses.get(index).file()] = after[index];
  }

  /** Whether the file was accessed and will be read again. */
  boolean isComing(int file) {
    return next[file] != NEVER;
  }

  /** How many accesses it is until the file is read, above 0; only if that {@link #isComing}. */
  int accessesUntil(int file) {
    return next[file] - index;
  }

  /**
   * Time of the file's first read at or after a moment, in microseconds, or {@link Long#MAX_VALUE}.
   *
   * @param micros the moment
   */
  long readFrom(int file, long micros) {
    int at = next[file];
    while (at != NEVER && accesses.get(at).atMicros() < micros) {
      at = after[at];
    }
    return at == NEVER ? Long.MAX_VALUE : accesses.get(at).atMicros();
  }
}
