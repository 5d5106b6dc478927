// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Which client opened which path a moment ago, in a table of fixed size: 16 bytes an entry. Not thread-safe.
 *
 * <p>Four places for each entry, next to each other in one cache line; where all are taken the oldest goes, and
 * an open that belonged to it counts as another read. Never is one left out that should count, but for two
 * 64-bit hashes that are alike.
 *
 * <p>Opens may come a little out of order, from two logs that grow beside each other: one from before the first of a
 * read, by less than the window, is part of that read, which then began with it.
 */
final class RecentOpens {

  private static final int WAYS = 4;

  /** Pairs of a tag and the time since when it is here. A tag is never 0. */
  private final long[] entries;

  private final int mask;
  private final long window;

  /** @param size a power of two of at least four */
  RecentOpens(int size, long windowMillis) {
    entries = new long[2 * size];
    mask = size / WAYS - 1;
    window = windowMillis;
  }

  /** Reads what {@link #isRepeat} will ask for these, each of which is a READ; see {@link AccessSink#expect}. */
  long fetch(LineAccess[] reads, int count) {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      int at = 2 * WAYS * ((int) (reads[i].open >>> 32) & mask);
      sum += entries[at] + entries[at + 2 * WAYS - 1];
    }
    return sum;
  }

  /** Whether an open belongs to a read that was counted before; if not, it begins one. */
  boolean isRepeat(long hash, long now) {
    long tag = hash | 1;
    int set = (int) (hash >>> 32) & mask;
    int oldest = -1;
    long oldestTime = Long.MAX_VALUE;
    for (int i = 2 * WAYS * set; i < 2 * WAYS * (set + 1); i += 2) {
      if (entries[i] == tag) {
        long since = now - entries[i + 1];
        if (since < window && since > -window) {
          entries[i + 1] = Math.min(now, entries[i + 1]);
          return true;
        }
        // Also where a clock was set back: what is to come will have such times.
        entries[i + 1] = now;
        return false;
      }
      long time = entries[i] == 0 ? Long.MIN_VALUE : entries[i + 1];
      if (time < oldestTime) {
        oldestTime = time;
        oldest = i;
      }
    }
    if (oldest >= 0) {
      entries[oldest] = tag;
      entries[oldest + 1] = now;
    }
    return false;
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
    return entries[i] != 0 && now - entries[i + 1] < 2 * window;
  }
}
