// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.cluster.ClusterView;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * All that decisions depend on besides the files.
 *
 * @param thresholds learned ones: reads a GB below which data isn't promoted into the type, beside the configured
 *     {@link TierLimits#threshold}; none of a type that isn't there
 * @param caps that hold
 * @param holds by path: what must not be moved
 */
public record Situation(
    ClusterView cluster,
    Map<StorageType, Double> thresholds,
    List<Cap> caps,
    Function<String, Hold> holds) {

  /** A cluster on which nothing is learned, capped or held. */
  public static Situation of(ClusterView cluster) {
    return new Situation(cluster, Map.of(), List.of(), path -> Hold.NONE);
  }
}
