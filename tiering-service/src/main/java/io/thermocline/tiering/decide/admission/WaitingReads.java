// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.admission;

import io.thermocline.tiering.heat.StateSink;
import io.thermocline.tiering.heat.StateSource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads of files whose length isn't known yet, in the order in which they came; of more than fit, the oldest
 * are forgotten. Not thread-safe.
 */
final class WaitingReads {

  private static final int FIRST = 1 << 10;

  /** In place of a length. */
  static final Long UNKNOWN = -1L;

  /** In place of the key of a read that was taken back. */
  private static final long NONE = 0;

  private final int most;
  private long[] keys = new long[FIRST];
  private long[] times = new long[FIRST];

  /** Numbers of the oldest and of the next to come: read n stands at n modulo the length of the arrays. */
  private long first;

  private long end;
  private long latest = Long.MIN_VALUE;
  private long forgotten;

  /**
   * @param most a power of two, at least 1024
   */
  WaitingReads(int most) {
    this.most = most;
  }

  /** Time doesn't run backwards: a line that comes late counts as of now. */
  void add(long key, long timeMillis) {
    if (end - first == keys.length) {
      if (keys.length < most) {
        grow();
      } else {
        first++;
        forgotten++;
      }
    }
    latest = Math.max(latest, timeMillis);
    int place = place(end++);
    keys[place] = key;
    times[place] = latest;
  }

  /** Takes back the newest read of a key, if it still waits and is no older than that. */
  void withdraw(long key, long timeMillis) {
    for (long at = end - 1; at >= first && times[place(at)] >= timeMillis; at--) {
      if (keys[place(at)] == key) {
        keys[place(at)] = NONE;
        return;
      }
    }
  }

  long end() {
    return end;
  }

  /** Time of the newest read so far, whether it waits or not; milliseconds since 1970. */
  long latest() {
    return latest;
  }

  /** How many were forgotten for want of room. */
  long forgotten() {
    return forgotten;
  }

  /** The keys of all that wait, {@link #UNKNOWN} as the length of each. */
  Map<Long, Long> unknown() {
    Map<Long, Long> lengths = new HashMap<>();
    for (long at = first; at < end; at++) {
      if (keys[place(at)] != NONE) {
        lengths.put(keys[place(at)], UNKNOWN);
      }
    }
    return lengths;
  }

  /**
   * Takes the oldest reads, those of known length into a model.
   *
   * @param upTo number of the first that isn't to be taken
   * @param atMost how many to take
   * @param lengths in bytes, by key
   * @return whether more are left before {@code upTo}
   */
  boolean take(long upTo, int atMost, Map<Long, Long> lengths, AdmissionModel into) {
    for (int left = atMost; left > 0 && first < upTo; left--) {
      int place = place(first++);
      long length = lengths.getOrDefault(keys[place], UNKNOWN);
      if (length != UNKNOWN) {
        into.read(keys[place], length, times[place] / 1e3);
      }
    }
    return first < upTo;
  }

  /** Forgets those before a number. */
  void drop(long upTo) {
    first = Math.max(first, upTo);
  }

  private int place(long number) {
    return (int) (number & (keys.length - 1));
  }

  private void grow() {
    long[] oldKeys = keys;
    long[] oldTimes = times;
    keys = Arrays.copyOf(keys, 2 * oldKeys.length);
    times = Arrays.copyOf(times, 2 * oldTimes.length);
    for (long at = first; at < end; at++) {
      int from = (int) (at & (oldKeys.length - 1));
      keys[place(at)] = oldKeys[from];
      times[place(at)] = oldTimes[from];
    }
  }

  void writeTo(StateSink sink) {
    sink.number(latest);
    sink.number(end - first);
    for (long at = first; at < end; at++) {
      sink.number(keys[place(at)]);
      sink.number(times[place(at)]);
    }
  }

  static WaitingReads restore(StateSource source, int most) {
    WaitingReads waiting = new WaitingReads(most);
    long latest = source.number();
    for (int left = source.size(most); left > 0; left--) {
      waiting.add(source.number(), source.number());
    }
    waiting.latest = latest;
    return waiting;
  }
}
