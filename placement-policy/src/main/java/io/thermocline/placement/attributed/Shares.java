// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.attributed;

import java.util.Arrays;
import java.util.BitSet;

/** The share of keys that the first replica's strategy gives each device of a ring. Pure. */
final class Shares {
  private Shares() {}

  static double[] of(Sectors sectors, float[] bandwidths, BitSet removed) {
    double[] shares = new double[bandwidths.length];
    if (removed.cardinality() == shares.length) {
      return shares;
    }
    int last = 0;
    for (int i = 1; i < sectors.count(); i++) {
      last = sectors.next(last);
    }
    // A sector whose devices are all removed passes its keys on, the ring's last ones to its first:
    // hence a second time round with what is left then.
    double passed = 0;
    for (int round = 0; round < 2; round++) {
      int predecessor = last;
      int sector = 0;
      for (int i = 0; i < sectors.count(); i++) {
        double arc = passed + (round == 0 ? sectors.arc(sector, predecessor) : 0);
        passed = arc - share(arc, sector, sectors, bandwidths, removed, shares);
        predecessor = sector;
        sector = sectors.next(sector);
      }
    }
    return shares;
  }

  /** Gives the arc to the sector's members and says how much of it was given. */
  private static double share(
      double arc,
      int sector,
      Sectors sectors,
      float[] bandwidths,
      BitSet removed,
      double[] shares) {
    int size = sectors.size(sector);
    double[] own = new double[size];
    for (int i = 0; i < size; i++) {
      int device = sectors.member(sector, i);
      if (sectors.isHeterogeneous(sector)) {
        own[i] = removed.get(device) ? 0 : bandwidths[device];
        continue;
      }
      int heir = i;
      for (int steps = 1; removed.get(device) && steps < size; steps++) {
        heir = CapacityStrategy.step(i, steps, size);
        device = sectors.member(sector, heir);
      }
      own[heir] += removed.get(device) ? 0 : 1;
    }
    double sum = Arrays.stream(own).sum();
    if (sum == 0) {
      return 0;
    }
    for (int i = 0; i < size; i++) {
      shares[sectors.member(sector, i)] += arc * own[i] / sum;
    }
    return arc;
  }
}
