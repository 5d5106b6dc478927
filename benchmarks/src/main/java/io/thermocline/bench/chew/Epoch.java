// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.chew;

import io.thermocline.tiering.classify.Accesses;
import io.thermocline.tiering.decide.pools.Pool;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * What a policy is told at the end of an epoch.
 *
 * @param accesses by index of the part ({@link Extents}), those with any
 * @param where index of the pool where each part is, of all parts of chunks that were ever touched
 * @param pools the fastest first
 */
record Epoch(
    Map<Long, Accesses> accesses,
    SortedMap<Long, Integer> where,
    List<Pool> pools,
    Duration window) {

  Accesses of(long part) {
    return accesses.getOrDefault(part, Accesses.NONE);
  }

  /** All that was done in a chunk. */
  Accesses ofChunk(long chunk) {
    Accesses sum = Accesses.NONE;
    for (int i = 0; i < Extents.PARTS; i++) {
      sum = sum.plus(of(chunk * Extents.PARTS + i));
    }
    return sum;
  }

  /** Where a chunk is: where its first part is. */
  int whereIsChunk(long chunk) {
    return where.get(chunk * Extents.PARTS);
  }

  List<Long> chunks() {
    return where.keySet().stream().map(part -> part / Extents.PARTS).distinct().toList();
  }

  /** The same with what was done in these epochs together, the last one at the end. */
  Epoch withAll(Collection<Epoch> epochs) {
    Map<Long, Accesses> sum = new HashMap<>();
    Duration duration = Duration.ZERO;
    for (Epoch one : epochs) {
      one.accesses().forEach((part, accesses) -> sum.merge(part, accesses, Accesses::plus));
      duration = duration.plus(one.window());
    }
    return new Epoch(sum, where, pools, duration);
  }
}
