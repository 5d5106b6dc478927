// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.readorder.ReadShares;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * All that decisions depend on besides the files.
 *
 * @param thresholds learned ones: seconds of disk time a GB below which data isn't promoted into the type, beside the configured
 *     {@link TierLimits#threshold}; none of a type that isn't there
 * @param caps that hold
 * @param holds by path: what must not be moved
 * @param current the actions that are up
 * @param reads which type serves the reads of a file
 */
public record Situation(
    ClusterView cluster,
    Map<StorageType, Double> thresholds,
    List<Cap> caps,
    Function<String, Hold> holds,
    CurrentActions current,
    ReadShares reads) {

  /** Where readers take the fastest copy. */
  public Situation(
      ClusterView cluster,
      Map<StorageType, Double> thresholds,
      List<Cap> caps,
      Function<String, Hold> holds,
      CurrentActions current) {
    this(cluster, thresholds, caps, holds, current, ReadShares.fastest());
  }

  /** Where no action is up, nor can be. */
  public Situation(
      ClusterView cluster,
      Map<StorageType, Double> thresholds,
      List<Cap> caps,
      Function<String, Hold> holds) {
    this(cluster, thresholds, caps, holds, CurrentActions.NOTHING);
  }

  /** A cluster on which nothing is learned, capped or held. */
  public static Situation of(ClusterView cluster) {
    return new Situation(cluster, Map.of(), List.of(), path -> Hold.NONE);
  }

  /** The same, with files held still whose action is up or chosen. */
  Situation still(Predicate<String> isStill) {
    return new Situation(
        cluster,
        thresholds,
        caps,
        path ->
            isStill.test(path)
                ? Hold.still("it is cached, or has more replicas: its copies stay meanwhile")
                : holds.apply(path),
        current,
        reads);
  }
}
