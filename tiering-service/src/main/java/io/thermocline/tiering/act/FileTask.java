// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import io.thermocline.tiering.plan.Move;
import io.thermocline.tiering.plan.Plan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * The moves of one file on their way. Guarded by itself.
 *
 * <p>Moves of one block go one after the other, each verified before the next begins: with two
 * copies too many at once the NameNode would choose by its own rules which to drop. So a file's
 * moves form rounds, the n-th move of each block being in round n.
 */
final class FileTask {

  private final Plan.FileMoves file;
  private final List<List<Move>> rounds;
  private final Map<Move, MoveState> states = new LinkedHashMap<>();
  private final Map<Move, Integer> racks = new HashMap<>();

  /**
   * Whose change the listener is being told. Nobody else changes them meanwhile: else it could hear of a move's end before
   * what came before it, and take the move for one that never ends.
   */
  private final Set<Move> telling = new HashSet<>();

  private final MoveListener listener;
  private int round;
  private long copiedAtNanos;

  /** Nothing begins any more. */
  private boolean closed;

  /** Nothing changes any more. */
  private boolean abandoned;

  FileTask(Plan.FileMoves file, MoveListener listener) {
    this.file = file;
    this.listener = listener;
    this.rounds = rounds(file.moves());
    file.moves().forEach(move -> states.put(move, MoveState.PLANNED));
  }

  Plan.FileMoves file() {
    return file;
  }

  String path() {
    return file.path();
  }

  /** Moves of the current round that are in one of these states. */
  synchronized List<Move> in(MoveState... wanted) {
    return rounds.get(round).stream()
        .filter(move -> Arrays.asList(wanted).contains(states.get(move)))
        .toList();
  }

  /** Moves of the current round that are copied, and not at their end. */
  List<Move> copied() {
    return in(MoveState.COPIED, MoveState.VISIBLE);
  }

  /** Whether no copy of the round is still to be made. */
  boolean isCopied() {
    return in(MoveState.PLANNED, MoveState.COPYING).isEmpty();
  }

  /** Whether clients are shown all copies of the round that were made. */
  boolean isShown() {
    return isCopied() && in(MoveState.COPIED).isEmpty();
  }

  /** Whether all moves of the round are at their end. */
  boolean isSettled() {
    return isCopied() && copied().isEmpty();
  }

  synchronized boolean isLastRound() {
    return round == rounds.size() - 1;
  }

  synchronized void nextRound() {
    round++;
  }

  /**
   * Begins a move: the listener is told first, and where it throws the move hasn't begun.
   *
   * @return false where it has ended, or isn't waited for, so that it must not begin
   */
  boolean begin(Move move) {
    synchronized (this) {
      if (closed || states.get(move) != MoveState.PLANNED) {
        return false;
      }
      telling.add(move);
    }
    boolean isRecorded = false;
    try {
      listener.changed(move, MoveState.COPYING, "");
      isRecorded = true;
    } finally {
      synchronized (this) {
        if (isRecorded) {
          states.put(move, MoveState.COPYING);
        }
        told(move);
      }
    }
    return true;
  }

  /** Takes any next state but COPYING, which {@link #begin} is for. */
  void set(Move move, MoveState next, String detail) {
    MoveListener.Change change = new MoveListener.Change(move, next, detail);
    synchronized (this) {
      awaitTold(() -> telling.contains(move));
      if (!take(change)) {
        return;
      }
    }
    try {
      listener.changed(move, next, detail);
    } finally {
      told(move);
    }
  }

  /**
   * Without telling the listener, whom the caller tells, and then {@link #told us}.
   *
   * @return false where it is abandoned, so that nothing changes any more that has ended; and where the listener is being told
   *     of another change of the move
   */
  synchronized boolean take(MoveListener.Change change) {
    MoveState now = states.get(change.move());
    if (abandoned || closed && now.isFinal() || telling.contains(change.move())) {
      return false;
    }
    states.put(change.move(), now.to(change.state()));
    telling.add(change.move());
    return true;
  }

  /** The listener was told of the move's change. */
  synchronized void told(Move move) {
    telling.remove(move);
    notifyAll();
  }

  /** However often it is interrupted: who tells doesn't wait for us. */
  private synchronized void awaitTold(BooleanSupplier isTelling) {
    boolean isInterrupted = false;
    while (isTelling.getAsBoolean()) {
      try {
        wait();
      } catch (InterruptedException e) {
        isInterrupted = true;
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  MoveListener listener() {
    return listener;
  }

  /** Ends every move that has not begun, nor is about to. */
  void endUnbegun(MoveState state, String detail) {
    file.moves().forEach(move -> endUnbegun(move, state, detail));
  }

  /** Ends a move that has not begun, nor is about to. */
  void endUnbegun(Move move, MoveState state, String detail) {
    synchronized (this) {
      if (!isUnbegun(move) || !take(new MoveListener.Change(move, state, detail))) {
        return;
      }
    }
    try {
      listener.changed(move, state, detail);
    } finally {
      told(move);
    }
  }

  synchronized boolean isFinal(Move move) {
    return states.get(move).isFinal();
  }

  synchronized boolean isUnbegun(Move move) {
    return states.get(move) == MoveState.PLANNED;
  }

  /**
   * Ends every move as far as we are concerned, whatever a thread that copies still says of it. Waits
   * for what is being recorded, so that no line of a move comes behind its end.
   */
  void abandon(String why) {
    synchronized (this) {
      closed = true;
      awaitTold(() -> !telling.isEmpty());
    }
    endUnbegun(MoveState.CANCELLED, why);
    List<Move> begun;
    synchronized (this) {
      begun = states.keySet().stream().filter(move -> !states.get(move).isFinal()).toList();
    }
    begun.forEach(move -> set(move, MoveState.FAILED, "not waited for: " + why));
    synchronized (this) {
      abandoned = true;
    }
  }

  /** Whether a copy of another move is made, or being made. */
  synchronized boolean hasCopies(Move other) {
    return states.entrySet().stream()
        .anyMatch(
            each ->
                each.getKey() != other
                    && (each.getValue() == MoveState.COPYING
                        || each.getValue() == MoveState.COPIED
                        || each.getValue() == MoveState.VISIBLE
                        || each.getValue() == MoveState.VERIFIED));
  }

  /** The last copy of the round so far was made at this moment. */
  synchronized void copiedAt(long nanos) {
    copiedAtNanos = nanos;
  }

  synchronized long copiedAtNanos() {
    return copiedAtNanos;
  }

  /** On how many racks the move's block was before it. */
  synchronized void racks(Move move, int before) {
    racks.put(move, before);
  }

  synchronized int racks(Move move) {
    return racks.getOrDefault(move, 0);
  }

  private static List<List<Move>> rounds(List<Move> moves) {
    List<List<Move>> rounds = new ArrayList<>();
    Map<Long, Integer> seen = new HashMap<>();
    for (Move move : moves) {
      int index = seen.merge(move.block().id(), 1, Integer::sum) - 1;
      if (index == rounds.size()) {
        rounds.add(new ArrayList<>());
      }
      rounds.get(index).add(move);
    }
    return rounds;
  }
}
