// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.Move;
import io.thermocline.tiering.plan.Plan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The moves of one file on their way. Guarded by itself.
 *
 * <p>Moves of one block go one after the other, each verified before the next begins: with two copies
 * too many at once the NameNode would choose by its own rules which to drop. So a file's moves form
 * rounds, the n-th move of each block being in round n.
 */
final class FileTask {

  private final Plan.FileMoves file;
  private final List<List<Move>> rounds;
  private final Map<Move, MoveState> states = new LinkedHashMap<>();
  private final MoveListener listener;
  private int round;
  private long copiedAtNanos;
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
    return file.decision().hot().file().path();
  }

  synchronized boolean isFirstRound() {
    return round == 0;
  }

  /** Moves of the current round that are not at their end. */
  synchronized List<Move> open() {
    return rounds.get(round).stream().filter(move -> !states.get(move).isFinal()).toList();
  }

  /** Goes on to the next round; false after the last. */
  synchronized boolean nextRound() {
    return ++round < rounds.size();
  }

  /** A listener that throws where a copy begins keeps it from beginning. */
  void set(Move move, MoveState next, String detail) {
    if (next == MoveState.COPYING) {
      listener.changed(move, next, detail);
    }
    synchronized (this) {
      if (abandoned) {
        return;
      }
      states.put(move, states.get(move).to(next));
    }
    if (next != MoveState.COPYING) {
      listener.changed(move, next, detail);
    }
  }

  /** Ends every move that has not begun. */
  void endUnbegun(MoveState state, String detail) {
    List<Move> unbegun;
    synchronized (this) {
      unbegun =
          states.keySet().stream().filter(move -> states.get(move) == MoveState.PLANNED).toList();
    }
    unbegun.forEach(move -> set(move, state, detail));
  }

  synchronized boolean isUnbegun(Move move) {
    return states.get(move) == MoveState.PLANNED;
  }

  void interrupted(Move move) {
    set(move, isUnbegun(move) ? MoveState.CANCELLED : MoveState.FAILED, "interrupted");
  }

  /** Ends every move as far as we are concerned, whatever a thread that copies still says of it. */
  void abandon(String why) {
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

  synchronized void roundCopied(long nanos) {
    copiedAtNanos = nanos;
  }

  synchronized long copiedAtNanos() {
    return copiedAtNanos;
  }

  /** Whether the file still has the blocks that were planned. */
  boolean isUnchangedIn(FileView now) {
    return ids(now).containsAll(ids(file.decision().hot().file()));
  }

  private static List<Long> ids(FileView view) {
    return view.blocks().stream().map(FileView.Block::id).toList();
  }

  /** Whether HDFS shows the move done: there, gone from here, and no copy more or less. */
  static boolean isShown(Move move, FileView now) {
    return now.blocks().stream()
        .filter(block -> block.id() == move.block().id())
        .anyMatch(
            block ->
                block.replicas().size() == now.replication()
                    && block.replicas().stream()
                        .anyMatch(
                            replica ->
                                replica.node().equals(move.targetNode())
                                    && replica.type() == move.targetType())
                    && block.replicas().stream()
                        .noneMatch(
                            replica ->
                                replica.node().equals(move.source().node())
                                    && replica.type() == move.source().type()));
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
