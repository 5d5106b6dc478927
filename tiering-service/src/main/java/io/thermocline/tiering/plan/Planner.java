// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.plan;

import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.observe.FileView;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Turns decisions into moves of replicas to exact DataNodes. Pure: the same decisions on the same
 * snapshot give the same plan.
 *
 * <p>A file's moves are planned whole or not at all, in the order of the decisions, until the budget is
 * spent; what does not fit comes back with the next snapshot.
 */
public final class Planner {

  private final Budget budget;

  public Planner(Budget budget) {
    this.budget = budget;
  }

  public Plan plan(long number, List<Decision> decisions, ClusterView cluster, NumberLines lines) {
    List<Plan.FileMoves> files = new ArrayList<>();
    List<Plan.Unplaced> unplaced = new ArrayList<>();
    Room room = new Room(cluster, budget.fill());
    int moves = 0;
    long bytes = 0;
    for (Decision decision : decisions) {
      List<Move> ofFile = new ArrayList<>();
      String missing = place(decision, number + "-" + moves, room, lines, ofFile);
      long fileBytes = ofFile.stream().mapToLong(Move::bytes).sum();
      if (missing == null) {
        missing = overBudget(moves, bytes, ofFile.size(), fileBytes);
      }
      if (missing != null) {
        ofFile.forEach(room::release);
        unplaced.add(new Plan.Unplaced(decision, missing));
      } else if (!ofFile.isEmpty()) {
        files.add(new Plan.FileMoves(decision, decision.target().storagePolicy(), ofFile));
        moves += ofFile.size();
        bytes += fileBytes;
      }
    }
    return new Plan(number, files, unplaced);
  }

  private String overBudget(int moves, long bytes, int fileMoves, long fileBytes) {
    if (fileMoves > budget.moves() || fileBytes > budget.bytes()) {
      return String.format(
          Locale.ROOT,
          "its %d moves of %d bytes are more than any plan may make: raise perPlan",
          fileMoves,
          fileBytes);
    }
    boolean spent = moves + fileMoves > budget.moves() || bytes + fileBytes > budget.bytes();
    return spent ? "the plan's budget is spent" : null;
  }

  /** Adds the moves of a file, and tells why there is none for some block, or null. */
  private static String place(
      Decision decision, String idPrefix, Room room, NumberLines lines, List<Move> moves) {
    FileView file = decision.hot().file();
    for (FileView.Block block : file.blocks()) {
      BlockLayout layout = new BlockLayout(file, block, room, lines, idPrefix);
      if (!layout.arrange(decision.target(), moves)) {
        return layout.obstacle();
      }
    }
    return null;
  }
}
