// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.chunk;

/**
 * Bounds of a chunk, in bytes. Only the last chunk of a file may be shorter than the minimum.
 *
 * @param min of all chunks but the last
 * @param expected mean length of chunks of random data, roughly
 * @param max of all chunks
 */
public record ChunkSize(int min, int expected, int max) {

  /** Below that a fingerprint costs about as many bytes as it saves. */
  public static final int SMALLEST = 128;

  public static final int LARGEST = 256 << 10;

  /** What no chunk exceeds, whatever its policy. */
  public static final int MAX = 4 * LARGEST;

  public ChunkSize {
    if (Integer.bitCount(expected) != 1 || expected < SMALLEST || expected > LARGEST) {
      throw new IllegalArgumentException(
          "expected chunk size: a power of two from "
              + SMALLEST
              + " to "
              + LARGEST
              + " bytes, found "
              + expected);
    }
    if (min < 1 || min > expected || max < expected || max > MAX) {
      throw new IllegalArgumentException(
          "chunk size: min <= expected <= max, found " + min + ", " + expected + ", " + max);
    }
  }

  /** With LBFS's bounds: max = 4 * expected = 16 * min. */
  public static ChunkSize of(int expected) {
    return new ChunkSize(Math.max(1, expected / 4), expected, 4 * expected);
  }

  /** All chunks of the same length. */
  public static ChunkSize fixed(int length) {
    return new ChunkSize(length, length, length);
  }
}
