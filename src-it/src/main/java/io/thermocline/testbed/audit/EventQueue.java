// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.audit;

import java.util.Comparator;
import java.util.PriorityQueue;

/** What happens next, in the order of time. Not thread-safe. */
final class EventQueue {
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(
          Comparator.comparingLong(Event::millis).thenComparingLong(Event::sequence));
  private long now;
  private long added;

  private record Event(long millis, long sequence, Runnable action) {}

  /** @param start milliseconds since 1970 */
  EventQueue(long start) {
    now = start;
  }

  long now() {
    return now;
  }

  void in(long millis, Runnable action) {
    events.add(new Event(now + millis, added++, action));
  }

  /** Takes what happens before the end; the rest never happens. */
  void runUntil(long end) {
    for (Event next = events.poll(); next != null && next.millis() < end; next = events.poll()) {
      now = next.millis();
      next.action().run();
    }
  }
}
