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
    private static final int INDEX_MASK = 0xffff;
    private static final int READ = 3;

    /** Of each read its key, its partition's and its time, beside each other in memory. */
    private long[] reads = new long[4 * READ];

    /** Open addressing: 1 + index of keys, and above that the round in which it was put there. */
    private int[] index = new int[16];

    /** Of places in the index. Here, so that nobody has to wait for the array to know where to look. */
    private int mask = index.length - 1;

    /** Where in the reads the next one comes, unless they grow. */
    private int next;

    /** What was put into the index in earlier rounds counts as not there. */
    private int round;

    private int count;
    private boolean scan;

    /** Remembers a read, where its key is new here; false where it isn't. */
    boolean add(long key, long partition, long time) {
      int at = place(key);
      if (isTaken(at)) {
        return false;
      }
      if (next == reads.length) {
        grow();
        at = place(key);
      }
      reads[next] = key;
      reads[next + 1] = partition;
      reads[next + 2] = time;
      next += READ;
      count++;
      index[at] = round | count;
      return true;
    }

    boolean has(long key) {
      return isTaken(place(key));
    }

    /** Where the key is, or would be. */
    private int place(long key) {
      int at = startOf(key);
      while (isTaken(at) && key((index[at] & INDEX_MASK) - 1) != key) {
        at = at + 1 & mask;
      }
      return at;
    }

    private void grow() {
      reads = Arrays.copyOf(reads, 2 * reads.length);
      index = new int[2 * index.length];
      mask = index.length - 1;
      for (int i = 0; i < count; i++) {
        index[place(key(i))] = round | (i + 1);
      }
    }

    long key(int i) {
      return reads[READ * i];
    }

    long partition(int i) {
      return reads[READ * i + 1];
    }

    long millis(int i) {
      return reads[READ * i + 2];
    }

    long fetch(long key) {
      // Of a full array the place before its end.
      return index[startOf(key)] + reads[Math.max(0, next - 1)];
    }

    private int startOf(long key) {
      return (int) (key >>> 20) & mask;
    }

    private boolean isTaken(int at) {
      return (index[at] & INDEX_MASK) != 0 && (index[at] & ~INDEX_MASK) == round;
    }

    void forget() {
      count = 0;
      next = 0;
      round += INDEX_MASK + 1;
      if (round == 0) {
        Arrays.fill(index, 0);
      }
    }
  }

  /*
   * Of each place: whose pass it is, or 0; when what it has under way began, which for a scan is its last open;
   * and its last open. Beside each other, so that choosing among the places of a pass looks at nothing else.
   */
  private static final int WORDS = 3;

  private static final int SINCE = 1;
  private static final int LAST = 2;

  private static final Pass NONE = new Pass();

  private final long[] places;
  private final Pass[] passes;
  private final Pass[] fetching = new Pass[1 + LineBuffer.AHEAD];
  private final int mask;
  private final int files;
  private final long window;

  /** @param places a power of two of at least four */
  ScanDetector(int places, int files, long windowMillis) {
    this.places = new long[WORDS * places];
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
    int place = find(hash | 1, now);
    Pass pass = passes[place];
    if (pass.has(key)) {
      // Who comes back to a file doesn't scan.
      begin(place, now);
      pass.add(key, partitionKey, now);
      return Verdict.COUNTS;
    }
    Verdict verdict = pass.scan ? Verdict.OF_SCAN : Verdict.COUNTS;
    if (pass.count == files) {
      if (!pass.scan) {
        for (int i = 0; i < files; i++) {
          withdrawal.read(pass.key(i), pass.partition(i), pass.millis(i));
        }
        pass.scan = true;
        verdict = Verdict.BECAME_SCAN;
      }
      pass.forget();
    }
    places[WORDS * place + LAST] = now;
    if (pass.scan) {
      places[WORDS * place + SINCE] = now;
    }
    pass.add(key, partitionKey, now);
    return verdict;
  }

  /** Reads what {@link #read} will ask for these, each of which is a READ; see {@link AccessSink#expect}. */
  long fetch(LineAccess[] reads, int count) {
    // What one look needs of the one before is fetched for all before it is needed.
    long sum = 0;
    for (int i = 0; i < count; i++) {
      int first = WORDS * firstOf(reads[i].pass);
      sum += places[first] + places[first + WORDS * WAYS - 1];
    }
    for (int i = 0; i < count; i++) {
      Pass pass = passes[place(reads[i].pass | 1, reads[i].timeMillis)];
      fetching[i] = pass == null ? NONE : pass;
      sum += fetching[i].count;
    }
    for (int i = 0; i < count; i++) {
      sum += fetching[i].fetch(reads[i].key);
    }
    return sum;
  }

  /** Where a tag stands, among its places; the first of them where it doesn't. */
  private int placeOf(long tag) {
    // Which of them it is can't be guessed, so it is calculated. No two have the same tag.
    int first = firstOf(tag);
    int way = 0;
    for (int i = 1; i < WAYS; i++) {
      long differing = places[WORDS * (first + i)] ^ tag;
      way += (int) ((differing | -differing) >>> 63 ^ 1) * i;
    }
    return first + way;
  }

  /** The place of a tag's pass: the one under way, or a new one. */
  private int find(long tag, long now) {
    int place = place(tag, now);
    if (places[WORDS * place] == tag && isLive(place, now)) {
      return place;
    }
    int first = firstOf(tag);
    for (int i = first; i < first + WAYS; i++) {
      if (places[WORDS * i] == tag) {
        places[WORDS * i] = 0;
      }
    }
    places[WORDS * place] = tag;
    begin(place, now);
    return place;
  }

  /** Where the pass of a tag is under way, or else which of its places is the one to give to it. */
  private int place(long tag, long now) {
    int known = placeOf(tag);
    return places[WORDS * known] == tag && isLive(known, now) ? known : longestRested(tag, now);
  }

  private int longestRested(long tag, long now) {
    int first = firstOf(tag);
    int victim = first;
    long victimLast = Long.MAX_VALUE;
    for (int i = first; i < first + WAYS; i++) {
      // What is over counts as free, so that it need not be written into a checkpoint.
      long last = isLive(i, now) ? places[WORDS * i + LAST] : Long.MIN_VALUE;
      if (last < victimLast) {
        victimLast = last;
        victim = i;
      }
    }
    return victim;
  }

  private int firstOf(long tag) {
    return WAYS * ((int) (tag >>> 40) & mask);
  }

  private void begin(int place, long now) {
    places[WORDS * place + SINCE] = now;
    places[WORDS * place + LAST] = now;
    if (passes[place] == null) {
      passes[place] = new Pass();
    }
    passes[place].forget();
    passes[place].scan = false;
  }

  private boolean isLive(int place, long now) {
    return places[WORDS * place] != 0 && now - places[WORDS * place + SINCE] < window;
  }

  /** Writes what still matters at a time. */
  void write(DataOutput out, long now) throws IOException {
    out.writeInt(passes.length);
    out.writeInt(files);
    for (int i = 0; i < passes.length; i++) {
      Pass pass = passes[i];
      boolean live = isLive(i, now);
      out.writeBoolean(live);
      if (live) {
        out.writeBoolean(pass.scan);
        for (int n = 0; n < WORDS; n++) {
          out.writeLong(places[WORDS * i + n]);
        }
        out.writeInt(pass.count);
        for (int n = 0; n < pass.count; n++) {
          out.writeLong(pass.key(n));
          out.writeLong(pass.partition(n));
          out.writeLong(pass.millis(n));
        }
      }
    }
  }

  /** Takes what {@link #write} wrote; of a detector of another size, nothing. */
  void read(DataInput in) throws IOException {
    int count = in.readInt();
    boolean fits = in.readInt() == files && count == passes.length;
    for (int i = 0; i < count; i++) {
      if (in.readBoolean()) {
        Pass pass = new Pass();
        pass.scan = in.readBoolean();
        long[] place = {in.readLong(), in.readLong(), in.readLong()};
        int reads = in.readInt();
        for (int n = 0; n < reads; n++) {
          pass.add(in.readLong(), in.readLong(), in.readLong());
        }
        if (fits) {
          System.arraycopy(place, 0, places, WORDS * i, WORDS);
          passes[i] = pass;
        }
      }
    }
  }
}
