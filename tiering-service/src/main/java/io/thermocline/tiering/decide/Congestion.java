// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** How many readers a file has at the same time. Pure. */
final class Congestion {

  /*
   * Two estimates, of which the larger counts. Little's law on the expected rate: reads a second times the seconds that
   * each takes. That misses readers who come together, as the tasks of a job do; these show in the times of the last
   * accesses. There the median counts, over the accesses, of how many came within the time of one read, and only if
   * they came together in two windows of that time at least: one job that ran once is no reason to copy.
   */
  private Congestion() {}

  /**
   * @param rate reads a second
   * @param recent times of accesses, latest first, in milliseconds
   * @param seconds that a read takes
   */
  static double readers(double rate, List<Long> recent, double seconds) {
    return Math.max(rate * seconds, together(recent, Math.max(1, Math.round(seconds * 1000))));
  }

  private static int together(List<Long> recent, long window) {
    List<Integer> readers = new ArrayList<>();
    int crowds = 0;
    long crowdEnds = Long.MAX_VALUE;
    for (int i = 0; i < recent.size(); i++) {
      long at = recent.get(i);
      int within = 0;
      for (long other : recent) {
        within += other <= at && other > at - window ? 1 : 0;
      }
      readers.add(within);
      if (within > 1 && at <= crowdEnds) {
        crowds++;
        crowdEnds = at - window;
      }
    }
    if (crowds < 2) {
      return 0;
    }
    Collections.sort(readers);
    return readers.get(readers.size() / 2);
  }
}
