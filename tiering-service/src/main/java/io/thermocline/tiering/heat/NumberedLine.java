// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import java.util.Arrays;

/**
 * Values in the order of their numbers, added at the end and dropped anywhere, mostly at the ends: each in constant
 * time but for a search by number. One thread changes it; any may look, and sees it as it is about now.
 */
final class NumberedLine<T> {

  /** In arrays that never shift, so that a look from elsewhere finds either a value in its place or none. */
  private static final class Slots {
    final long[] numbers;
    final Object[] values;
    volatile int from;
    volatile int to;

    Slots(int length) {
      numbers = new long[length];
      values = new Object[length];
    }

    /** The first place whose number is at least the given one. */
    int place(long number) {
      int found = Arrays.binarySearch(numbers, from, to, number);
      return found < 0 ? -found - 1 : found;
    }
  }

  private volatile Slots slots = new Slots(2);
  private int size;
  private long last;

  boolean isEmpty() {
    return size == 0;
  }

  /**
   * Adds a value.
   *
   * @param number larger than all before
   */
  void add(long number, T value) {
    Slots now = slots;
    if (now.to == now.values.length) {
      Slots roomier = new Slots(Math.max(2, 2 * size));
      for (int i = now.from; i < now.to; i++) {
        if (now.values[i] != null) {
          roomier.numbers[roomier.to] = now.numbers[i];
          roomier.values[roomier.to] = now.values[i];
          roomier.to = roomier.to + 1;
        }
      }
      now = roomier;
    }
    now.numbers[now.to] = number;
    now.values[now.to] = value;
    now.to = now.to + 1;
    slots = now;
    last = number;
    size++;
  }

  /** Drops the value of a number, where there is one. */
  void drop(long number) {
    Slots now = slots;
    int at = now.place(number);
    if (at == now.to || now.numbers[at] != number || now.values[at] == null) {
      return;
    }
    now.values[at] = null;
    size--;
    while (now.from < now.to && now.values[now.from] == null) {
      now.from = now.from + 1;
    }
    while (now.to > now.from && now.values[now.to - 1] == null) {
      now.to = now.to - 1;
    }
    last = now.to == now.from ? 0 : now.numbers[now.to - 1];
  }

  /** The highest number that has a value; 0 where there is none. For the thread that changes it. */
  long last() {
    return last;
  }

  /** The value of the highest number below a given one; null where there is none. */
  @SuppressWarnings("unchecked")
  T lastBefore(long number) {
    Slots now = slots;
    int at = now.to - 1;
    if (at >= 0 && now.numbers[at] >= number) {
      at = now.place(number) - 1;
    }
    while (at >= 0 && now.values[at] == null) {
      at--;
    }
    return at < 0 ? null : (T) now.values[at];
  }
}
