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

/** The last moves with their states. Thread-safe. */
public final class RecentMoves {

  private static final int MOST = 10_000;

  private final Clock clock;
  private final Map<String, PlanResource.MoveState> moves =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, PlanResource.MoveState> eldest) {
          return size() > MOST;
        }
      };

  public RecentMoves(Clock clock) {
    this.clock = clock;
  }

  public synchronized void changed(Move move, MoveState state, String detail) {
    moves.put(
        move.id(),
        new PlanResource.MoveState(
            move.id(),
            state.name(),
            move.path(),
            move.block().id(),
            move.source().node() + " " + move.source().type(),
            move.targetNode() + " " + move.targetType(),
            move.bytes(),
            clock.instant(),
            detail));
  }

  /** Newest first. */
  public synchronized List<PlanResource.MoveState> all() {
    List<PlanResource.MoveState> all = new ArrayList<>(moves.values());
    Collections.reverse(all);
    return all;
  }
}
