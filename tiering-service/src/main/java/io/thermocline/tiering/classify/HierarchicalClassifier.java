// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.classify;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Tells the pattern of a chunk, level by level (ChewAnalyzer, section 3.3.2, figure 3.4): each level splits the
 * groups of the one above by one more dimension. Any number of levels. Immutable, pure.
 */
public final class HierarchicalClassifier {

  private final PatternLibrary library;

  /** Dimensions used up to each level. */
  private final List<Set<Dimension>> used = new ArrayList<>();

  public HierarchicalClassifier(PatternLibrary library) {
    this.library = library;
    Set<Dimension> sofar = EnumSet.noneOf(Dimension.class);
    for (Level level : library.levels()) {
      sofar.add(level.dimension());
      used.add(Set.copyOf(sofar));
    }
  }

  public PatternLibrary library() {
    return library;
  }

  /** h of algorithm 1. */
  public int depth() {
    return used.size();
  }

  /**
   * The weight of a chunk by all dimensions from level 1 to this one (equation 3.4), a second, of as many bytes as
   * the library's reference has: files are of all sizes, and what a byte of a fast pool brings decides.
   *
   * @param level from 1
   */
  public double weight(ChunkActivity activity, int level) {
    return weightOn(library.weighedOn(), activity, level);
  }

  /** The same, with the weights of this pool. */
  public double weightOn(String pool, ChunkActivity activity, int level) {
    double weight =
        library.weights().get(pool).of(activity, used.get(level - 1), library.requestBytes());
    return weight / activity.chunk().bytes() * library.referenceBytes();
  }

  /**
   * The pattern of a chunk by the first levels. Near a threshold it is that which leaves the chunk in its pool: within
   * the library's margin both are as good, and moving costs.
   *
   * @param levels how many, at least 1
   * @param now the pool where it is, or empty for a new one
   */
  public Classified classify(
      ChunkActivity activity, int levels, WeightScale scale, Optional<String> now) {
    return withMargin(activity, levels, scale, now).classified();
  }

  /**
   * What each level made of a chunk on its way to the pattern that {@link #classify} gives it, from the first.
   */
  public List<Step> path(
      ChunkActivity activity, int levels, WeightScale scale, Optional<String> now) {
    double margin = withMargin(activity, levels, scale, now).margin();
    List<Step> steps = new ArrayList<>();
    for (int k = 1; k <= levels; k++) {
      Dimension dimension = library.levels().get(k - 1).dimension();
      double weight = weight(activity, k);
      steps.add(
          new Step(
              dimension,
              dimension.of(activity),
              weight,
              margin * scale.of(weight),
              classify(activity, k, scale, margin)));
    }
    return List.copyOf(steps);
  }

  /**
   * One level, and a chunk.
   *
   * @param measure of the level's dimension, as {@link Dimension#of}
   * @param weight by all dimensions up to this one, a second
   * @param compared what thresholds are compared with: the weight fitted to the pools' space, and by the margin nearer to
   *     where the chunk is
   * @param after its pattern when this level was asked
   */
  public record Step(
      Dimension dimension, double measure, double weight, double compared, Classified after) {}

  private record Tried(Classified classified, double margin) {}

  private Tried withMargin(
      ChunkActivity activity, int levels, WeightScale scale, Optional<String> now) {
    Classified plain = classify(activity, levels, scale, 1);
    if (now.isPresent() && !now.get().equals(plain.group().pools().get(0))) {
      for (double margin : new double[] {1 + library.stay(), 1 / (1 + library.stay())}) {
        Classified near = classify(activity, levels, scale, margin);
        if (now.get().equals(near.group().pools().get(0))) {
          return new Tried(near, margin);
        }
      }
    }
    return new Tried(plain, 1);
  }

  private Classified classify(
      ChunkActivity activity, int levels, WeightScale scale, double margin) {
    PatternGroup group = null;
    int decidedBy = 0;
    Set<Dimension> skipped = EnumSet.noneOf(Dimension.class);
    for (int k = 1; k <= levels; k++) {
      Level level = library.levels().get(k - 1);
      if (group != null
          && level.skippedOnHdfs().contains(group.name())
          && !activity.source().hasRandomWrites()) {
        skipped.add(level.dimension());
        continue;
      }
      double weight = margin * scale.of(weight(activity, k));
      double share = level.dimension().of(activity);
      for (PatternGroup candidate : level.groups()) {
        boolean ofParent =
            candidate.of().isEmpty() || group != null && candidate.of().contains(group.name());
        if (ofParent && asksInVain(candidate, level.dimension(), activity)) {
          skipped.add(level.dimension());
        } else if (ofParent
            && candidate.weight().contains(weight)
            && candidate.share().contains(share)) {
          group = candidate;
          decidedBy = k;
          break;
        }
      }
    }
    return new Classified(activity, group, decidedBy, weight(activity, levels), skipped);
  }

  /** Whether it can't be said, for want of a source. */
  private static boolean asksInVain(
      PatternGroup group, Dimension dimension, ChunkActivity activity) {
    return dimension == Dimension.RANDOMNESS
        && !activity.source().sequentialityKnown()
        && activity.accesses().requests() > 0
        && !group.share().equals(Interval.ALL);
  }
}
