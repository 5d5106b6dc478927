// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.chunk;

/** Chunks of one length. Costs nothing, and loses everything behind an insertion. */
public record FixedChunker(ChunkSize size) implements Chunker {

  public FixedChunker(int length) {
    this(ChunkSize.fixed(length));
  }

  @Override
  public int next(byte[] data, int from, int to) {
    return Math.min(size.max(), to - from);
  }
}
