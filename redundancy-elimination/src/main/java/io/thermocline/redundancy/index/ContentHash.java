// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.index;

/** A fast 128-bit hash of a chunk. Proposes that two chunks are equal; {@link ChunkHasher#fingerprint} decides. */
public record ContentHash(long high, long low) {
  public static final int BYTES = 16;
}
