// SPDX-License-Identifier: Apache-2.0
package io.thermocline.mining.spark;

import java.io.Serializable;
import java.util.Comparator;

/**
 * Two objects read within one window.
 *
 * @param first the smaller key
 * @param now number of the later read, of all
 * @param before number of the earlier one
 */
record Meeting(long first, long second, long now, long before)
    implements Serializable, Comparable<Meeting> {

  private static final Comparator<Meeting> ORDER =
      Comparator.comparingLong(Meeting::first)
          .thenComparingLong(Meeting::second)
          .thenComparingLong(Meeting::now);

  static Meeting of(long a, long b, long now, long before) {
    return new Meeting(Math.min(a, b), Math.max(a, b), now, before);
  }

  boolean isOfPairOf(Meeting other) {
    return first == other.first && second == other.second;
  }

  @Override
  public int compareTo(Meeting other) {
    return ORDER.compare(this, other);
  }
}
