// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.attributed;

import java.util.function.IntPredicate;

/**
 * Algorithm 1: which devices a key leads to, the strategy being chosen sector by sector. Immutable, safe
 * for any thread, allocates nothing.
 *
 * <p>Source: attributedCH, section 3.4.4.
 */
final class Strategies {
  private static final int NONE = AttributedRing.NONE;
  private static final int SEVERAL = -2;
  private static final int[] NO_CHOSEN = {};

  /** Successor sectors that are searched for another zone before a replica does without. */
  private static final int ZONE_SECTORS = 16;

  private final Sectors sectors;
  private final float[] bandwidths;
  private final LocationStrategy locations;

  Strategies(Sectors sectors, float[] bandwidths, LocationStrategy locations) {
    this.sectors = sectors;
    this.bandwidths = bandwidths;
    this.locations = locations;
  }

  /** See {@link AttributedRing#select}. */
  int select(long key, IntPredicate accept, int maxTries) {
    if (locations.present() == 0) {
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
      if (locations.isRemoved(device)) {
        int present = fitting(sector, NO_CHOSEN, 0, false);
        device = present >= 0 ? present : device;
        for (int skip = 1; present == SEVERAL && locations.isRemoved(device) && tries > 0; skip++) {
          device = candidate(sector, hash, replica, round + skip);
          tries--;
        }
      }
      if (!locations.isRemoved(device) && accept.test(device)) {
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

  /** See {@link AttributedRing#place}. */
  void place(long key, int[] chosen) {
    int possible = Math.min(chosen.length, locations.present());
    if (possible > 0) {
      long hash = Hash.mix(key);
      int sector = sectors.find((int) (hash >>> 32));
      int zonesLeft = locations.zoneCount();
      for (int replica = 0; replica < possible; replica++) {
        boolean elsewhere = zonesLeft > 0 && replica > 0;
        int device = candidate(sector, hash, replica, 0);
        if (!locations.fits(device, chosen, replica, elsewhere)) {
          device = search(sector, hash, chosen, replica, elsewhere);
          if (device == NONE) {
            device = search(sector, hash, chosen, replica, false);
            zonesLeft++;
          }
        }
        zonesLeft--;
        chosen[replica] = device;
        sector = sectors.next(sector);
      }
    }
    for (int replica = possible; replica < chosen.length; replica++) {
      chosen[replica] = NONE;
    }
  }

  /** The replica's device in the sector or those behind it, in a zone of its own where asked. */
  private int search(int sector, long hash, int[] chosen, int replica, boolean elsewhere) {
    // In any zone something is found: each present device is a member of some sector.
    int reach = elsewhere ? Math.min(ZONE_SECTORS, sectors.count()) : sectors.count();
    int at = sector;
    for (int further = 0; further < reach; further++) {
      int device = candidate(at, hash, replica + further, 0);
      if (locations.fits(device, chosen, replica, elsewhere)) {
        return device;
      }
      int fitting = fitting(at, chosen, replica, elsewhere);
      if (fitting >= 0) {
        return fitting;
      }
      if (fitting == SEVERAL) {
        for (int attempt = 1; attempt < limit(at); attempt++) {
          device = candidate(at, hash, replica + further, attempt);
          if (locations.fits(device, chosen, replica, elsewhere)) {
            return device;
          }
        }
      }
      at = sectors.next(at);
    }
    return NONE;
  }

  /**
   * The only member that fits, {@link #NONE} or {@link #SEVERAL}. A slow device's range is hit by few
   * draws: where it alone is left, all of them lead to it in the end.
   */
  private int fitting(int sector, int[] chosen, int count, boolean elsewhere) {
    int only = NONE;
    for (int i = 0; i < sectors.size(sector); i++) {
      int device = sectors.member(sector, i);
      if (device != only && locations.fits(device, chosen, count, elsewhere)) {
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

  /** Attempts after which every member of the sector was a candidate. */
  private int limit(int sector) {
    int size = sectors.size(sector);
    return sectors.isHeterogeneous(sector) ? BandwidthStrategy.DRAWS + size : size;
  }
}
