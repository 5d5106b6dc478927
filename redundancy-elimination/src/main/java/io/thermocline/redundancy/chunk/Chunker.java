// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.chunk;

/** Finds where a chunk ends. Without state: safe for any number of threads. */
public interface Chunker {

  ChunkSize size();

  /**
   * The length of the chunk that begins at {@code from}, at least 1.
   *
   * @param to end of the data in the array. If it is less than the maximal chunk size away, it must be the end of the
   *     file: otherwise the chunk depends on how the caller fills its buffers
   */
  int next(byte[] data, int from, int to);
}
