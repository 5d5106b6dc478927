// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.plan.Move;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Moves that wait for their copy, in order. One that can't begin yet lets those behind it pass:
 * so no DataNode is idle because another is busy. Not thread-safe.
 *
 * <p>What may begin depends on the storages' types and nodes alone: moves between the same ones
 * wait in a lane, and of each lane only the first is asked about.
 */
final class MoveQueue {

  private final Map<Lane, Deque<Numbered>> lanes = new LinkedHashMap<>();
  private final PriorityQueue<Waiting> later =
      new PriorityQueue<>((a, b) -> Long.signum(a.notBeforeNanos() - b.notBeforeNanos()));
  private long added;
  private int inLanes;

  /**
   * @param attempt from 1, which waits for no time
   * @param heldBack attempts that counted as none
   * @param notBeforeNanos monotonic
   */
  record Waiting(FileTask task, Move move, int attempt, int heldBack, long notBeforeNanos) {

    Waiting(FileTask task, Move move, long nowNanos) {
      this(task, move, 1, 0, nowNanos);
    }
  }

  private record Numbered(long number, Waiting waiting) {}

  private record Lane(String source, StorageType from, String target, StorageType to) {
    static Lane of(Move move) {
      return new Lane(
          move.source().node(), move.source().type(), move.targetNode(), move.targetType());
    }
  }

  void add(Waiting one) {
    if (one.attempt() > 1) {
      later.add(one);
    } else {
      addToLane(one);
    }
  }

  private void addToLane(Waiting one) {
    lanes
        .computeIfAbsent(Lane.of(one.move()), first -> new ArrayDeque<>())
        .add(new Numbered(added++, one));
    inLanes++;
  }

  /** Takes the first that may begin now; null where none may. */
  Waiting next(long nowNanos, Predicate<Move> admits) {
    while (!later.isEmpty() && later.peek().notBeforeNanos() - nowNanos <= 0) {
      addToLane(later.poll());
    }
    Numbered first = null;
    for (Deque<Numbered> lane : lanes.values()) {
      Numbered head = lane.peek();
      if ((first == null || head.number() < first.number()) && admits.test(head.waiting().move())) {
        first = head;
      }
    }
    if (first == null) {
      return null;
    }
    Lane lane = Lane.of(first.waiting().move());
    lanes.get(lane).poll();
    if (lanes.get(lane).isEmpty()) {
      lanes.remove(lane);
    }
    inLanes--;
    return first.waiting();
  }

  /**
   * How long until the first may begin that waits for a time; empty where none does.
   *
   * @param nanosUntilPaid how long bandwidth keeps a move waiting; 0: it waits for something else
   */
  OptionalLong nanosUntilNext(long nowNanos, ToLongFunction<Move> nanosUntilPaid) {
    LongStream paid =
        lanes.values().stream()
            .mapToLong(lane -> nanosUntilPaid.applyAsLong(lane.peek().waiting().move()));
    LongStream again =
        Stream.ofNullable(later.peek()).mapToLong(one -> one.notBeforeNanos() - nowNanos);
    return LongStream.concat(paid, again).filter(nanos -> nanos > 0).min();
  }

  /** None waits for its time any more. */
  void waitForNoTime() {
    later.forEach(this::addToLane);
    later.clear();
  }

  /** Takes all that were never begun, and tells of which files they are. */
  Set<FileTask> removeUnbegun() {
    Set<FileTask> tasks = new LinkedHashSet<>();
    for (Deque<Numbered> lane : lanes.values()) {
      lane.stream()
          .map(Numbered::waiting)
          .filter(one -> one.attempt() == 1)
          .forEach(one -> tasks.add(one.task()));
      lane.removeIf(one -> one.waiting().attempt() == 1);
    }
    lanes.values().removeIf(Deque::isEmpty);
    inLanes = lanes.values().stream().mapToInt(Deque::size).sum();
    return tasks;
  }

  int size() {
    return inLanes + later.size();
  }
}
