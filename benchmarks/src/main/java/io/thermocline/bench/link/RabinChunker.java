// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.link;

import io.thermocline.redundancy.chunk.ChunkSize;
import io.thermocline.redundancy.chunk.Chunker;
import java.math.BigInteger;

/**
 * The reference: Rabin fingerprints by equations 4.1 and 4.2 of the VNRE chapter, base 16, windows of 32 bytes, modulo
 * the largest 64-bit prime. A window whose fingerprint is 1 modulo the expected size ends a chunk with its last byte. Cut
 * points before the minimum are skipped, as LBFS does. Five times as slow as the gear hash, which ships.
 */
final class RabinChunker implements Chunker {

  /** M. */
  private static final int WINDOW = 32;

  /** R = 2^4. */
  private static final int BASE_BITS = 4;

  /** 2^64 mod Q, where Q = 2^64 - 59. */
  private static final long WRAP = 59;

  private static final long Q = -WRAP;

  /** What each byte is worth when it leaves the window: i * R^(M-1) mod Q. */
  private static final long[] LEAVING = leaving();

  private static final int MAGIC = 1;

  private final ChunkSize size;

  RabinChunker(ChunkSize size) {
    if (size.min() < WINDOW) {
      throw new IllegalArgumentException("a window of 32 bytes needs chunks of at least as many");
    }
    this.size = size;
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
    long mask = size.expected() - 1;
    int at = from + size.min();
    long fingerprint = 0;
    for (int i = at - WINDOW; i < at; i++) {
      fingerprint = append(fingerprint, data[i] & 0xff);
    }
    while ((fingerprint & mask) != MAGIC && at < end) {
      fingerprint =
          append(subtract(fingerprint, LEAVING[data[at - WINDOW] & 0xff]), data[at] & 0xff);
      at++;
    }
    return at - from;
  }

  /** (f * R + t) mod Q, where f is less than Q and unsigned. */
  private static long append(long fingerprint, int value) {
    long more = (fingerprint >>> (Long.SIZE - BASE_BITS)) * WRAP + value;
    long sum = (fingerprint << BASE_BITS) + more;
    if (Long.compareUnsigned(sum, more) < 0) {
      return sum + WRAP;
    }
    return Long.compareUnsigned(sum, Q) < 0 ? sum : sum - Q;
  }

  private static long subtract(long fingerprint, long value) {
    long difference = fingerprint - value;
    return Long.compareUnsigned(fingerprint, value) < 0 ? difference + Q : difference;
  }

  private static long[] leaving() {
    BigInteger q = BigInteger.ONE.shiftLeft(Long.SIZE).subtract(BigInteger.valueOf(WRAP));
    BigInteger power = BigInteger.ONE.shiftLeft(BASE_BITS * (WINDOW - 1));
    long[] table = new long[256];
    for (int i = 0; i < table.length; i++) {
      table[i] = power.multiply(BigInteger.valueOf(i)).mod(q).longValue();
    }
    return table;
  }
}
