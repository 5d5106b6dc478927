// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.classify;

import java.util.List;
import java.util.Set;

/**
 * One level of the hierarchical classifier: a taxonomy rule on one dimension.
 *
 * @param dimension whose factor joins the weight from here on, and whose share groups may ask for
 * @param groups in the order in which they are tried; a chunk that is of none stays what it was
 * @param skippedOnHdfs groups that this level leaves as they are where they come from HDFS, because
 *     what tells their parts apart are random writes
 */
public record Level(Dimension dimension, List<PatternGroup> groups, Set<String> skippedOnHdfs) {

  public Level {
    groups = List.copyOf(groups);
    skippedOnHdfs = Set.copyOf(skippedOnHdfs);
    if (groups.isEmpty()) {
      throw new IllegalArgumentException("a level by " + dimension + " has no pattern");
    }
  }
}
