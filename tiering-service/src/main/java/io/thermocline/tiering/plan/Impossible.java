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
import java.util.function.Consumer;

/** Decisions that no plan can carry out while the cluster has the DataNodes that it has. One thread. */
public final class Impossible {

  private static final String WORD = "impossible: ";

  private final Consumer<Map<String, String>> changed;
  private Map<String, String> since;
  private boolean hasLooked;

  /** That remembers nothing of an earlier start, and keeps nothing for a later one. */
  public Impossible() {
    this(Optional.empty(), kept -> {});
  }

  /**
   * @param before what was kept of the plan before; empty where nothing was
   * @param changed is given, by path, since when its decision has been impossible, whenever that changed
   */
  public Impossible(Optional<Map<String, String>> before, Consumer<Map<String, String>> changed) {
    this.since = before.orElse(Map.of());
    this.hasLooked = before.isPresent();
    this.changed = changed;
  }

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
        hasLooked ? "since " + now : "at least since " + now + ", the service's first plan";
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
    if (!hasLooked || !still.equals(since)) {
      changed.accept(Map.copyOf(still));
    }
    hasLooked = true;
    since = still;
    return still.isEmpty() ? plan : plan.withUnplaced(unplaced);
  }
}
