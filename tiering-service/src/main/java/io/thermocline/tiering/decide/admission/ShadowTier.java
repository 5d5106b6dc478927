// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.admission;

import io.thermocline.tiering.heat.StateSink;
import io.thermocline.tiering.heat.StateSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongToDoubleFunction;

/**
 * A fast tier that isn't there: what its hits would be if a rule had filled it, with moves that take no time. It
 * holds names only. What leaves is the least dense of a few that are looked at in turn, so that an entry costs
 * little.
 */
final class ShadowTier {
  private static final int LOOKED_AT = 16;

  private record Resident(long key, long bytes) {}

  private long capacity;
  private final int most;
  private final List<Resident> residents = new ArrayList<>();
  private final Map<Long, Integer> places = new HashMap<>();
  private long used;
  private int hand;
  private double hits;

  /**
   * @param capacity in bytes
   * @param most files that it holds
   */
  ShadowTier(long capacity, int most) {
    this.capacity = capacity;
    this.most = most;
  }

  /** Counts a hit if the file is there. */
  boolean read(long key) {
    boolean isHit = places.containsKey(key);
    hits += isHit ? 1 : 0;
    return isHit;
  }

  /**
   * Takes a file in, if all who would have to leave for it are less dense.
   *
   * @param densities of files now
   */
  void enter(long key, long bytes, LongToDoubleFunction densities) {
    double density = densities.applyAsDouble(key);
    while (used + bytes > capacity || residents.size() >= most) {
      int least = least(densities);
      if (least < 0 || densities.applyAsDouble(residents.get(least).key()) >= density) {
        return;
      }
      remove(least);
    }
    places.put(key, residents.size());
    residents.add(new Resident(key, bytes));
    used += bytes;
  }

  private int least(LongToDoubleFunction densities) {
    int least = -1;
    double density = Double.POSITIVE_INFINITY;
    for (int i = Math.min(LOOKED_AT, residents.size()); i > 0; i--) {
      hand = (hand + 1) % residents.size();
      double other = densities.applyAsDouble(residents.get(hand).key());
      if (other < density) {
        least = hand;
        density = other;
      }
    }
    return least;
  }

  private void remove(int place) {
    Resident last = residents.remove(residents.size() - 1);
    Resident left = last;
    if (place < residents.size()) {
      left = residents.set(place, last);
      places.put(last.key(), place);
    }
    places.remove(left.key());
    used -= left.bytes();
  }

  void fade(double keep) {
    hits *= keep;
  }

  double hits() {
    return hits;
  }

  /** What is too much for another capacity leaves when the next file enters. */
  void resize(long now) {
    capacity = now;
  }

  void writeTo(StateSink sink) {
    sink.number(hand);
    sink.real(hits);
    sink.number(residents.size());
    for (Resident resident : residents) {
      sink.number(resident.key());
      sink.number(resident.bytes());
    }
    // Earlier versions saved files that waited for a place.
    sink.number(0);
  }

  void restore(StateSource source) {
    hand = (int) source.number();
    hits = source.real();
    for (int left = source.size(most); left > 0; left--) {
      Resident resident = new Resident(source.number(), source.number());
      places.put(resident.key(), residents.size());
      residents.add(resident);
      used += resident.bytes();
    }
    for (int left = source.size(most); left > 0; left--) {
      source.number();
      source.number();
    }
  }
}
