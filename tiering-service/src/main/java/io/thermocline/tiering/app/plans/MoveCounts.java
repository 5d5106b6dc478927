// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.plans;

import io.thermocline.tiering.act.MoveState;
import io.thermocline.tiering.api.Tasks;
import io.thermocline.tiering.plan.Move;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/** How many moves are in which state, and the bytes that were moved. Thread-safe. */
public final class MoveCounts {

  private final Map<String, MoveState> open = new HashMap<>();
  private final EnumMap<MoveState, Long> ended = new EnumMap<>(MoveState.class);
  private long looked;
  private long planned;
  private long plannedBytes;
  private long doneBytes;
  private long bytes;
  private long changesDone;
  private long changesFailed;

  /** A file was looked at, before any of its moves. */
  synchronized void looked() {
    looked++;
  }

  synchronized void planned(Move move) {
    planned++;
    plannedBytes += move.bytes();
    open.put(move.id(), MoveState.PLANNED);
  }

  synchronized void changed(Move move, MoveState state) {
    MoveState before = open.get(move.id());
    if (before != null
        && before != MoveState.VISIBLE
        && (state == MoveState.VISIBLE || state.isFinal())) {
      doneBytes += move.bytes();
    }
    if (state.isFinal()) {
      open.remove(move.id());
      ended.merge(state, 1L, Long::sum);
      if (state == MoveState.VERIFIED) {
        bytes += move.bytes();
      }
    } else {
      open.put(move.id(), state);
    }
  }

  /** A file was cached or not, or has another replication factor; or it failed. */
  synchronized void changed(boolean isDone) {
    if (isDone) {
      changesDone++;
    } else {
      changesFailed++;
    }
  }

  /** Such changes in words; empty where there were none. */
  synchronized String changes() {
    long all = changesDone + changesFailed;
    return all == 0
        ? ""
        : ", " + changesDone + " of " + all + " changes of replication or the cache done";
  }

  /** Moves that readers see done, or that are at their end some other way. */
  public synchronized long done() {
    return planned - open.values().stream().filter(state -> state != MoveState.VISIBLE).count();
  }

  /**
   * How far they are, in moves, and looks before them, and in bytes.
   *
   * @param all moves and looks that there are
   */
  public synchronized Tasks.Progress progress(long all) {
    return new Tasks.Progress(looked + done(), all, doneBytes, plannedBytes);
  }

  synchronized ServiceStatus.Moves snapshot() {
    long running = open.values().stream().filter(state -> state != MoveState.PLANNED).count();
    return new ServiceStatus.Moves(
        planned,
        running,
        ended.getOrDefault(MoveState.VERIFIED, 0L),
        ended.getOrDefault(MoveState.FAILED, 0L),
        ended.getOrDefault(MoveState.OBSOLETE, 0L) + ended.getOrDefault(MoveState.CANCELLED, 0L),
        bytes);
  }
}
