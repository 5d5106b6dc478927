// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * Finds applications that read one file after the other: who scans says of no file that it is hot. Of fixed size; not
 * thread-safe.
 *
 * <p>A pass is what one application of one user opens, in whatever directories. It lasts for the window from its first
 * open, and as a scan until the window went by without an open. While it is short its reads count, and are
 * remembered; when it has opened more than so many files, each once, it is a scan: the remembered reads are handed back.
 * A file that is opened again before that isn't scanned: its reads stay counted, whatever else the application reads.
 *
 * <p>There is room for so many passes; where all places of a pass are taken, the one that rested longest goes,
 * and its reads stay counted.
 */
final class ScanDetector {

  /** What becomes of a read. */
  enum Verdict {
    COUNTS,
    /** It is of a scan, and so were those that were handed back. */
    BECAME_SCAN,
    OF_SCAN
  }

  /** Takes reads that turn out to be of a scan. */
  interface Scanned {
    /** @param parts how many opens, beside the first, shared the file */
    void read(long key, long partitionKey, long timeMillis, int parts);
  }

  private static final int WAYS = 4;

  /** Grows with what it remembers, and is used again for another pass. */
  private static final class Pass {
    private static final int INDEX_MASK = 0xffff;
    private static final int READ = 3;

    /** A time, and above it the number of parts; or that the file was read again. */
    private static final int PARTS_SHIFT = 44;

    private static final int MOST_PARTS = (1 << 19) - 1;
    private static final long AGAIN = -1;

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

    /** Of those, the files that were read again. */
    private int again;

    private boolean scan;

    /** Remembers a read of a file that isn't remembered. */
    void add(long key, long partition, long time) {
      addAsIs(key, partition, Math.max(0, Math.min((1L << PARTS_SHIFT) - 1, time)));
    }

    private void addAsIs(long key, long partition, long time) {
      if (next == reads.length) {
        grow();
      }
      int at = place(key);
      reads[next] = key;
      reads[next + 1] = partition;
      reads[next + 2] = time;
      next += READ;
      count++;
      index[at] = round | count;
      again += time == AGAIN ? 1 : 0;
    }

    /** Which of those that are remembered; -1 for none. */
    int find(long key) {
      int at = place(key);
      return isTaken(at) ? (index[at] & INDEX_MASK) - 1 : -1;
    }

    /** A file that is remembered is read again. */
    void readAgain(int i) {
      if (reads[READ * i + 2] != AGAIN) {
        reads[READ * i + 2] = AGAIN;
        again++;
      }
    }

    /** A file that is remembered is opened by one more who shares it. */
    void shared(int i) {
      if (reads[READ * i + 2] != AGAIN && parts(i) < MOST_PARTS) {
        reads[READ * i + 2] += 1L << PARTS_SHIFT;
      }
    }

    /** Files that were read once. */
    int once() {
      return count - again;
    }

    boolean isAgain(int i) {
      return reads[READ * i + 2] == AGAIN;
    }

    /** Forgets the files that were read again. */
    void dropAgain() {
      long[] all = Arrays.copyOf(reads, next);
      forget();
      for (int i = 0; i < all.length; i += READ) {
        if (all[i + 2] != AGAIN) {
          addAsIs(all[i], all[i + 1], all[i + 2]);
        }
      }
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
      return reads[READ * i + 2] & (1L << PARTS_SHIFT) - 1;
    }

    int parts(int i) {
      return (int) (reads[READ * i + 2] >>> PARTS_SHIFT);
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
      again = 0;
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
   * Tells of a read that is the first of its application, or the first for a while.
   *
   * @param hash of user and application
   * @param scanned gets the reads that turn out to belong to a scan with this one
   */
  Verdict read(long hash, long key, long partitionKey, long now, Scanned scanned) {
    int place = find(hash | 1, now);
    Pass pass = passes[place];
    places[WORDS * place + LAST] = now;
    if (pass.scan) {
      places[WORDS * place + SINCE] = now;
      return Verdict.OF_SCAN;
    }
    int before = pass.find(key);
    if (before >= 0) {
      pass.readAgain(before);
      return Verdict.COUNTS;
    }
    if (pass.once() < files) {
      if (pass.count == 2 * files) {
        pass.dropAgain();
      }
      pass.add(key, partitionKey, now);
      return Verdict.COUNTS;
    }
    for (int i = 0; i < pass.count; i++) {
      if (!pass.isAgain(i)) {
        scanned.read(pass.key(i), pass.partition(i), pass.millis(i), pass.parts(i));
      }
    }
    pass.scan = true;
    pass.forget();
    places[WORDS * place + SINCE] = now;
    return Verdict.BECAME_SCAN;
  }

  /** Tells of an open that shares a file with one before it, and whether it is of a scan. */
  boolean share(long hash, long key, long now) {
    int place = placeOf(hash | 1);
    if (places[WORDS * place] != (hash | 1) || !isLive(place, now)) {
      return false;
    }
    Pass pass = passes[place];
    if (pass.scan) {
      places[WORDS * place + LAST] = now;
      places[WORDS * place + SINCE] = now;
      return true;
    }
    int known = pass.find(key);
    if (known >= 0) {
      pass.shared(known);
    }
    return false;
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
          for (int word = 0; word < Pass.READ; word++) {
            out.writeLong(pass.reads[Pass.READ * n + word]);
          }
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
          pass.addAsIs(in.readLong(), in.readLong(), in.readLong());
        }
        if (fits) {
          System.arraycopy(place, 0, places, WORDS * i, WORDS);
          passes[i] = pass;
        }
      }
    }
  }
}
