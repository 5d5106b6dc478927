// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The thresholds v_0 = 0 to v_(m-1) of SUORA's buckets (section 3.1.3), slowest first, in cooled reads,
 * each with where it comes from. Immutable.
 */
public final class BucketThresholds {

  /*
   * The paper tunes thresholds by the accesses of the previous time window (section 4.3) and sets them in
   * its experiments to the steps of the pattern. Here a bucket and those above it get as much of the data
   * as their capacity has room for: v_i is the lowest heat such that what is at least as hot fits into buckets
   * i to m - 1. Never-read data stay in b_0 whatever room there is above.
   *
   * Hysteresis: a threshold stays while what it lets in is within the tolerance of what has room, or of what a fresh
   * one would let in where that is less, and changes at once where it isn't. So it moves only when data would have to move for it anyway, and a refit of what was
   * just fitted changes nothing.
   */

  /**
   * One bucket's threshold.
   *
   * @param heat data less hot don't belong into the bucket
   * @param share of all data that are at least as hot, when it was fitted
   * @param room share of all data that fits into this bucket and those above; NaN for a fixed one
   */
  public record Threshold(double heat, double share, double room) {
    /** In words. */
    public String reason() {
      return Double.isNaN(room)
          ? String.format(Locale.ROOT, "%.2f reads, fixed", heat)
          : String.format(
              Locale.ROOT,
              "%.2f reads: %.1f %% of the data are as hot, %.1f %% have room",
              heat,
              100 * share,
              100 * room);
    }
  }

  private final List<Threshold> thresholds;

  private BucketThresholds(List<Threshold> thresholds) {
    this.thresholds = List.copyOf(thresholds);
  }

  /** As an administrator sets them: ascending, the first 0. */
  public static BucketThresholds fixed(double... heats) {
    for (int i = 0; i < heats.length; i++) {
      if (i == 0 ? heats[i] != 0 : !(heats[i] > heats[i - 1])) {
        throw new IllegalArgumentException(
            "thresholds " + Arrays.toString(heats) + ": expected 0 and then larger ones");
      }
    }
    return new BucketThresholds(
        Arrays.stream(heats)
            .mapToObj(heat -> new Threshold(heat, Double.NaN, Double.NaN))
            .toList());
  }

  /**
   * Thresholds that follow the data.
   *
   * @param room bytes that each bucket may hold, slowest first, counted as the distribution counts them
   */
  public static BucketThresholds fit(HeatDistribution distribution, long[] room) {
    Threshold[] fitted = new Threshold[room.length];
    for (int i = 0; i < room.length; i++) {
      fitted[i] = fit(distribution, room, i);
    }
    return ascending(distribution, fitted);
  }

  /**
   * The same, but keeps each of these thresholds that is still good enough.
   *
   * @param tolerance by how much of the room the data that a threshold lets in may be more, and by how much of what
   *     a fresh one lets in it may be less: 0.1 is 10 %
   */
  public BucketThresholds refit(HeatDistribution distribution, long[] room, double tolerance) {
    if (room.length != thresholds.size()) {
      return fit(distribution, room);
    }
    Threshold[] fitted = new Threshold[room.length];
    for (int i = 0; i < room.length; i++) {
      Threshold fresh = fit(distribution, room, i);
      double old = thresholds.get(i).heat;
      double share = share(distribution, old);
      // What a fresh fit lets in may be far less than there is room for, where many are equally
      // hot, or few are read at all.
      boolean keeps =
          share <= fresh.room * (1 + tolerance) && share >= fresh.share * (1 - tolerance);
      fitted[i] = keeps ? new Threshold(old, share, fresh.room) : fresh;
    }
    return ascending(distribution, fitted);
  }

  private static Threshold fit(HeatDistribution distribution, long[] room, int bucket) {
    double above = 0;
    for (int i = bucket; i < room.length; i++) {
      above += room[i];
    }
    double share = distribution.total() == 0 ? 1 : above / distribution.total();
    if (bucket == 0) {
      return new Threshold(0, 1, share);
    }
    double heat = distribution.quantile(above);
    return new Threshold(heat, share(distribution, heat), share);
  }

  private static double share(HeatDistribution distribution, double heat) {
    return distribution.total() == 0
        ? 0
        : (double) distribution.atLeast(heat) / distribution.total();
  }

  /** A bucket above never asks for less than the one below it. */
  private static BucketThresholds ascending(HeatDistribution distribution, Threshold[] fitted) {
    for (int i = 1; i < fitted.length; i++) {
      if (fitted[i].heat < fitted[i - 1].heat) {
        double heat = fitted[i - 1].heat;
        fitted[i] = new Threshold(heat, share(distribution, heat), fitted[i].room);
      }
    }
    return new BucketThresholds(List.of(fitted));
  }

  /** Of each bucket, slowest first. */
  public List<Threshold> all() {
    return thresholds;
  }

  /** As {@link HotnessTable#bucket} takes them. */
  public double[] heats() {
    return thresholds.stream().mapToDouble(Threshold::heat).toArray();
  }
}
