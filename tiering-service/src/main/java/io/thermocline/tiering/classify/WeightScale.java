// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.classify;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * From weights as they were observed to those that the library's thresholds are about: the same, or fitted to the
 * space of the pools. Immutable.
 */
public final class WeightScale {

  /*
   * "A set of thresholds based on the storage space of each pool are used to partition the chunks" (section 3.3.2). The
   * figures of figure 3.5, 300 and 10 IOPS, are those of one array. Fitted, the chunk at which a pool would be full (times
   * fill), the heaviest chunks going in first, has by definition the threshold of that pool. Between two such points, and
   * beyond them, weights follow the power law through them, so that the order of chunks and the proportions that the
   * library has between its thresholds stay.
   */
  private record Point(double weight, double threshold) {}

  /** As observed. */
  public static final WeightScale AS_OBSERVED = new WeightScale(List.of());

  private final List<Point> points;

  private WeightScale(List<Point> points) {
    this.points = points;
  }

  /**
   * Fits the library's thresholds, or doesn't where it says so.
   *
   * @param space bytes that each pool may hold
   */
  public static WeightScale of(
      HierarchicalClassifier classifier, List<ChunkActivity> chunks, Map<String, Long> space) {
    PatternLibrary library = classifier.library();
    if (library.fit().isEmpty()) {
      return AS_OBSERVED;
    }
    record Weighed(double weight, long bytes) {}
    List<Weighed> heaviestFirst =
        chunks.stream()
            .map(one -> new Weighed(classifier.weight(one, 1), one.chunk().bytes()))
            .filter(one -> one.weight() > 0)
            .sorted(Comparator.comparingDouble(Weighed::weight).reversed())
            .toList();
    List<Point> points = new ArrayList<>();
    double total = 0;
    for (String pool : library.pools()) {
      total += space.getOrDefault(pool, 0L);
      PatternLibrary.Anchor anchor = library.fit().get().anchors().get(pool);
      if (anchor == null || heaviestFirst.isEmpty()) {
        continue;
      }
      double limit = anchor.fill() * total;
      double weight = 0;
      double held = 0;
      for (Weighed one : heaviestFirst) {
        held += one.bytes();
        if (held > limit) {
          break;
        }
        weight = one.weight();
      }
      // Where not even one fits, what is as heavy as the heaviest is just below.
      weight = weight > 0 ? weight : Math.nextUp(heaviestFirst.get(0).weight());
      if (points.isEmpty() || weight < points.get(points.size() - 1).weight()) {
        points.add(new Point(weight, anchor.threshold()));
      }
    }
    return new WeightScale(List.copyOf(points));
  }

  /** The weight that thresholds are compared with; grows with the observed one. */
  public double of(double weight) {
    if (points.isEmpty() || weight <= 0) {
      return weight;
    }
    if (points.size() == 1) {
      return weight / points.get(0).weight() * points.get(0).threshold();
    }
    // Heaviest first: the first pair that reaches down to it, or the last.
    int low = 1;
    while (low < points.size() - 1 && weight < points.get(low).weight()) {
      low++;
    }
    Point above = points.get(low - 1);
    Point below = points.get(low);
    double exponent =
        Math.log(above.threshold() / below.threshold()) / Math.log(above.weight() / below.weight());
    double scaled = below.threshold() * Math.pow(weight / below.weight(), exponent);
    // At the points themselves rounding must not put a chunk on the wrong side.
    if (weight >= above.weight()) {
      return Math.max(scaled, above.threshold());
    }
    return weight >= below.weight()
        ? Math.min(Math.max(scaled, below.threshold()), Math.nextDown(above.threshold()))
        : Math.min(scaled, Math.nextDown(below.threshold()));
  }
}
