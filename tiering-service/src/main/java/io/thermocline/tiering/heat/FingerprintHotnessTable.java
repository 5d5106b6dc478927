// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import io.thermocline.tiering.observe.Access;
import java.util.Arrays;

/**
 * A hotness table that keeps items apart by fingerprints: nearly exact counts in 25.6 bits an item at
 * full load. One thread adds and cools; any may ask, and may see an item that is just being moved not at
 * all or twice. Counts are cooled reads.
 */
public final class FingerprintHotnessTable implements HotnessTable {

  /*
   * Problem. SUORA's table gives an item four counters and shares each with others; with one counter an
   * item, four of five are shared, and 44 % of items that were never read seem read. Telling 305 reads
   * from 306 needs counts that hardly ever mix.
   *
   * Structure. A cuckoo filter (Fan, Andersen, Kaminsky and Mitzenmacher, 2014) with a counter beside each
   * fingerprint. A bucket is two longs: five fingerprints of 12 bits, five counters of 12 bits, and in the
   * counters' top four bits the step of decay up to which they are cooled. A counter of 0 means that the
   * slot is free. An item may lie in either of two buckets of one block of 256 (4 KB): the other one is
   * found from the fingerprint, so that items can be moved to their other bucket when both are full. Both
   * in one page: one miss of the TLB, and both lines are fetched at once. Of N items in blocks of 1280 slots,
   * the fullest block stays below 1280 up to a load of about 0.9.
   *
   * Error. Two items are counted together exactly if they share block, fingerprint and pair of buckets: an
   * item meets another one with probability at most 2 * 5 * load / 4096, 0.21 % at a load of 0.85. Then both
   * read the sum. There is no other error up to 768 reads, see CounterCode for more.
   *
   * Why not conservative update or subtraction. Nothing is shared, so the first has nothing to gain; and what
   * is subtracted would be taken from another item in those 0.21 %. What belongs to data that is gone gets
   * another key instead (RenameHistory) and cools with the rest.
   *
   * Full. Where no slot can be freed by moving items for two steps, the coldest of the ten is replaced with
   * the probability new / (new + coldest), so that what is hot stays and what becomes hot gets in. Counts that
   * are lost so, of either side, are summed in lost().
   *
   * Decay. A bucket is cooled when it is touched, from the step it was cooled to; each step also cools an
   * eighth of the table, so that no bucket falls more than eight steps behind, which four bits can tell. That
   * is one visit of a bucket in a half-life, whatever is read.
   *
   * Saving. A snapshot shares all chunks; a chunk is copied before the first change after it.
   */
  private static final int SLOTS = FingerprintBucket.SLOTS;

  private static final int BLOCK_WORDS = 512;
  private static final int BLOCKS_PER_CHUNK = 64;
  private static final int CHUNK_WORDS = BLOCK_WORDS * BLOCKS_PER_CHUNK;

  /** Steps in which the whole table is cooled once; tags need it to be less than 16. */
  private static final int SWEEP_STEPS = 8;

  private final int blocks;
  private final long[][] chunks;
  private final boolean[] shared;
  private volatile long step;
  private int sweepAt;
  private long random;
  private long items;
  private double lostUnits;
  private long evictions;

  /**
   * @param bytes of memory at most, at least one block of 4 KB; 30 bits for each item that is read in a few
   *     half-lives
   * @param step of {@link Decay} to begin with
   * @param seed of the rounding: the same seed and the same calls give the same table
   */
  public FingerprintHotnessTable(long bytes, long step, long seed) {
    this(blocksIn(bytes));
    this.step = step;
    this.random = seed;
    for (int chunk = 0; chunk < chunks.length; chunk++) {
      chunks[chunk] = new long[wordsIn(chunk)];
    }
  }

  private FingerprintHotnessTable(int blocks) {
    this.blocks = blocks;
    this.chunks = new long[(blocks + BLOCKS_PER_CHUNK - 1) / BLOCKS_PER_CHUNK][];
    this.shared = new boolean[chunks.length];
  }

  private static int blocksIn(long bytes) {
    long blocks = bytes / (BLOCK_WORDS * Long.BYTES);
    if (blocks < 1 || blocks > 1 << 24) {
      throw new IllegalArgumentException(bytes + " bytes: expected 4 KB to 64 GB");
    }
    return (int) blocks;
  }

  private int wordsIn(int chunk) {
    return Math.min(BLOCKS_PER_CHUNK, blocks - chunk * BLOCKS_PER_CHUNK) * BLOCK_WORDS;
  }

