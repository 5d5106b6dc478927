// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.records;

import io.thermocline.tiering.act.MoveState;
import io.thermocline.tiering.api.PlanResource;
import io.thermocline.tiering.plan.Move;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** The last moves with their states. Thread-safe. */
public final class RecentMoves {

  private static final int MOST = 10_000;

  private final Clock clock;
  private final UnaryOperator<String> hosts;
  private final Map<String, PlanResource.MoveState> moves =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, PlanResource.MoveState> eldest) {
          return size() > MOST;
        }
      };

  /**
   * @param hosts of a DataNode by its UUID, for people
   */
  public RecentMoves(Clock clock, UnaryOperator<String> hosts) {
    this.clock = clock;
    this.hosts = hosts;
  }

  public void changed(Move move, MoveState state, String detail) {
    // A host that isn't known yet is asked of the NameNode.
    String from = hosts.apply(move.source().node()) + " " + move.source().type();
    String to = hosts.apply(move.targetNode()) + " " + move.targetType();
    put(
        new PlanResource.MoveState(
            move.id(),
            state.name(),
            move.path(),
            move.block().id(),
            from,
            to,
            move.bytes(),
            clock.instant(),
            detail));
  }

  private synchronized void put(PlanResource.MoveState move) {
    moves.put(move.id(), move);
  }

  /** Newest first. */
  public synchronized List<PlanResource.MoveState> all() {
    List<PlanResource.MoveState> all = new ArrayList<>(moves.values());
    Collections.reverse(all);
    return all;
  }
}
