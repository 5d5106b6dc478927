// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import io.thermocline.tiering.plan.Move;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Moves that wait for their copy, in order. One that can't begin yet lets those behind it pass: so no DataNode is idle
 * because another is busy. Not thread-safe.
 */
final class MoveQueue {

  private final Deque<Waiting> waiting = new ArrayDeque<>();

  /**
   * @param attempt from 1
   * @param notBeforeNanos monotonic
   */
  record Waiting(FileTask task, Move move, int attempt, long notBeforeNanos) {}

  void add(Waiting one) {
    waiting.add(one);
  }

  /** Takes the first that may begin now; null where none may. */
  Waiting next(long nowNanos, Predicate<Move> admits) {
    Iterator<Waiting> each = waiting.iterator();
    while (each.hasNext()) {
      Waiting one = each.next();
      if (one.notBeforeNanos() - nowNanos <= 0 && admits.test(one.move())) {
        each.remove();
        return one;
      }
    }
    return null;
  }

  /** How long until the first that waits for a time may begin; empty where none does. */
  OptionalLong nanosUntilNext(long nowNanos) {
    return waiting.stream()
        .mapToLong(one -> one.notBeforeNanos() - nowNanos)
        .filter(nanos -> nanos > 0)
        .min();
  }

  /** Takes all that were never begun, and tells of which files they are. */
  Set<FileTask> removeUnbegun() {
    Set<FileTask> tasks = new LinkedHashSet<>();
    waiting.stream().filter(one -> one.attempt() == 1).forEach(one -> tasks.add(one.task()));
    waiting.removeIf(one -> one.attempt() == 1);
    return tasks;
  }

  int size() {
    return waiting.size();
  }
}