  /** Reads the buckets of these, so that they are in the cache when they are counted. */
  long fetch(Access[] soon, int count) {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += firstFingerprints(soon[i].key());
    }
    for (int i = 0; i < count; i++) {
      long partition = soon[i].partitionKey();
      sum += partition == 0 ? 0 : firstFingerprints(partition);
    }
    // The other bucket is asked for where an item isn't in its first one.
    for (int i = 0; i < count; i++) {
      sum += otherWhereNeeded(soon[i].key());
    }
    return sum;
  }

  /** Reads where a key mostly is. */
  long fetch(long key) {
    return firstFingerprints(key);
  }

  private long firstFingerprints(long key) {
    int block = block(key);
    return chunks[block / BLOCKS_PER_CHUNK][
        block % BLOCKS_PER_CHUNK * BLOCK_WORDS + bucketOffset(key)];
  }

  private long otherWhereNeeded(long key) {
    int block = block(key);
    long[] words = chunks[block / BLOCKS_PER_CHUNK];
    int base = block % BLOCKS_PER_CHUNK * BLOCK_WORDS;
    int fingerprint = fingerprint(key);
    int at = base + bucketOffset(key);
    return FingerprintBucket.matches(words[at], words[at + 1], fingerprint) == 0
        ? words[base + other(at - base, fingerprint)]
        : 0;
  }

  @Override
  public double add(long key, int reads) {
    int block = block(key);
    long[] words = writable(block / BLOCKS_PER_CHUNK);
    int base = block % BLOCKS_PER_CHUNK * BLOCK_WORDS;
    int fingerprint = fingerprint(key);
    int at = base + bucketOffset(key);
    cool(words, at);
    long hit = FingerprintBucket.matches(words[at], words[at + 1], fingerprint);
    if (hit == 0) {
      at = base + other(at - base, fingerprint);
      cool(words, at);
      hit = FingerprintBucket.matches(words[at], words[at + 1], fingerprint);
      if (hit == 0) {
        return insert(words, at, fingerprint, (double) reads * CounterCode.UNITS_PER_READ);
      }
    }
    int shift = FingerprintBucket.laneShift(hit);
    int code = FingerprintBucket.codeAt(words, at, shift);
    if (reads <= (CounterCode.LINEAR - code) / CounterCode.UNITS_PER_READ) {
      int units = reads * CounterCode.UNITS_PER_READ;
      words[at + 1] += (long) units << shift;
      return (double) (code + units) / CounterCode.UNITS_PER_READ;
    }
    double sum = CounterCode.units(code) + (double) reads * CounterCode.UNITS_PER_READ;
    FingerprintBucket.setCode(words, at, shift, CounterCode.encode(sum, nextRandom()));
    return sum / CounterCode.UNITS_PER_READ;
  }

  /**
   * Counts what cooling left of reads.
   *
   * @param reads more than 0
   */
  void addCooled(long key, double reads) {
    int at = find(key);
    long[] words = writable(block(key) / BLOCKS_PER_CHUNK);
    if (at < 0) {
      int base = block(key) % BLOCKS_PER_CHUNK * BLOCK_WORDS;
      int fingerprint = fingerprint(key);
      int second = base + other(bucketOffset(key), fingerprint);
      insert(words, second, fingerprint, reads * CounterCode.UNITS_PER_READ);
      return;
    }
    int shift =
        FingerprintBucket.laneShift(
            FingerprintBucket.matches(words[at], words[at + 1], fingerprint(key)));
    double units = CounterCode.units(FingerprintBucket.codeAt(words, at, shift));
    double sum = units + reads * CounterCode.UNITS_PER_READ;
    FingerprintBucket.setCode(words, at, shift, CounterCode.encode(sum, nextRandom()));
  }

  /** The cooled bucket that has an item; -1 where none has. */
  private int find(long key) {
    int block = block(key);
    long[] words = writable(block / BLOCKS_PER_CHUNK);
    int base = block % BLOCKS_PER_CHUNK * BLOCK_WORDS;
    int fingerprint = fingerprint(key);
    int at = base + bucketOffset(key);
    cool(words, at);
    if (FingerprintBucket.matches(words[at], words[at + 1], fingerprint) != 0) {
      return at;
    }
    at = base + other(at - base, fingerprint);
    cool(words, at);
    return FingerprintBucket.matches(words[at], words[at + 1], fingerprint) != 0 ? at : -1;
  }

  /**
   * Takes back reads that were counted, or what cooling left of them; never below 0. Where the item is no longer
   * there, nothing.
   *
   * @param reads more than 0
   */
  void withdraw(long key, double reads) {
    int at = find(key);
    if (at < 0) {
      return;
    }
    long[] words = writable(block(key) / BLOCKS_PER_CHUNK);
    long hit = FingerprintBucket.matches(words[at], words[at + 1], fingerprint(key));
    int shift = FingerprintBucket.laneShift(hit);
    double units = CounterCode.units(FingerprintBucket.codeAt(words, at, shift));
    double rest = Math.max(0, units - reads * CounterCode.UNITS_PER_READ);
    int code = CounterCode.encode(rest, nextRandom());
    FingerprintBucket.setCode(words, at, shift, code);
    if (code == 0) {
      items--;
    }
  }

  @Override
  public double estimate(long key) {
    int block = block(key);
    long[] words = chunks[block / BLOCKS_PER_CHUNK];
    int base = block % BLOCKS_PER_CHUNK * BLOCK_WORDS;
    int fingerprint = fingerprint(key);
    int first = bucketOffset(key);
    double units = units(words, base + first, fingerprint);
    if (units == 0) {
      units = units(words, base + other(first, fingerprint), fingerprint);
    }
    return units / CounterCode.UNITS_PER_READ;
  }

  @Override
  public void coolTo(long newStep) {
    long steps = newStep - step;
    if (steps > SWEEP_STEPS) {
      sweep(0, blocks, newStep);
      step = newStep;
      return;
    }
    for (long s = 0; s < steps; s++) {
      step = step + 1;
      int until = (int) Math.min(blocks, sweepAt + (blocks + SWEEP_STEPS - 1L) / SWEEP_STEPS);
      sweep(sweepAt, until, step);
      sweepAt = until == blocks ? 0 : until;
    }
  }

  @Override
  public long bytes() {
    return (long) blocks * BLOCK_WORDS * Long.BYTES;
  }

  /** Items with counts; one for two that share a slot. */
  public long items() {
    return items;
  }

  /** Items it has room for; from nine tenths of it on, counts begin to be lost. */
  public long capacity() {
    return (long) blocks * (BLOCK_WORDS / 2) * SLOTS;
  }

  /** Items whose counts gave way to another's, because the table was full. */
  public long evictions() {
    return evictions;
  }

  /** Cooled reads that were dropped because the table was full, of whichever item. */
  public double lost() {
    return lostUnits / CounterCode.UNITS_PER_READ;
  }

  /** How likely a count shown for an item is, or contains, another item's. */
  public double errorBound() {
    return 2.0 * SLOTS * items / capacity() / (FingerprintBucket.FINGERPRINT_MASK + 1);
  }

  // --- one bucket ---

  private double units(long[] words, int at, int fingerprint) {
    long counts = words[at + 1];
    long hit = FingerprintBucket.matches(words[at], counts, fingerprint);
    if (hit == 0) {
      return 0;
    }
    int code = (int) (counts >>> FingerprintBucket.laneShift(hit)) & CounterCode.MAX;
    return CounterCode.units(code)
        * Decay.factor(
            step - (counts >>> FingerprintBucket.TAG_SHIFT) & FingerprintBucket.TAG_MASK);
  }

  private boolean hasRoom(long[] words, int at) {
    cool(words, at);
    return !FingerprintBucket.isFull(words, at);
  }

  // --- insertion ---

  private double insert(long[] words, int second, int fingerprint, double units) {
    int base = second & -BLOCK_WORDS;
    int first = base + other(second - base, fingerprint);
    int room =
        hasRoom(words, first)
            ? first
            : hasRoom(words, second) || makeRoom(words, second) ? second : -1;
    if (room < 0 && makeRoom(words, first)) {
      room = first;
    }
    if (room < 0) {
      evict(words, first, second, fingerprint, units);
    } else {
      FingerprintBucket.put(words, room, fingerprint, CounterCode.encode(units, nextRandom()));
      items++;
    }
    return units / CounterCode.UNITS_PER_READ;
  }

  /** Moves an item of a full bucket to its other bucket, or one of that bucket on to make room there. */
  private boolean makeRoom(long[] words, int full) {
    int base = full & -BLOCK_WORDS;
    for (int slot = 0; slot < SLOTS; slot++) {
      int other = base + other(full - base, FingerprintBucket.fingerprint(words, full, slot));
      if (hasRoom(words, other)) {
        move(words, full, slot, other);
        return true;
      }
    }
    for (int slot = 0; slot < SLOTS; slot++) {
      int other = base + other(full - base, FingerprintBucket.fingerprint(words, full, slot));
      for (int next = 0; next < SLOTS; next++) {
        int third = base + other(other - base, FingerprintBucket.fingerprint(words, other, next));
        if (hasRoom(words, third)) {
          move(words, other, next, third);
          move(words, full, slot, other);
          return true;
        }
      }
    }
    return false;
  }

  private void move(long[] words, int from, int slot, int to) {
    int fingerprint = FingerprintBucket.fingerprint(words, from, slot);
    FingerprintBucket.put(words, to, fingerprint, FingerprintBucket.code(words, from, slot));
    FingerprintBucket.clear(words, from, slot);
  }

  private void evict(long[] words, int first, int second, int fingerprint, double units) {
    int at = first;
    int slot = 0;
    for (int i = 1; i < 2 * SLOTS; i++) {
      int bucket = i < SLOTS ? first : second;
      if (FingerprintBucket.code(words, bucket, i % SLOTS)
          < FingerprintBucket.code(words, at, slot)) {
        at = bucket;
        slot = i % SLOTS;
      }
    }
    double coldest = CounterCode.units(FingerprintBucket.code(words, at, slot));
    if ((nextRandom() >>> 11) * 0x1p-53 * (units + coldest) < units) {
      FingerprintBucket.clear(words, at, slot);
      FingerprintBucket.put(words, at, fingerprint, CounterCode.encode(units, nextRandom()));
      lostUnits += coldest;
      evictions++;
    } else {
      lostUnits += units;
    }
  }

  // --- decay ---

  private void cool(long[] words, int at) {
    if (words[at + 1] >>> FingerprintBucket.TAG_SHIFT != (step & FingerprintBucket.TAG_MASK)) {
      cool(words, at, step);
    }
  }

  private void cool(long[] words, int at, long until) {
    long counts = words[at + 1];
    // The tag is at most SWEEP_STEPS behind this table's step, which is at most "until".
    long steps =
        until
            - step
            + (step - (counts >>> FingerprintBucket.TAG_SHIFT) & FingerprintBucket.TAG_MASK);
    long cooled = (until & FingerprintBucket.TAG_MASK) << FingerprintBucket.TAG_SHIFT;
    if ((counts & FingerprintBucket.ALL_LANES) != 0) {
      double factor = Decay.factor(steps);
      for (int slot = 0; slot < SLOTS; slot++) {
        int shift = slot * CounterCode.BITS;
        int code = (int) (counts >>> shift) & CounterCode.MAX;
        if (code != 0) {
          int left = CounterCode.encode(CounterCode.units(code) * factor, nextRandom());
          cooled |= (long) left << shift;
          if (left == 0) {
            items--;
          }
        }
      }
    }
    words[at + 1] = cooled;
  }

  private void sweep(int from, int until, long newStep) {
    for (int block = from; block < until; block++) {
      long[] words = writable(block / BLOCKS_PER_CHUNK);
      int base = block % BLOCKS_PER_CHUNK * BLOCK_WORDS;
      for (int at = base; at < base + BLOCK_WORDS; at += 2) {
        cool(words, at, newStep);
      }
    }
  }

  // --- places ---

  private int block(long key) {
    return (int) Math.multiplyHigh(key >>> 1, 2L * blocks);
  }

  private static int bucketOffset(long key) {
    return (int) (key & 0xFF) << 1;
  }

  private static int fingerprint(long key) {
    return (int) (key >>> 8) & FingerprintBucket.FINGERPRINT_MASK;
  }

  /** The offset of an item's other bucket in its block; asked twice, the first one again. */
  private static int other(int offset, int fingerprint) {
    return offset ^ (fingerprint * 0x9e3779b1 >>> 24 | 1) << 1;
  }

  private long nextRandom() {
    random += Mix.GAMMA;
    return Mix.of(random);
  }

  // --- saving ---

  private long[] writable(int chunk) {
    if (shared[chunk]) {
      chunks[chunk] = chunks[chunk].clone();
      shared[chunk] = false;
    }
    return chunks[chunk];
  }

  /** The state now, to be written by any thread, once, while this one goes on. */
  SavedState freeze() {
    Arrays.fill(shared, true);
    long[] numbers = {
      blocks, step, sweepAt, random, items, Double.doubleToRawLongBits(lostUnits), evictions
    };
    return new Saved(numbers, chunks.clone());
  }

  static FingerprintHotnessTable restore(StateSource source) {
    FingerprintHotnessTable table = new FingerprintHotnessTable(source.size(1 << 24));
    table.step = source.number();
    table.sweepAt = source.size(table.blocks);
    table.random = source.number();
    table.items = source.number();
    table.lostUnits = source.real();
    table.evictions = source.number();
    for (int chunk = 0; chunk < table.chunks.length; chunk++) {
      long[] words = new long[table.wordsIn(chunk)];
      source.words(words);
      table.chunks[chunk] = words;
    }
    return table;
  }

  /** A frozen state; lets go of each chunk as it is written. */
  private record Saved(long[] numbers, long[][] chunks) implements SavedState {
    @Override
    public void writeTo(StateSink sink) {
      for (long number : numbers) {
        sink.number(number);
      }
      for (int chunk = 0; chunk < chunks.length; chunk++) {
        sink.words(chunks[chunk]);
        chunks[chunk] = null;
      }
    }
  }
}
