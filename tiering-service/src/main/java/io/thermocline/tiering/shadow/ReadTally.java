// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.shadow;

import io.thermocline.tiering.heat.OpenTally;
import io.thermocline.tiering.observe.Access;
import java.util.Arrays;

/** Reads of the files of one plan until the next one. Thread-safe; a read costs a search among the files. */
public final class ReadTally {

  private long[] keys = {};
  private OpenTally[] opens = {};
  private long others;

  /**
   * What was read.
   *
   * @param keys in order
   * @param opens of each; null where there were none
   * @param others reads of what wasn't among them
   */
  public record Taken(long[] keys, OpenTally[] opens, long others) {

    /** Opens of one of them; null where there were none. */
    public OpenTally of(long key) {
      int at = Arrays.binarySearch(keys, key);
      return at < 0 ? null : opens[at];
    }
  }

  /** Counts it where it is a read. */
  public synchronized void accept(Access access) {
    int at = Arrays.binarySearch(keys, access.key());
    if (at < 0) {
      others +=
          switch (access.kind()) {
            case READ -> access.isPart() ? 0 : 1;
            case RESTORE -> 1;
            case WITHDRAW -> -1;
            default -> 0;
          };
      return;
    }
    if (opens[at] == null) {
      opens[at] = new OpenTally();
    }
    opens[at].add(access);
  }

  /** What was counted; it goes on with the same files. */
  public synchronized Taken take() {
    return take(keys);
  }

  /** What was counted, from now on of these files. */
  public synchronized Taken take(long[] next) {
    Taken taken = new Taken(keys, opens, Math.max(0, others));
    keys = next.clone();
    Arrays.sort(keys);
    opens = new OpenTally[keys.length];
    others = 0;
    return taken;
  }
}
