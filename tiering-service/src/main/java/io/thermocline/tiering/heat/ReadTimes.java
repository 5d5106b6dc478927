// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

/**
 * When a file was read, in 16 slots of equal width from its first read on. The width is a second, and doubles when
 * the slots don't reach far enough: 80 bytes for any time. Not thread-safe.
 */
final class ReadTimes {
  private static final int SLOTS = 16;
  private static final long FINEST_MILLIS = 1_000;

  private final int[] reads = new int[SLOTS];
  private long begin;
  private long width = FINEST_MILLIS;
  private int all;

  /** An earlier time than the first counts as the first. */
  void add(long millis) {
    if (all++ == 0) {
      begin = millis;
    }
    while (millis - begin >= SLOTS * width) {
      for (int i = 0; i < SLOTS; i++) {
        reads[i] = 2 * i < SLOTS ? reads[2 * i] + reads[2 * i + 1] : 0;
      }
      width *= 2;
    }
    reads[(int) (Math.max(0, millis - begin) / width)]++;
  }

  /** The share of the reads before an instant, exact to a slot; NaN where there were none. */
  double shareBefore(long millis) {
    double before = 0;
    for (int i = 0; i < SLOTS; i++) {
      double part = (double) (millis - begin - i * width) / width;
      before += reads[i] * Math.min(1, Math.max(0, part));
    }
    return before / all;
  }
}
