// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.classify;

import java.util.List;
import java.util.Set;

/**
 * A pattern of the library, and the pools that suit it: the chunks of certain groups of the level above, whose weight and
 * share are in given intervals.
 *
 * @param name unique in the library
 * @param of names of groups of the levels above that it is a part of; empty for any
 * @param weight of chunks, a second, for one of the library's reference size
 * @param share of the level's dimension
 * @param pools where such chunks belong, the best first; further ones are as good where that is full
 */
public record PatternGroup(
    String name, Set<String> of, Interval weight, Interval share, List<String> pools) {

  public PatternGroup {
    of = Set.copyOf(of);
    pools = List.copyOf(pools);
    if (pools.isEmpty()) {
      throw new IllegalArgumentException("pattern " + name + " names no pool");
    }
  }
}
