// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.classify;

import java.util.Set;

/**
 * A chunk with its pattern.
 *
 * @param level of the classifier that gave it the pattern, from 1
 * @param weight of the levels asked, as {@link HierarchicalClassifier#weight}
 * @param skipped dimensions whose rule was left out for this chunk, because its source doesn't tell
 */
public record Classified(
    ChunkActivity activity, PatternGroup group, int level, double weight, Set<Dimension> skipped) {

  public Classified {
    skipped = Set.copyOf(skipped);
  }
}
