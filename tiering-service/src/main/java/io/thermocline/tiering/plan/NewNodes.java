// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.plan;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.cluster.QuotaCharge;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.Gate;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.Target;
import io.thermocline.tiering.observe.FileView;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Which blocks belong on storages that are emptier than others of their type, such as those of a DataNode that
 * joined: those that SUORA's number lines send there. So each storage gets its share, no block goes from one old
 * storage to another, and what was moved isn't moved again. Immutable.
 *
 * <p>Source: SUORA, section 3.4.2. There a key moves when a number of its sequence hits a new segment before the
 * segment where it lies. HDFS doesn't place by the sequence of the block, so here a block with r copies on a type
 * moves one to each new storage among its first r.
 */
public final class NewNodes {

  /** Where nothing is to be filled. */
  public static final NewNodes NONE =
      new NewNodes(NumberLines.empty(), Map.of(), Map.of(), Map.of());

  /** Of the average of its type: what is emptier is filled, up to the average. */
  private static final double FULL_ENOUGH = 0.9;

  private final NumberLines lines;
  private final Map<StorageType, Double> averages;
  private final Map<String, String> nodes;
  private final Map<String, Emptier> emptier;

  private record Emptier(StorageType type, String node, double fullness) {}

  private NewNodes(
      NumberLines lines,
      Map<StorageType, Double> averages,
      Map<String, String> nodes,
      Map<String, Emptier> emptier) {
    this.lines = lines;
    this.averages = averages;
    this.nodes = nodes;
    this.emptier = emptier;
  }

  /** Of a cluster as it is shown. */
  public static NewNodes of(ClusterView cluster, NumberLines lines) {
    Map<StorageType, Double> averages = new EnumMap<>(StorageType.class);
    cluster.occupancy().forEach((type, occupancy) -> averages.put(type, occupancy.fraction()));
    Map<String, String> nodes = new HashMap<>();
    Map<String, Emptier> emptier = new HashMap<>();
    for (ClusterView.Node node : cluster.nodes().values()) {
      for (ClusterView.Storage storage : node.storages()) {
        nodes.put(storage.id(), storage.node());
        double fullness =
            storage.capacity() == 0 ? 1 : (double) storage.used() / storage.capacity();
        if (storage.type().isMovable() && fullness < FULL_ENOUGH * averages.get(storage.type())) {
          emptier.put(storage.id(), new Emptier(storage.type(), node.name(), fullness));
        }
      }
    }
    return new NewNodes(lines, averages, nodes, emptier);
  }

  /** The block's homes, of its types that have storages to be filled: a copy that lies on one stays. */
  List<String> homes(FileView.Block block) {
    if (emptier.isEmpty()) {
      return List.of();
    }
    Map<StorageType, Integer> copies = new EnumMap<>(StorageType.class);
    block.replicas().forEach(replica -> copies.merge(replica.type(), 1, Integer::sum));
    List<String> homes = new ArrayList<>();
    copies.forEach(
        (type, count) -> {
          if (emptier.values().stream().anyMatch(each -> each.type() == type)) {
            homes.addAll(lines.homes(type, block.id(), count, nodes));
          }
        });
    return homes;
  }

  /** Whether a copy of the block should go to one of its homes. */
  boolean isMissing(String home, FileView.Block block) {
    return emptier.containsKey(home)
        && block.replicas().stream().noneMatch(copy -> copy.node().equals(nodes.get(home)));
  }

  /** Whether a copy of one of the file's blocks should go to such a storage. Erasure-coded files stay. */
  public boolean concerns(FileView file) {
    return !emptier.isEmpty()
        && !file.isErasureCoded()
        && file.blocks().stream()
            .anyMatch(block -> homes(block).stream().anyMatch(home -> isMissing(home, block)));
  }

  /**
   * What is to become of a file; empty where none of its blocks belongs elsewhere. Its storage policy stays.
   */
  public Optional<Decision> decision(HotFile hot) {
    FileView file = hot.file();
    Map<String, Integer> blocks = new LinkedHashMap<>();
    file.blocks().stream()
        .flatMap(block -> homes(block).stream().filter(home -> isMissing(home, block)))
        .forEach(home -> blocks.merge(home, 1, Integer::sum));
    if (blocks.isEmpty()) {
      return Optional.empty();
    }
    String home = blocks.keySet().iterator().next();
    Emptier storage = emptier.get(home);
    Target target =
        new Target(file.blocks().get(0).types(), QuotaCharge.policyName(file.storagePolicy()));
    return Optional.of(
        new Decision(
            hot,
            target.lead(),
            target,
            Decision.Cause.TO_NEW_NODE,
            String.format(
                Locale.ROOT,
                "%s of %s is %.1f %% full, %s on average %.1f %%: %d of its %d blocks belong there%s"
                    + " (decide.fillNewNodes)",
                storage.type(),
                storage.node(),
                100 * storage.fullness(),
                storage.type(),
                100 * averages.get(storage.type()),
                blocks.get(home),
                file.blocks().size(),
                blocks.size() == 1
                    ? ""
                    : ", others on " + (blocks.size() - 1) + " more storages like it"),
            new Gate.Benefit(Double.NaN, Double.NaN, Double.NaN)));
  }
}
