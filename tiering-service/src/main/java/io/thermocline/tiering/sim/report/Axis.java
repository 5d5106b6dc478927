// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.report;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The horizontal axis of a chart.
 *
 * @param labels from left to right, at least one
 * @param places of the labels, ascending from 0 to 1
 */
public record Axis(List<String> labels, List<Double> places) {
  public Axis {
    labels = List.copyOf(labels);
    places = List.copyOf(places);
  }

  /** Labels at equal distances. */
  public static Axis even(List<String> labels) {
    return new Axis(
        labels,
        IntStream.range(0, labels.size()).mapToObj(i -> place(i, 0, labels.size() - 1)).toList());
  }

  /** Sizes in bytes on a logarithmic axis, ascending. */
  static Axis ofSizes(List<Long> sizes) {
    double first = log(sizes.get(0));
    double last = log(sizes.get(sizes.size() - 1));
    return new Axis(
        sizes.stream().map(Quantities::bytes).toList(),
        sizes.stream().map(size -> place(log(size), first, last)).toList());
  }

  private static double log(long size) {
    return Math.log(Math.max(1, size));
  }

  private static double place(double value, double first, double last) {
    return last == first ? 0.5 : (value - first) / (last - first);
  }
}
