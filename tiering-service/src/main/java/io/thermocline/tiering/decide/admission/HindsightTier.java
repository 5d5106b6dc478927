// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.admission;

import io.thermocline.tiering.heat.StateSink;
import io.thermocline.tiering.heat.StateSource;
import java.util.Arrays;

/**
 * A fast tier that isn't there, run by one who knew what was to come: what would have been kept from one read to
 * the next. At the second of the two it is known how much room was taken between them by what was read
 * again earlier, and whether the file fitted beside it. So files that are read again soon come before those
 * that wait for long (Jain and Lin, Back to the future: leveraging Belady's algorithm for improved cache
 * replacement, ISCA 2016, there with one size for all).
 */
final class HindsightTier {
  /** Room is counted by so many spans of reads; when all are used, pairs are joined. */
  private static final int SPANS = 2048;

  private double capacity;
  private final double[] used = new double[SPANS];
  private long reads;
  private long readsBySpan = 1;

  /**
   * @param capacity in bytes
   */
  HindsightTier(long capacity) {
    this.capacity = capacity;
  }

  /** The number of the next read, from 0 on. */
  long nextRead() {
    if (reads == readsBySpan * SPANS) {
      for (int i = 0; i < SPANS / 2; i++) {
        used[i] = (used[2 * i] + used[2 * i + 1]) / 2;
      }
      Arrays.fill(used, SPANS / 2, SPANS, 0);
      readsBySpan *= 2;
    }
    return reads++;
  }

  /**
   * Whether there was room for a file from one of its reads to the next one; if so, it is taken.
   *
   * @param to number of a later read than {@code from}
   */
  boolean keeps(long bytes, long from, long to) {
    int first = (int) (from / readsBySpan);
    int last = (int) ((to - 1) / readsBySpan);
    for (int span = first; span <= last; span++) {
      if (used[span] + bytes * share(span, from, to) > capacity) {
        return false;
      }
    }
    for (int span = first; span <= last; span++) {
      used[span] += bytes * share(span, from, to);
    }
    return true;
  }

  /** Of a span, the share between two reads. */
  private double share(int span, long from, long to) {
    long begin = Math.max(from, span * readsBySpan);
    long end = Math.min(to, (span + 1) * readsBySpan);
    return (double) (end - begin) / readsBySpan;
  }

  /** Room that was taken stays taken. */
  void resize(long now) {
    capacity = now;
  }

  void writeTo(StateSink sink) {
    sink.number(reads);
    sink.number(readsBySpan);
    sink.reals(used);
  }

  void restore(StateSource source) {
    reads = source.number();
    readsBySpan = source.number();
    source.reals(used);
  }
}
