// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.pools;

import io.thermocline.tiering.classify.ChunkActivity;
import java.util.List;

/** Knows the parts of chunks: what was done in each of them. Pure. */
@FunctionalInterface
public interface ChunkParts {

  /**
   * The parts of a chunk, which name it as their whole and are as many bytes as it together.
   *
   * @param least no part has fewer bytes
   * @param most how many parts there may be; what has parts of its own (a group's files, a file's blocks) has as
   *     many as it has
   */
  Split split(ChunkActivity whole, long least, int most);

  /**
   * @param parts two at least, or none
   * @param why there are none; "" where there are
   */
  record Split(List<ChunkActivity> parts, String why) {
    public Split {
      parts = List.copyOf(parts);
      if (parts.size() == 1 || parts.isEmpty() == why.isEmpty()) {
        throw new IllegalArgumentException(parts.size() + " parts, and the reason '" + why + "'");
      }
    }

    public static Split none(String why) {
      return new Split(List.of(), why);
    }
  }
}
