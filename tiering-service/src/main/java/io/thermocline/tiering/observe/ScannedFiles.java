// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Files that scans have read lately, and whether that counted: about half a million, in 8 MB at most. Not thread-safe.
 *
 * <p>Grows with what it remembers. Of more files a part is forgotten, each as likely as another: their next read by a
 * scan doesn't count then.
 */
final class ScannedFiles {

  /** What was known of a file. */
  enum Known {
    NOTHING,
    /** A scan read it, and that didn't count. */
    UNCOUNTED,
    /** Scans read it repeatedly, and that counts. */
    COUNTED
  }

  private static final int WAYS = 8;
  private static final int LEAST = 1 << 9;
  private static final int MOST = 1 << 20;

  /* An entry: 40 bits of the hash, with those that say where it is, then 23 of the time, and whether it counts. */
  private static final int TAG_SHIFT = 24;
  private static final int SECONDS_SHIFT = 1;
  private static final long SECONDS = (1L << 23) - 1;

  /** 8 s: the 23 bits go round in two years. */
  private static final long UNIT = 8_000;

  private final long lasts;
  private long[] entries = new long[LEAST];
  private long forgotten;
  private long foundMillis;

  /** @param lastsMillis how long a file is remembered after it was read */
  ScannedFiles(long lastsMillis) {
    lasts = lastsMillis;
  }

  /** What is known of a file, whose hash is well mixed. */
  Known of(long hash, long now) {
    int at = find(hash, now);
    return at < 0 ? Known.NOTHING : isCounted(at) ? Known.COUNTED : Known.UNCOUNTED;
  }

  /** A scan reads a file; tells what was known before. After that it counts if it was known. */
  Known read(long hash, long now) {
    int at = find(hash, now);
    if (at < 0) {
      put(hash, now, false);
      return Known.NOTHING;
    }
    Known known = isCounted(at) ? Known.COUNTED : Known.UNCOUNTED;
    foundMillis = timeOf(entries[at], now);
    entries[at] = entry(hash, now, true);
    return known;
  }

  /** When the file that {@link #read} knew was read last, to within seconds; milliseconds since 1970. */
  long foundMillis() {
    return foundMillis;
  }

  /** Files that were forgotten for want of room. */
  long forgotten() {
    return forgotten;
  }

  private void put(long hash, long now, boolean counted) {
    while (true) {
      int first = firstOf(hash, entries.length);
      for (int i = first; i < first + WAYS; i++) {
        if (entries[i] == 0 || !isLive(entries[i], now)) {
          entries[i] = entry(hash, now, counted);
          return;
        }
      }
      if (entries.length == MOST) {
        forgotten++;
        entries[first + (int) (hash >>> 8 & WAYS - 1)] = entry(hash, now, counted);
        return;
      }
      grow(now);
    }
  }

  private void grow(long now) {
    long[] before = entries;
    entries = new long[2 * before.length];
    for (long entry : before) {
      if (entry != 0 && isLive(entry, now)) {
        int at = firstOf(entry, entries.length);
        while (entries[at] != 0) {
          at++;
        }
        entries[at] = entry;
      }
    }
  }

  /** By the first bits, so that those of one set come from one set of a table of half the size. */
  private static int firstOf(long hash, int length) {
    return WAYS * (int) (hash >>> 1 >>> 64 - Integer.numberOfTrailingZeros(length / WAYS) - 1);
  }

  private int find(long hash, long now) {
    int first = firstOf(hash, entries.length);
    for (int i = first; i < first + WAYS; i++) {
      if ((entries[i] ^ hash) >>> TAG_SHIFT == 0 && entries[i] != 0 && isLive(entries[i], now)) {
        return i;
      }
    }
    return -1;
  }

  private static long entry(long hash, long now, boolean counted) {
    long units = Math.floorDiv(now, UNIT) & SECONDS;
    return hash >>> TAG_SHIFT << TAG_SHIFT | units << SECONDS_SHIFT | (counted ? 1 : 0);
  }

  private boolean isCounted(int at) {
    return (entries[at] & 1) != 0;
  }

  /** The latest time up to now, or a little after, that an entry can stand for. */
  private static long timeOf(long entry, long now) {
    long units = Math.floorDiv(now, UNIT);
    long age = units - (entry >>> SECONDS_SHIFT) & SECONDS;
    // From another log, or a clock that was set back.
    long signed = age > SECONDS / 2 ? age - SECONDS - 1 : age;
    return Math.min(now, (units - signed) * UNIT);
  }

  private boolean isLive(long entry, long now) {
    return now - timeOf(entry, now) < lasts;
  }

  /** Writes what still matters at a time. */
  void write(DataOutput out, long now) throws IOException {
    out.writeInt(entries.length);
    out.writeLong(forgotten);
    for (long entry : entries) {
      out.writeLong(entry != 0 && isLive(entry, now) ? entry : 0);
    }
  }

  /** Takes what {@link #write} wrote. */
  void read(DataInput in) throws IOException {
    int length = in.readInt();
    if (Integer.bitCount(length) != 1 || length < LEAST || length > MOST) {
      throw new IOException("a table of " + length + " scanned files");
    }
    forgotten = in.readLong();
    entries = new long[length];
    for (int i = 0; i < length; i++) {
      entries[i] = in.readLong();
    }
  }
}
