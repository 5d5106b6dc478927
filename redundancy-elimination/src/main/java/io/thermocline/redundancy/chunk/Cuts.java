// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.chunk;

import java.util.Arrays;

/**
 * The chunks of one buffer, without gaps from its start.
 *
 * @param lengths of each chunk
 * @param end where the last one ends; what is behind it belongs to the next buffer
 */
public record Cuts(int[] lengths, int end) {

  /**
   * @param length of the data in the buffer
   * @param last whether the file ends with it; otherwise the bytes behind the last certain cut are left
   */
  public static Cuts of(Chunker chunker, byte[] data, int length, boolean last) {
    int[] lengths = new int[Math.max(16, length / chunker.size().expected() + 16)];
    int count = 0;
    int at = 0;
    while (last ? at < length : length - at >= chunker.size().max()) {
      int next = chunker.next(data, at, length);
      if (count == lengths.length) {
        lengths = Arrays.copyOf(lengths, 2 * count);
      }
      lengths[count++] = next;
      at += next;
    }
    return new Cuts(Arrays.copyOf(lengths, count), at);
  }
}
