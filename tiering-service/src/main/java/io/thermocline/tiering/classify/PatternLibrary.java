// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.classify;

import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The Pattern-to-Pool library with the hierarchy of patterns and the weight table (ChewAnalyzer, section 3.3.2).
 * Immutable, and whole: every name that it uses it has.
 *
 * @param weights of each pool, by its name, in the order from the fastest to the slowest
 * @param levels the hierarchy, at least one level
 * @param weighedOn the pool whose weights the thresholds are about: the one that the patterns keep load from
 * @param requestBytes requests are split to this size before they are counted; 0 counts them as they came
 * @param referenceBytes the size of chunk that the thresholds are about: weights of others are taken for that many bytes
 * @param stay by how much, as a share, what is in a pool counts more there than what isn't
 * @param fit thresholds by the size of pools, or empty where they are as they stand
 */
public record PatternLibrary(
    Map<String, RequestWeights> weights,
    List<Level> levels,
    String weighedOn,
    long requestBytes,
    long referenceBytes,
    double stay,
    Optional<Fit> fit) {

  /**
   * Thresholds set by the space of pools (section 3.3.2): the load of the chunk at which a pool would be full counts as
   * the threshold given for it.
   *
   * @param anchors of pools, by name
   */
  public record Fit(Map<String, Anchor> anchors) {
    public Fit {
      anchors = copy(anchors);
      if (anchors.isEmpty()) {
        throw new IllegalArgumentException("thresholds are fitted to at least one pool");
      }
    }
  }

  /**
   * @param threshold of level 1, above which chunks are for this pool or a faster one
   * @param fill at how much of the space of these pools together: above 1, more want in than fit, so that the
   *     next level decides
   */
  public record Anchor(double threshold, double fill) {
    public Anchor {
      if (!(threshold > 0) || !(fill > 0)) {
        throw new IllegalArgumentException(
            "threshold " + threshold + ", fill " + fill + ": must be above 0");
      }
    }
  }

  public PatternLibrary {
    weights = copy(weights);
    levels = List.copyOf(levels);
    if (weights.size() < 2) {
      throw new IllegalArgumentException(
          "weights of " + weights.keySet() + ": of two pools at least");
    }
    requirePool(weights, weighedOn, "weighedOn");
    Set<String> above = new HashSet<>();
    if (levels.isEmpty()) {
      throw new IllegalArgumentException("no level");
    }
    for (Level level : levels) {
      Set<String> here = new HashSet<>();
      for (PatternGroup group : level.groups()) {
        for (String parent : group.of()) {
          if (!above.contains(parent)) {
            throw new IllegalArgumentException(
                "pattern " + group.name() + " is of '" + parent + "', which no level above has");
          }
        }
        for (String pool : group.pools()) {
          requirePool(weights, pool, "pattern " + group.name());
        }
        if (above.contains(group.name()) || !here.add(group.name())) {
          throw new IllegalArgumentException("pattern " + group.name() + " stands twice");
        }
      }
      for (String skipped : level.skippedOnHdfs()) {
        if (!above.contains(skipped)) {
          throw new IllegalArgumentException(
              "skippedOnHdfs names '" + skipped + "', which no level above has");
        }
      }
      above.addAll(here);
    }
    requireCover(levels.get(0));
    if (referenceBytes <= 0 || requestBytes < 0 || !(stay >= 0)) {
      throw new IllegalArgumentException(
          "reference %d, request %d, stay %s: out of range"
              .formatted(referenceBytes, requestBytes, stay));
    }
    if (fit.isPresent()) {
      for (String pool : fit.get().anchors().keySet()) {
        requirePool(weights, pool, "fit");
      }
    }
  }

  /** Names of the pools, the fastest first. */
  public List<String> pools() {
    return List.copyOf(weights.keySet());
  }

  /** The same with thresholds as they stand, or fitted. */
  public PatternLibrary withFit(Optional<Fit> other) {
    return new PatternLibrary(
        weights, levels, weighedOn, requestBytes, referenceBytes, stay, other);
  }

  /** Each chunk is of some pattern of the first level. */
  private static void requireCover(Level first) {
    double covered = 0;
    for (PatternGroup group :
        first.groups().stream()
            .sorted(Comparator.comparingDouble(group -> group.weight().from()))
            .toList()) {
      if (!group.of().isEmpty() || !group.share().equals(Interval.ALL)) {
        throw new IllegalArgumentException(
            "pattern " + group.name() + " of the first level may ask for a weight only");
      }
      if (group.weight().from() <= covered) {
        covered = Math.max(covered, group.weight().to());
      }
    }
    if (covered < Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException(
          "no pattern of the first level has chunks of weight " + covered);
    }
  }

  private static void requirePool(Map<String, ?> pools, String pool, String by) {
    if (!pools.containsKey(pool)) {
      throw new IllegalArgumentException(
          by
              + " names pool '"
              + pool
              + "', of which there are no weights; there are "
              + pools.keySet());
    }
  }

  private static <V> Map<String, V> copy(Map<String, V> map) {
    return Collections.unmodifiableMap(new LinkedHashMap<>(map));
  }
}
