// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.suora;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The devices that joined after the first assignment, and which of them a key takes in. Immutable, safe
 * for any thread. Joins are numbered from 0 in the order of time.
 */
final class Joins {
  // A device of weight w that joins others of weight W takes in q = r*w/(W+w) of the keys, each
  // by replacing one replica, all with the same chance (Chao 1982, a reservoir sample of unequal
  // probabilities). A device i then keeps 1 - q/r = W/(W+w) of what it had, which makes r*w_i/W
  // the r*w_i/(W+w) that is its share now. Where devices were cropped (held a replica of every
  // key), one that no longer is gives up T = (1 - share)/q, one that still is nothing, and the
  // others the rest.
  //
  // A key doesn't ask every join, but like jump hash (Lamping and Veach 2014) leaps to the next
  // that takes it in. With Y(m) the product of (1-q)^(-1/r) up to join m, the part of the keys
  // that passes from join k over all up to m is (Y(k)/Y(m))^r; so the next join is the first with
  // Y(m) >= Y(k)/u, u being the largest of r even random numbers. Without cropping that is nearly
  // Y = W/W(0). A key leaps r*ln(W/W(0)) times on average, however many devices joined.
  //
  // An epoch ends where a join takes in every key, and where Y has grown to 16, so that a guide
  // table of even steps of Y finds the join next to at once.

  private static final double LAST_Y = 16;

  private static final long JOIN_GAMMA = 0xD1B54A32D192ED03L;

  /** A linear congruential step of good lattice structure (L'Ecuyer 1999), for numbers that are compared. */
  private static final long LCG_MULTIPLIER = 2862933555777941757L;

  private static final long LCG_INCREMENT = 3037000493L;

  /** Joins that take in all but so many keys take in all. */
  private static final double ROUNDING = 1e-12;

  private final int replicas;
  private final int[] member;
  private final int[] time;

  /** Within the epoch. */
  private final double[] y;

  /** By join, null where all replicas have the same chance to be replaced; null where all are null. */
  private final Replacement[] replacement;

  private final Epoch[] epochs;

  private Joins(Builder builder, int replicas) {
    this.replicas = replicas;
    int joins = builder.joins;
    this.member = Arrays.copyOf(builder.member, joins);
    this.time = Arrays.copyOf(builder.time, joins);
    this.y = Arrays.copyOf(builder.y, joins);
    this.replacement = builder.anySpecial ? Arrays.copyOf(builder.replacement, joins) : null;
    this.epochs = new Epoch[builder.epochs.size()];
    for (int e = 0; e < epochs.length; e++) {
      int end = e + 1 < epochs.length ? builder.epochs.get(e + 1) : joins;
      epochs[e] = new Epoch(y, builder.epochs.get(e), end, builder.takesAll.get(e));
    }
  }

  /**
   * Takes a key's set through all joins.
   *
   * @param state of the key's generator
   * @param devices the set at the first assignment, changed to that behind the last join
   * @param removals settles what was removed between joins; null where nothing was
   */
  void follow(long state, int[] devices, ReplicaLine removals) {
    long weyl = state;
    for (int e = 0; e < epochs.length; e++) {
      Epoch epoch = epochs[e];
      double from = 1;
      if (epoch.takesAll) {
        weyl += JOIN_GAMMA;
        settle(state, epoch.start, devices, removals);
        replace(epoch.start, HashedNumbers.mix(weyl), devices);
      }
      while (from < epoch.top) {
        weyl += JOIN_GAMMA;
        double target = from / largest(HashedNumbers.mix(weyl));
        if (target > epoch.top) {
          break;
        }
        int join = epoch.guide[epoch.step(target)];
        while (y[join] < target) {
          join++;
        }
        from = y[join];
        settle(state, join, devices, removals);
        replace(join, HashedNumbers.mix(~weyl), devices);
      }
    }
  }

  private void settle(long state, int join, int[] devices, ReplicaLine removals) {
    if (removals != null) {
      removals.settle(state, devices, time[join]);
    }
  }

  private void replace(int join, long hash, int[] devices) {
    devices[slot(join, hash, devices)] = member[join];
  }

  /** The largest of as many even numbers as there are replicas, between 0 and 1. */
  private double largest(long hash) {
    long number = hash;
    long largest = number >>> 12;
    for (int j = 1; j < replicas; j++) {
      number = number * LCG_MULTIPLIER + LCG_INCREMENT;
      largest = Math.max(largest, number >>> 12);
    }
    // 52 bits and a half, so that neither 0 nor 1 comes up.
    return (largest + 0.5) * 0x1.0p-52;
  }

  /** The replica that a join replaces in a set that it takes in, by a hash. */
  private int slot(int join, long hash, int[] devices) {
    Replacement special = replacement == null ? null : replacement[join];
    return special == null
        ? (int) ((hash >>> 32) * replicas >>> 32)
        : special.slot(hash, devices, replicas);
  }

