// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.index;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnel;

/**
 * Where chunks are, by their fast hash: a Bloom filter before a table of fixed size. The index is a cache. It may
 * be lost, and a place that it gives may be wrong: readers compare the fingerprint of what they read. Thread-safe.
 *
 * <p>A chunk has eight possible slots. The most recently used one is the first, and a new chunk replaces the last.
 */
public final class ChunkIndex {

  /** Bytes of memory for each chunk of the capacity: 36 in the table, 4 in the filter. */
  public static final int BYTES_A_CHUNK = 40;

  private static final int WAYS = 8;

  /** As in the chapter: 0.025 %. */
  private static final double FALSE_POSITIVES = 0.00025;

  private static final Funnel<ContentHash> FUNNEL =
      (hash, into) -> into.putLong(hash.high()).putLong(hash.low());

  private final int sets;
  private final long[] high;
  private final long[] low;
  private final long[] offset;
  private final int[] file;
  private final int[] length;
  private BloomFilter<ContentHash> filter;
  private long inFilter;
  private long evicted;

  /**
   * @param capacity in chunks, rounded up to a power of two
   */
  public ChunkIndex(int capacity) {
    if (capacity < 1 || capacity > 1 << 27) {
      throw new IllegalArgumentException(
          "chunks in the index: expected 1 to " + (1 << 27) + ", found " + capacity);
    }
    this.sets = Math.max(1, Integer.highestOneBit(2 * capacity - 1) / WAYS);
    int slots = sets * WAYS;
    this.high = new long[slots];
    this.low = new long[slots];
    this.offset = new long[slots];
    this.file = new int[slots];
    this.length = new int[slots];
    this.filter = emptyFilter();
  }

  /** The place of a chunk, or null. */
  public synchronized ChunkPlace find(ContentHash hash) {
    if (!filter.mightContain(hash)) {
      return null;
    }
    int slot = slotOf(hash);
    if (slot < 0) {
      return null;
    }
    ChunkPlace place = new ChunkPlace(file[slot], offset[slot], length[slot]);
    set(firstAfterShift(hash, slot), hash, place);
    return place;
  }

  public synchronized void put(ContentHash hash, ChunkPlace place) {
    int slot = slotOf(hash);
    if (slot < 0) {
      slot = first(hash) + WAYS - 1;
      if (length[slot] != 0) {
        evicted++;
      }
      if (inFilter++ >= 2L * high.length) {
        rebuildFilter();
      }
      filter.put(hash);
    }
    set(firstAfterShift(hash, slot), hash, place);
  }

  /** Of a chunk that was not where the index says. */
  public synchronized void remove(ContentHash hash) {
    int slot = slotOf(hash);
    if (slot >= 0) {
      length[slot] = 0;
    }
  }

  public int capacity() {
    return high.length;
  }

  /** Chunks that were replaced while they were valid: the index is too small if it grows. */
  public synchronized long evicted() {
    return evicted;
  }

  private int first(ContentHash hash) {
    return (int) (hash.high() & (sets - 1)) * WAYS;
  }

  private int slotOf(ContentHash hash) {
    int first = first(hash);
    for (int slot = first; slot < first + WAYS; slot++) {
      if (length[slot] != 0 && high[slot] == hash.high() && low[slot] == hash.low()) {
        return slot;
      }
    }
    return -1;
  }

  /** Frees the first slot of the set by moving those before {@code slot} back by one; its content is lost. */
  private int firstAfterShift(ContentHash hash, int slot) {
    int first = first(hash);
    int count = slot - first;
    System.arraycopy(high, first, high, first + 1, count);
    System.arraycopy(low, first, low, first + 1, count);
    System.arraycopy(offset, first, offset, first + 1, count);
    System.arraycopy(file, first, file, first + 1, count);
    System.arraycopy(length, first, length, first + 1, count);
    return first;
  }

  private void set(int slot, ContentHash hash, ChunkPlace place) {
    high[slot] = hash.high();
    low[slot] = hash.low();
    offset[slot] = place.offset();
    file[slot] = place.file();
    length[slot] = place.length();
  }

  /** A Bloom filter forgets nothing by itself. */
  private void rebuildFilter() {
    filter = emptyFilter();
    inFilter = 0;
    for (int slot = 0; slot < high.length; slot++) {
      if (length[slot] != 0) {
        filter.put(new ContentHash(high[slot], low[slot]));
        inFilter++;
      }
    }
  }

  private BloomFilter<ContentHash> emptyFilter() {
    return BloomFilter.create(FUNNEL, 2L * high.length, FALSE_POSITIVES);
  }
}
