// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.pools;

import java.util.Map;

/**
 * Which chunks are split, from epoch to epoch: all that ChewAnalyzer++ remembers. Immutable.
 *
 * @param split ids of chunks that are in parts, each with the epochs for which its parts were alike
 * @param merged ids of chunks that were put together again, each with the pattern that all its parts
 *     had: it isn't split again while it has that
 */
public record Granularity(Map<String, Integer> split, Map<String, String> merged) {

  /** Everything is whole. */
  public static final Granularity WHOLE = new Granularity(Map.of(), Map.of());

  public Granularity {
    split = Map.copyOf(split);
    merged = Map.copyOf(merged);
  }
}
