// SPDX-License-Identifier: Apache-2.0
package io.thermocline.mining.spark;

import io.thermocline.tiering.classify.groups.MiningSettings;
import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/** Who meets whom within a part of all reads: as {@code CorrelationMiner} compares. */
final class Meetings {

  private Meetings() {}

  /**
   * What the parts before end with.
   *
   * @param last reads before the part, as many as are compared, the latest last
   * @param number of the part's first read, of all
   */
  record Before(List<LoggedRead> last, long number) implements Serializable {}

  /** Times together of a pair, none of them missed. */
  record Together(long first, long second, int count) implements Serializable {}

  static Iterator<Meeting> of(Iterator<LoggedRead> reads, Before before, MiningSettings settings) {
    Deque<LoggedRead> recent = new ArrayDeque<>(before.last());
    List<Meeting> meetings = new ArrayList<>();
    long number = before.number();
    while (reads.hasNext()) {
      LoggedRead read = reads.next();
      long since = read.millis() - settings.window().toMillis();
      Set<Long> met = new HashSet<>();
      long other = number;
      for (Iterator<LoggedRead> back = recent.descendingIterator(); back.hasNext(); ) {
        LoggedRead earlier = back.next();
        other--;
        if (earlier.millis() < since) {
          break;
        }
        if (earlier.key() != read.key() && met.add(earlier.key())) {
          meetings.add(Meeting.of(read.key(), earlier.key(), number, other));
        }
      }
      recent.addLast(read);
      if (recent.size() > settings.neighbours()) {
        recent.removeFirst();
      }
      number++;
    }
    return meetings.iterator();
  }

  /** Counts of pairs, each read once with each other object, of all meetings of these pairs in order. */
  static Iterator<Together> count(Iterator<Meeting> sorted) {
    List<Together> counts = new ArrayList<>();
    Meeting pair = null;
    long used = -1;
    int count = 0;
    while (sorted.hasNext()) {
      Meeting meeting = sorted.next();
      if (pair == null || !meeting.isOfPairOf(pair)) {
        if (pair != null) {
          counts.add(new Together(pair.first(), pair.second(), count));
        }
        pair = meeting;
        used = -1;
        count = 0;
      }
      if (meeting.before() > used) {
        count++;
        used = meeting.now();
      }
    }
    if (pair != null) {
      counts.add(new Together(pair.first(), pair.second(), count));
    }
    return counts.iterator();
  }
}
