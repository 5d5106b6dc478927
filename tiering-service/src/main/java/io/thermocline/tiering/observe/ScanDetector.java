// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * Finds who reads the files of a directory one after the other, each once: a scan, which says of none of them that it
 * is hot. Of fixed size; not thread-safe.
 *
 * <p>A pass is what one application of one user opens in one directory. It lasts for the window from its first
 * open, and as a scan until the window went by without an open. While it is short its reads count, and are
 * remembered; when it has opened more than so many files without opening one twice, it is a scan: the remembered
 * reads are withdrawn, and those that follow don't count. A file that is opened again ends that: it counts, and
 * the pass begins anew. Of a scan the last so many files are remembered for that, not all.
 *
 * <p>There is room for so many passes; where all places of a pass are taken, the one that rested longest goes,
 * and its reads stay counted.
 */
final class ScanDetector {

  /** What becomes of a read. */
  enum Verdict {
    COUNTS,
    /** It is of a scan, and so were those that the withdrawal got. */
    BECAME_SCAN,
    OF_SCAN
  }

  /** Takes reads that count no more. */
  interface Withdrawal {
    void read(long key, long partitionKey, long timeMillis);
  }

  private static final int WAYS = 4;

  /** Grows with what it remembers, and is used again for another pass. */
  private static final class Pass {
    private long[] keys = new long[4];
    private long[] partitions = new long[4];
    private long[] times = new long[4];

    /** Open addressing: 1 + index of keys, or 0. */
    private short[] index = new short[16];

    private int count;
    private boolean scan;
    private long start;
    private long last;

    void begin(long now) {
      forget();
      scan = false;
      start = now;
      last = now;
    }

    /** Remembers a read, where its key is new here; false where it isn't. */
    boolean add(long key, long partition, long time) {
      int at = place(key);
      if (index[at] != 0) {
        return false;
      }
      if (count == keys.length) {
        grow();
        at = place(key);
      }
      keys[count] = key;
      partitions[count] = partition;
      times[count] = time;
      count++;
      index[at] = (short) count;
      return true;
    }

    boolean has(long key) {
      return index[place(key)] != 0;
    }

    /** Where the key is, or would be. */
    private int place(long key) {
      int at = (int) (key >>> 20) & index.length - 1;
      while (index[at] != 0 && keys[index[at] - 1] != key) {
        at = at + 1 & index.length - 1;
      }
      return at;
    }

    private void grow() {
      int size = 2 * keys.length;
      keys = Arrays.copyOf(keys, size);
      partitions = Arrays.copyOf(partitions, size);
      times = Arrays.copyOf(times, size);
      index = new short[4 * size];
      for (int i = 0; i < count; i++) {
        index[place(keys[i])] = (short) (i + 1);
      }
    }

    void forget() {
      count = 0;
      Arrays.fill(index, (short) 0);
    }

    boolean isOver(long now, long window) {
      return now - (scan ? last : start) >= window;
    }
  }

  /** Of each place, whose pass it is; 0 where it has none. */
  private final long[] tags;

  private final Pass[] passes;
  private final int mask;
  private final int files;
  private final long window;

  /** @param places a power of two of at least four */
  ScanDetector(int places, int files, long windowMillis) {
    this.tags = new long[places];
    this.passes = new Pass[places];
    this.mask = places / WAYS - 1;
    this.files = files;
    this.window = windowMillis;
  }

  /**
   * Tells of a read.
   *
   * @param hash of user, application and directory
   * @param withdrawal gets the reads that turn out to belong to a scan with this one
   */
  Verdict read(long hash, long key, long partitionKey, long now, Withdrawal withdrawal) {
    Pass pass = find(hash | 1, now);
    pass.last = now;
    if (pass.has(key)) {
      // Who comes back to a file doesn't scan.
      pass.begin(now);
      pass.add(key, partitionKey, now);
      return Verdict.COUNTS;
    }
    Verdict verdict = pass.scan ? Verdict.OF_SCAN : Verdict.COUNTS;
    if (pass.count == files) {
      if (!pass.scan) {
        for (int i = 0; i < files; i++) {
          withdrawal.read(pass.keys[i], pass.partitions[i], pass.times[i]);
        }
        pass.scan = true;
        verdict = Verdict.BECAME_SCAN;
      }
      pass.forget();
    }
    pass.add(key, partitionKey, now);
    return verdict;
  }

  /** The pass of a tag: the one under way, or a new one. */
  private Pass find(long tag, long now) {
    int first = WAYS * ((int) (tag >>> 40) & mask);
    for (int i = first; i < first + WAYS; i++) {
      if (tags[i] == tag && !passes[i].isOver(now, window)) {
        return passes[i];
      }
    }
    int victim = -1;
    long victimLast = Long.MAX_VALUE;
    for (int i = first; i < first + WAYS; i++) {
      // What is over counts as free, so that it need not be written into a checkpoint.
      long last = tags[i] == 0 || passes[i].isOver(now, window) ? Long.MIN_VALUE : passes[i].last;
      if (last < victimLast) {
        victimLast = last;
        victim = i;
      }
    }
    for (int i = first; i < first + WAYS; i++) {
      if (tags[i] == tag) {
        tags[i] = 0;
      }
    }
    if (passes[victim] == null) {
      passes[victim] = new Pass();
    }
    tags[victim] = tag;
    passes[victim].begin(now);
    return passes[victim];
  }

  /** Writes what still matters at a time. */
  void write(DataOutput out, long now) throws IOException {
    out.writeInt(passes.length);
    out.writeInt(files);
    for (int i = 0; i < passes.length; i++) {
      Pass pass = passes[i];
      boolean live = tags[i] != 0 && !pass.isOver(now, window);
      out.writeBoolean(live);
      if (live) {
        out.writeLong(tags[i]);
        out.writeBoolean(pass.scan);
        out.writeLong(pass.start);
        out.writeLong(pass.last);
        out.writeInt(pass.count);
        for (int n = 0; n < pass.count; n++) {
          out.writeLong(pass.keys[n]);
          out.writeLong(pass.partitions[n]);
          out.writeLong(pass.times[n]);
        }
      }
    }
  }

  /** Takes what {@link #write} wrote; of a detector of another size, nothing. */
  void read(DataInput in) throws IOException {
    int places = in.readInt();
    boolean fits = in.readInt() == files && places == passes.length;
    for (int i = 0; i < places; i++) {
      if (in.readBoolean()) {
        long tag = in.readLong();
        Pass pass = new Pass();
        pass.scan = in.readBoolean();
        pass.start = in.readLong();
        pass.last = in.readLong();
        int count = in.readInt();
        for (int n = 0; n < count; n++) {
          pass.add(in.readLong(), in.readLong(), in.readLong());
        }
        if (fits) {
          tags[i] = tag;
          passes[i] = pass;
        }
      }
    }
  }
}
