// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.plan;

import io.thermocline.placement.model.StorageType;
import io.thermocline.placement.suora.Wear;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What a plan has asked for so far, against what it may: moves, bytes, and writes to types that wear. */
final class Spending {

  private static final String SPENT = "the plan's budget is spent";

  private final Budget budget;
  private final Map<StorageType, Wear> wear;
  private final Map<StorageType, Long> writes = new EnumMap<>(StorageType.class);
  private int moves;
  private long bytes;

  Spending(Budget budget, Map<StorageType, Wear> wear) {
    this.budget = budget;
    this.wear = wear;
  }

  int moves() {
    return moves;
  }

  /** Why these moves can't all be asked for besides what was; null where they can. */
  String objection(List<Move> more) {
    if (isSpent(more.size(), bytes(more))) {
      return SPENT;
    }
    for (Map.Entry<StorageType, Wear> type : wear.entrySet()) {
      if (writes(type.getKey(), more) > 0
          && writes.getOrDefault(type.getKey(), 0L) + writes(type.getKey(), more)
              > type.getValue().leftBytes()) {
        return type.getKey()
            + " may not be written more today: "
            + type.getValue()
            + " are, and this plan's";
      }
    }
    return null;
  }

  /** The same of an action: what DataNodes copy for it, into memory or as replicas. */
  String objection(ActionChange change) {
    if (change.copies() > budget.moves() || change.bytes() > budget.bytes()) {
      return change.copies()
          + " copies of "
          + change.bytes()
          + " bytes in all are more than any plan makes";
    }
    return isSpent(change.copies(), change.bytes()) ? SPENT : null;
  }

  private boolean isSpent(int moreMoves, long moreBytes) {
    return moreMoves > 0
        && (moves + moreMoves > budget.moves() || bytes + moreBytes > budget.bytes());
  }

  void spend(ActionChange change) {
    moves += change.copies();
    bytes += change.bytes();
  }

  /** Whether no plan of this budget could ask for all of them. */
  boolean isTooMuchForAnyPlan(List<Move> all) {
    return all.size() > budget.moves()
        || bytes(all) > budget.bytes()
        || wear.entrySet().stream()
            .anyMatch(type -> writes(type.getKey(), all) > type.getValue().budgetBytes());
  }

  void spend(List<Move> more) {
    moves += more.size();
    bytes += bytes(more);
    more.forEach(move -> writes.merge(move.targetType(), move.bytes(), Long::sum));
  }

  static long bytes(List<Move> moves) {
    return moves.stream().mapToLong(Move::bytes).sum();
  }

  private static long writes(StorageType type, List<Move> moves) {
    return bytes(moves.stream().filter(move -> move.targetType() == type).toList());
  }
}
