// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.prs;

import java.util.PriorityQueue;

/**
 * A virtual clock, and what is to happen when; in the order of time, then of being said. One
 * thread.
 */
final class Events {
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private long said;
  private double now;

  private record Event(double at, long number, Runnable what) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int order = Double.compare(at, other.at);
      return order == 0 ? Long.compare(number, other.number) : order;
    }
  }

  /** Seconds since the beginning. */
  double now() {
    return now;
  }

  /**
   * @param when in seconds, not before now
   */
  void at(double when, Runnable what) {
    events.add(new Event(when, said++, what));
  }

  /** Until nothing is to happen any more. */
  void run() {
    for (Event event = events.poll(); event != null; event = events.poll()) {
      now = event.at;
      event.what.run();
    }
  }
}
