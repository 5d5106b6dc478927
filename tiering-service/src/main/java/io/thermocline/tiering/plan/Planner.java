// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.plan;

import io.thermocline.placement.model.StorageType;
import io.thermocline.placement.suora.Wear;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.readorder.ReadShares;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Turns decisions into moves of replicas to exact DataNodes. Pure: the same decisions on the same
 * snapshot give the same plan.
 *
 * <p>A file's moves are planned whole or not at all, in the order of the decisions, until the budget is
 * spent; what does not fit comes back with the next snapshot. A file that no plan could move whole goes block
 * by block over several: its policy is set first, and until all its blocks are there it counts as where it was.
 */
public final class Planner {

  private final Budget configured;

  public Planner(Budget budget) {
    this.configured = budget;
  }

  /** Plans where no storage type wears. */
  public Plan plan(long number, List<Decision> decisions, ClusterView cluster, NumberLines lines) {
    return plan(number, decisions, cluster, lines, Map.of(), ReadShares.fastest());
  }

  /**
   * @param wear of a day, of the storage types that have such a budget
   * @param reads which replica serves the reads: the fast copy comes near the readers
   */
  public Plan plan(
      long number,
      List<Decision> decisions,
      ClusterView cluster,
      NumberLines lines,
      Map<StorageType, Wear> wear,
      ReadShares reads) {
    List<Plan.FileMoves> files = new ArrayList<>();
    List<Plan.Unplaced> unplaced = new ArrayList<>();
    Budget budget = configured.in(cluster.nodes().size());
    Room room = new Room(cluster, budget.fill());
    Spending spending = new Spending(budget, wear);
    NewNodes newNodes = NewNodes.of(cluster, lines);
    List<ActionChange> actions = new ArrayList<>();
    for (Decision decision : decisions) {
      if (decision.cause().isAction()) {
        ActionChange change = new ActionChange(decision);
        String objection = spending.objection(change);
        objection = objection == null ? Replicating.objection(change, room, lines) : objection;
        if (objection == null) {
          spending.spend(change);
          actions.add(change);
        } else {
          unplaced.add(new Plan.Unplaced(decision, objection));
        }
        continue;
      }
      boolean isWithinType = decision.cause() == Decision.Cause.TO_NEW_NODE;
      List<Move> all = new ArrayList<>();
      String missing =
          Impossible.reason(decision, cluster)
              .orElseGet(
                  () ->
                      isWithinType
                          ? settle(decision, number + "-" + spending.moves(), room, newNodes, all)
                          : place(
                              decision, number + "-" + spending.moves(), room, lines, reads, all));
      List<Move> taken = missing == null ? all : List.of();
      if (missing == null && spending.objection(all) != null) {
        boolean byBlocks = spending.isTooMuchForAnyPlan(all);
        taken = byBlocks ? wholeBlocks(all, spending) : List.of();
        missing = byBlocks ? later(all, taken) : spending.objection(all);
      }
      all.subList(taken.size(), all.size()).forEach(room::release);
      // What the budget leaves over is found again: it waits for nothing.
      if (missing != null && !isWithinType) {
        unplaced.add(new Plan.Unplaced(decision, missing));
      }
      if (!taken.isEmpty()) {
        String policy = isWithinType ? null : decision.target().storagePolicy();
        files.add(new Plan.FileMoves(decision, policy, taken));
        spending.spend(taken);
      }
    }
    return new Plan(number, files, actions, unplaced);
  }

  private static String later(List<Move> all, List<Move> taken) {
    return String.format(
        Locale.ROOT,
        "its %d moves of %d bytes are more than any plan makes: %d of them now, the rest with later"
            + " plans",
        all.size(),
        Spending.bytes(all),
        taken.size());
  }

  /** The first moves that can still be asked for, up to the end of a block. */
  private static List<Move> wholeBlocks(List<Move> all, Spending spending) {
    int fits = 0;
    for (int end = 1; end <= all.size(); end++) {
      boolean endsBlock =
          end == all.size() || all.get(end).block().id() != all.get(end - 1).block().id();
      if (endsBlock) {
        if (spending.objection(all.subList(0, end)) != null) {
          break;
        }
        fits = end;
      }
    }
    return all.subList(0, fits);
  }

  /** Adds the moves of a file, and tells why there is none for some block, or null. */
  private static String place(
      Decision decision,
      String idPrefix,
      Room room,
      NumberLines lines,
      ReadShares reads,
      List<Move> moves) {
    FileView file = decision.hot().file();
    Map<Long, BlockGroup> groups = new HashMap<>();
    for (FileView.Block block : file.blocks()) {
      groups
          .computeIfAbsent(group(file, block), first -> new BlockGroup(file.isErasureCoded()))
          .add(block.replicas());
    }
    for (FileView.Block block : file.blocks()) {
      BlockLayout layout =
          new BlockLayout(
              file, block, groups.get(group(file, block)), room, lines, reads, idPrefix);
      if (!layout.arrange(decision.target(), moves)) {
        return layout.obstacle();
      }
    }
    return null;
  }

  /** Adds the moves of a file to emptier storages of the same types; what can't go there stays. */
  private static String settle(
      Decision decision, String idPrefix, Room room, NewNodes nodes, List<Move> moves) {
    FileView file = decision.hot().file();
    for (FileView.Block block : file.blocks()) {
      BlockGroup group = new BlockGroup(false);
      group.add(block.replicas());
      new BlockLayout(file, block, group, room, NumberLines.empty(), ReadShares.fastest(), idPrefix)
          .settle(nodes, moves);
    }
    return null;
  }

  private static long group(FileView file, FileView.Block block) {
    return file.isErasureCoded() ? block.group() : block.id();
  }
}
