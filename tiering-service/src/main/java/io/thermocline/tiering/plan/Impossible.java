// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.plan;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.decide.Decision;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Decisions that no plan can carry out while the cluster has the DataNodes that it has. One thread. */
public final class Impossible {

  private static final String WORD = "impossible: ";

  private Map<String, String> since = Map.of();
  private boolean hasLooked;

  /** Why there is no place for a decision on any DataNode, however much room there is; empty where there may be. */
  static Optional<String> reason(Decision decision, ClusterView cluster) {
    if (decision.hot().file().isErasureCoded()) {
      return Optional.empty();
    }
    for (StorageType type : List.copyOf(cluster.occupancy().keySet())) {
      long wanted = decision.target().count(type);
      long nodes =
          cluster.nodes().values().stream().filter(node -> !node.storages(type).isEmpty()).count();
      if (wanted > nodes) {
        return Optional.of(
            WORD
                + wanted
                + " copies go to "
                + type
                + ", each to another DataNode, and "
                + nodes
                + (nodes == 1 ? " DataNode has" : " DataNodes have")
                + " that type");
      }
    }
    return Optional.empty();
  }

  /** The plan, with since when its impossible decisions have been so. What was before the first plan isn't known. */
  public Plan since(Plan plan, Instant now) {
    String begin =
        hasLooked
            ? "since " + now
            : "at least since " + now + ", the first plan after the service's start";
    hasLooked = true;
    Map<String, String> still = new HashMap<>();
    List<Plan.Unplaced> unplaced =
        plan.unplaced().stream()
            .map(
                one -> {
                  if (!one.reason().startsWith(WORD)) {
                    return one;
                  }
                  String path = one.decision().hot().file().path();
                  String first = since.getOrDefault(path, begin);
                  still.put(path, first);
                  return new Plan.Unplaced(one.decision(), one.reason() + ", " + first);
                })
            .toList();
    since = still;
    return still.isEmpty() ? plan : plan.withUnplaced(unplaced);
  }
}
