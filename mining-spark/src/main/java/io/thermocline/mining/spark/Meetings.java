// SPDX-License-Identifier: Apache-2.0
package io.thermocline.mining.spark;

import io.thermocline.tiering.classify.groups.MiningSettings;
import io.thermocline.tiering.classify.groups.ReaderWindow;
import java.io.Serializable;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/** What is read together by the readers of one part of all reads: as {@code CorrelationMiner} counts. */
final class Meetings {

  private Meetings() {}

  /**
   * Two objects.
   *
   * @param first the smaller key
   */
  record Pair(long first, long second) implements Serializable {}

  /** How often each two objects were together, of all reads of some readers, one reader after the other, each in order. */
  static Iterator<Map.Entry<Pair, Integer>> of(
      Iterator<LoggedRead> reads, MiningSettings settings) {
    Map<Pair, Integer> together = new HashMap<>();
    ReaderWindow window = null;
    long reader = 0;
    while (reads.hasNext()) {
      LoggedRead read = reads.next();
      if (window == null || read.reader() != reader) {
        window = new ReaderWindow(settings);
        reader = read.reader();
      }
      long key = read.key();
      window.read(
          key,
          read.millis(),
          other ->
              together.merge(
                  new Pair(Math.min(key, other), Math.max(key, other)), 1, Integer::sum));
    }
    return together.entrySet().iterator();
  }
}
