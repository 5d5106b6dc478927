// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.attributed;

import java.util.BitSet;
import java.util.function.IntPredicate;

/**
 * Which devices a key leads to (algorithm 1): each sector chooses by its own strategy. Immutable, safe for any
 * thread, allocates nothing. The caller rejects devices, so distinct devices and zones are up to it.
 *
 * <p>Source: attributedCH, section 3.4.4.
 */
final class Strategies {
  private static final int NONE = AttributedRing.NONE;
  private static final int SEVERAL = -2;

  private final Sectors sectors;
  private final float[] bandwidths;
  private final BitSet removed;

  /** Devices that aren't removed. */
  private final int present;

  /**
   * @param removed devices to skip; never changed
   */
  Strategies(Sectors sectors, float[] bandwidths, BitSet removed) {
    this.sectors = sectors;
    this.bandwidths = bandwidths;
    this.removed = removed;
    this.present = bandwidths.length - removed.cardinality();
  }

  /** See {@link AttributedRing#select}. */
  int select(long key, IntPredicate accept, int maxTries) {
    if (present == 0) {
      return NONE;
    }
    long hash = Hash.mix(key);
    int start = sectors.find((int) (hash >>> 32));
    int sector = start;
    int replica = 0;
    int round = 0;
    int tries = maxTries;
    while (tries > 0) {
      int device = candidate(sector, hash, replica, round);
      tries--;
      if (removed.get(device)) {
        int left = present(sector);
        device = left >= 0 ? left : device;
        for (int skip = 1; left == SEVERAL && removed.get(device) && tries > 0; skip++) {
          device = candidate(sector, hash, replica, round + skip);
          tries--;
        }
      }
      if (!removed.get(device) && accept.test(device)) {
        return device;
      }
      replica++;
      sector = sectors.next(sector);
      if (sector == start) {
        // Once round: now the next member of each sector, until all have been asked.
        replica = 0;
        round++;
      }
    }
    return NONE;
  }

  /**
   * The only member that is present, {@link #NONE} or {@link #SEVERAL}. A slow device's range is hit by few
   * draws: where it alone is left, all of them lead to it in the end.
   */
  private int present(int sector) {
    int only = NONE;
    for (int i = 0; i < sectors.size(sector); i++) {
      int device = sectors.member(sector, i);
      if (device != only && !removed.get(device)) {
        if (only != NONE) {
          return SEVERAL;
        }
        only = device;
      }
    }
    return only;
  }

  /**
   * What the sector's strategy leads to.
   *
   * @param replica the replica that starts in the sector, whichever asks
   * @param attempt 0 for its choice, others where that one can't be
   */
  private int candidate(int sector, long hash, int replica, int attempt) {
    if (sectors.isHeterogeneous(sector)) {
      return drawn(sector, hash, replica, attempt);
    }
    int size = sectors.size(sector);
    int first = CapacityStrategy.first(hash, replica, sectors.base(sector), size);
    return sectors.member(sector, CapacityStrategy.step(first, attempt, size));
  }

  private int drawn(int sector, long hash, int replica, int attempt) {
    boolean fresh = attempt < BandwidthStrategy.DRAWS;
    long stream = (long) replica * BandwidthStrategy.DRAWS + (fresh ? attempt : 0);
    int member = BandwidthStrategy.draw(hash, stream, sectors, sector, bandwidths);
    return sectors.member(sector, fresh ? member : (member + attempt) % sectors.size(sector));
  }
}
