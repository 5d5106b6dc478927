// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.chunk;

/**
 * The fast path: FastCDC, a gear hash with normalized chunking. Below the expected size a cut needs two bits more than the
 * size has, above it two bits fewer, so that lengths stay near the expected one.
 */
public final class GearChunker implements Chunker {

  private static final int NORMALIZATION = 2;

  /** Part of the format: other constants cut elsewhere, and no chunk of before is found again. */
  private static final long[] GEAR = gear();

  private final ChunkSize size;
  private final long maskBelow;
  private final long maskAbove;

  public GearChunker(ChunkSize size) {
    this.size = size;
    int bits = Integer.numberOfTrailingZeros(size.expected());
    this.maskBelow = highest(bits + NORMALIZATION);
    this.maskAbove = highest(bits - NORMALIZATION);
  }

  @Override
  public ChunkSize size() {
    return size;
  }

  @Override
  public int next(byte[] data, int from, int to) {
    int end = Math.min(to, from + size.max());
    if (end - from <= size.min()) {
      return end - from;
    }
    int normal = Math.min(end, from + size.expected());
    long hash = 0;
    int at = from + size.min();
    for (; at < normal; at++) {
      hash = (hash << 1) + GEAR[data[at] & 0xff];
      if ((hash & maskBelow) == 0) {
        return at + 1 - from;
      }
    }
    for (; at < end; at++) {
      hash = (hash << 1) + GEAR[data[at] & 0xff];
      if ((hash & maskAbove) == 0) {
        return at + 1 - from;
      }
    }
    return end - from;
  }

  /** The highest bits depend on the most bytes. */
  private static long highest(int bits) {
    return -1L << (Long.SIZE - bits);
  }

  /** SplitMix64 from 0. */
  private static long[] gear() {
    long[] table = new long[256];
    long state = 0;
    for (int i = 0; i < table.length; i++) {
      state += 0x9e3779b97f4a7c15L;
      long mixed = (state ^ (state >>> 30)) * 0xbf58476d1ce4e5b9L;
      mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
      table[i] = mixed ^ (mixed >>> 31);
    }
    return table;
  }
}
