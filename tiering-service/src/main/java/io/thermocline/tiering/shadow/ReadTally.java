// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.shadow;

import io.thermocline.tiering.observe.Access;
import java.util.Arrays;

/** Reads of the files of one plan until the next one. Thread-safe; a read costs a search among the files. */
public final class ReadTally {

  private long[] keys = {};
  private int[] reads = {};
  private long others;

  /**
   * What was read.
   *
   * @param keys in order
   * @param reads of each
   * @param others reads of what wasn't among them
   */
  public record Taken(long[] keys, int[] reads, long others) {

    /** Reads of one of them. */
    public int of(long key) {
      int at = Arrays.binarySearch(keys, key);
      return at < 0 ? 0 : reads[at];
    }
  }

  /** Counts it where it is a read. */
  public synchronized void accept(Access access) {
    int read =
        switch (access.kind()) {
          case READ -> 1;
          case WITHDRAW -> -1;
          default -> 0;
        };
    if (read == 0) {
      return;
    }
    int at = Arrays.binarySearch(keys, access.key());
    if (at >= 0) {
      reads[at] += read;
    } else {
      others += read;
    }
  }

  /** What was counted; it goes on with the same files. */
  public synchronized Taken take() {
    return take(keys);
  }

  /** What was counted, from now on of these files. */
  public synchronized Taken take(long[] next) {
    Taken taken = new Taken(keys, reads, Math.max(0, others));
    keys = next.clone();
    Arrays.sort(keys);
    reads = new int[keys.length];
    others = 0;
    return taken;
  }
}
