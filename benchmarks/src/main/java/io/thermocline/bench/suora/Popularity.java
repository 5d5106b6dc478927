// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.suora;

import io.thermocline.bench.papers.DevicePattern;
import java.util.Arrays;
import java.util.SplittableRandom;

/** How often each object is read, and one drawn accordingly. Immutable. */
final class Popularity {
  private final double[] cumulative;

  private Popularity(double[] weights, SplittableRandom order) {
    double[] shuffled = weights.clone();
    for (int i = shuffled.length - 1; i > 0; i--) {
      int other = order.nextInt(i + 1);
      double weight = shuffled[i];
      shuffled[i] = shuffled[other];
      shuffled[other] = weight;
    }
    Arrays.parallelPrefix(shuffled, Double::sum);
    cumulative = shuffled;
  }

  /**
   * As in table 5: the pattern's percentages of the objects in its classes, hotness evenly spread within a class. The
   * sum of all is the number of reads by which each object gets its hotness.
   */
  static Popularity of(DevicePattern pattern, int objects, long seed) {
    double[] weights = new double[objects];
    double end = 0;
    int object = 0;
    for (int c = 0; c < pattern.percent().length; c++) {
      end += pattern.percent()[c];
      int from = object;
      int to = (int) Math.round(Math.min(100, end) / 100 * objects);
      int least = pattern.hotness()[c][0];
      int most = pattern.hotness()[c][1];
      for (; object < to; object++) {
        weights[object] = least + (most - least) * (object - from + 0.5) / (to - from);
      }
    }
    return new Popularity(weights, new SplittableRandom(seed));
  }

  /**
   * Zipf within each file: its object of rank k is read in proportion to k^-exponent; exponent 0 is uniform.
   *
   * @param readsPerObject on average
   */
  static Popularity zipf(
      double exponent, int files, int objectsOfFile, double readsPerObject, long seed) {
    double[] ranks = new double[objectsOfFile];
    Arrays.setAll(ranks, rank -> Math.pow(rank + 1, -exponent));
    double reads = readsPerObject * objectsOfFile / Arrays.stream(ranks).sum();
    double[] weights = new double[files * objectsOfFile];
    Arrays.setAll(weights, object -> reads * ranks[object % objectsOfFile]);
    return new Popularity(weights, new SplittableRandom(seed));
  }

  int objects() {
    return cumulative.length;
  }

  /** Of all objects together. */
  long reads() {
    return Math.round(cumulative[cumulative.length - 1]);
  }

  int pick(SplittableRandom random) {
    double drawn = random.nextDouble() * cumulative[cumulative.length - 1];
    int found = Arrays.binarySearch(cumulative, drawn);
    // An object that nobody reads has the sum of the one before.
    int first = found < 0 ? -found - 1 : found + 1;
    return Math.min(first, cumulative.length - 1);
  }
}