  long bytes() {
    long guides = 0;
    for (Epoch epoch : epochs) {
      guides += 4L * epoch.guide.length;
    }
    return 16L * member.length + guides;
  }

  /** A part of the time in which Y grows from 1 to its top. */
  private static final class Epoch {
    final int start;

    /** Whether the first join takes in every key; Y is 1 there. */
    final boolean takesAll;

    final double top;

    /** By even steps of Y, the first join in the step or behind it. */
    final int[] guide;

    private final double steps;

    Epoch(double[] y, int start, int end, boolean takesAll) {
      this.start = start;
      this.takesAll = takesAll;
      this.top = end > start ? y[end - 1] : 1;
      int count = 2 * (end - start);
      this.steps = top > 1 ? count / (top - 1) : 0;
      this.guide = new int[top > 1 ? count + 1 : 0];
      int join = start;
      for (int g = 0; g < guide.length; g++) {
        // By the same arithmetic as the look-up, so that rounding is the same.
        while (step(y[join]) < g && join < end - 1) {
          join++;
        }
        guide[g] = join;
      }
    }

    int step(double y) {
      return (int) ((y - 1) * steps);
    }
  }

  /** Which replica goes, where devices were cropped or there were fewer than replicas. */
  private static final class Replacement {
    private final int[] cropped;
    private final double[] chance;

    Replacement(int[] cropped, double[] chance) {
      this.cropped = cropped;
      this.chance = chance;
    }

    int slot(long hash, int[] devices, int replicas) {
      double u = (hash >>> 11) * 0x1.0p-53;
      int others = 0;
      int last = 0;
      for (int j = 0; j < replicas; j++) {
        if (devices[j] == Columns.NONE) {
          return j;
        }
        int c = indexOf(devices[j]);
        if (c < 0) {
          others++;
        } else if (chance[c] > 0) {
          if (u < chance[c]) {
            return j;
          }
          u -= chance[c];
          last = j;
        }
      }
      if (others == 0) {
        return last;
      }
      // What is left of the hash's unit interval, evenly among the others.
      double left = 1;
      for (int j = 0; j < replicas; j++) {
        int c = indexOf(devices[j]);
        left -= c < 0 ? 0 : chance[c];
      }
      int nth = Math.min(others - 1, (int) (u / left * others));
      for (int j = 0; ; j++) {
        if (indexOf(devices[j]) < 0 && nth-- == 0) {
          return j;
        }
      }
    }

    private int indexOf(int device) {
      for (int c = 0; c < cropped.length; c++) {
        if (cropped[c] == device) {
          return c;
        }
      }
      return -1;
    }
  }

  /** Follows a history. */
  static final class Builder {
    private final int replicas;
    private final int[] member;
    private final int[] time;
    private final double[] y;
    private final Replacement[] replacement;
    private final List<Integer> epochs = new ArrayList<>();
    private final List<Boolean> takesAll = new ArrayList<>();
    private int joins;
    private boolean anySpecial;
    private double last = 1;

    Builder(int replicas, int mostJoins) {
      this.replicas = replicas;
      this.member = new int[mostJoins];
      this.time = new int[mostJoins];
      this.y = new double[mostJoins];
      this.replacement = new Replacement[mostJoins];
      epochs.add(0);
      takesAll.add(false);
    }

    /** Adds the member to the weights, and notes whose place it takes. */
    void join(int joining, double weight, int at, Weights weights) {
      Cropping before = Cropping.of(weights, replicas);
      int[] cropped = new int[before.cropped()];
      double[] heavy = new double[cropped.length];
      int c = 0;
      for (Weights.Entry entry : weights.heaviestFirst) {
        if (c == cropped.length) {
          break;
        }
        cropped[c] = entry.member;
        heavy[c++] = entry.weight;
      }
      boolean fills = weights.size() < replicas;
      weights.add(joining, weight);
      Cropping after = Cropping.of(weights, replicas);
      double q = after.inclusion(weight);
      if (cropped.length > 0) {
        double[] chance = new double[cropped.length];
        for (int i = 0; i < chance.length; i++) {
          chance[i] = (1 - after.inclusion(heavy[i])) / q;
        }
        replacement[joins] = new Replacement(cropped, chance);
      } else if (fills) {
        replacement[joins] = new Replacement(cropped, new double[0]);
      }
      anySpecial |= replacement[joins] != null;
      boolean all = q > 1 - ROUNDING;
      if (all) {
        epochs.add(joins);
        takesAll.add(true);
        last = 1;
      } else {
        double factor = StrictMath.pow(1 - q, -1.0 / replicas);
        if (last * factor > LAST_Y && last > 1) {
          epochs.add(joins);
          takesAll.add(false);
          last = 1;
        }
        last *= factor;
      }
      member[joins] = joining;
      time[joins] = at;
      y[joins++] = last;
    }

    /** Null where nothing joined. */
    Joins build() {
      return joins == 0 ? null : new Joins(this, replicas);
    }
  }
}
