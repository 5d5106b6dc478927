// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Which application opened which path a moment ago, in a table of fixed size: 16 bytes an entry. Not thread-safe.
 *
 * <p>Four places for each entry, next to each other in one cache line; where all are taken the oldest goes, and
 * an open that belonged to it counts as one of the whole file.
 */
final class RecentOpens {

  /*
   * A lone client that opens a file again reads it again, or goes on reading it: NameNodes give the places of ten blocks
   * at a time. Both take a while, so what follows within the window is a part. Tasks of one application start in waves,
   * as slots get free: as long as another client comes within a few windows after the one before, they share the file.
   * Of those, too, some open it twice, for a block that lies beyond the first ten.
   */

  /** What an open is. */
  enum Open {
    /** The first of those to come. */
    FIRST,
    /** By another client than the open before, with which it shares the file. */
    SHARED,
    /** By the client that opened it just before: it goes on, or begins again. */
    AGAIN
  }

  /** Within so many windows after the open before, another client of the application shares the file. */
  private static final int SHARED = 6;

  private static final int WAYS = 4;
  private static final int CLIENT_BITS = 16;
  private static final long CLIENT = (1L << CLIENT_BITS - 1) - 1;

  /** Beside the client: that several share the file. */
  private static final long IS_SHARED = 1L << CLIENT_BITS - 1;

  /** Pairs of a tag, and a time with the client that opened last below it. A tag is never 0. */
  private final long[] entries;

  private final int mask;
  private final long window;

  /** @param size a power of two of at least four */
  RecentOpens(int size, long windowMillis) {
    entries = new long[2 * size];
    mask = size / WAYS - 1;
    window = windowMillis;
  }

  /** Reads what {@link #open} will ask for these, each of which is a READ; see {@link AccessSink#expect}. */
  long fetch(LineAccess[] reads, int count) {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      int at = 2 * WAYS * ((int) (reads[i].open >>> 32) & mask);
      sum += entries[at] + entries[at + 2 * WAYS - 1];
    }
    return sum;
  }

  /**
   * Tells whether an open shares the file with one before it; if not, it is the first of those to come.
   *
   * @param hash of path and application
   * @param client hash of the client among those of the application
   */
  Open open(long hash, long client, long now) {
    long tag = hash | 1;
    int set = (int) (hash >>> 32) & mask;
    int oldest = -1;
    long oldestTime = Long.MAX_VALUE;
    for (int i = 2 * WAYS * set; i < 2 * WAYS * (set + 1); i += 2) {
      long time = entries[i + 1] >> CLIENT_BITS;
      if (entries[i] == tag) {
        boolean isSame = ((entries[i + 1] ^ client) & CLIENT) == 0;
        long shared = isSame ? entries[i + 1] & IS_SHARED : IS_SHARED;
        long within = shared == 0 ? window : SHARED * window;
        long since = now - time;
        if (since < within && since > -within) {
          // From two logs that grow together, opens may come a little out of order.
          long later = shared == 0 ? Math.min(now, time) : Math.max(now, time);
          entries[i + 1] = later << CLIENT_BITS | shared | client & CLIENT;
          return isSame ? Open.AGAIN : Open.SHARED;
        }
        // Also where a clock was set back: what is to come will have such times.
        entries[i + 1] = now << CLIENT_BITS | client & CLIENT;
        return Open.FIRST;
      }
      if (entries[i] == 0) {
        time = Long.MIN_VALUE;
      }
      if (time < oldestTime) {
        oldestTime = time;
        oldest = i;
      }
    }
    if (oldest >= 0) {
      entries[oldest] = tag;
      entries[oldest + 1] = now << CLIENT_BITS | client & CLIENT;
    }
    return Open.FIRST;
  }

  /** Writes what still matters at a time. */
  void write(DataOutput out, long now) throws IOException {
    int live = 0;
    for (int i = 0; i < entries.length; i += 2) {
      if (isLive(i, now)) {
        live++;
      }
    }
    out.writeInt(entries.length);
    out.writeInt(live);
    for (int i = 0; i < entries.length; i += 2) {
      if (isLive(i, now)) {
        out.writeInt(i);
        out.writeLong(entries[i]);
        out.writeLong(entries[i + 1]);
      }
    }
  }

  /** Takes what {@link #write} wrote; of a table of another size, nothing. */
  void read(DataInput in) throws IOException {
    boolean fits = in.readInt() == entries.length;
    int live = in.readInt();
    for (int n = 0; n < live; n++) {
      int i = in.readInt();
      long tag = in.readLong();
      long time = in.readLong();
      if (fits && i >= 0 && i + 1 < entries.length) {
        entries[i] = tag;
        entries[i + 1] = time;
      }
    }
  }

  /** A line may still come that is older than this time, if by less than the window. */
  private boolean isLive(int i, long now) {
    return entries[i] != 0 && now - (entries[i + 1] >> CLIENT_BITS) < 2L * SHARED * window;
  }
}
