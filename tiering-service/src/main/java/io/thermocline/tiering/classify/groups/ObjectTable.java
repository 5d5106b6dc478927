// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.classify.groups;

import io.thermocline.tiering.heat.Mix;
import io.thermocline.tiering.heat.StateSink;
import io.thermocline.tiering.heat.StateSource;
import java.util.Arrays;

/**
 * The objects that are known, each in a slot, and how they were read. Not thread-safe.
 *
 * <p>At most a given number are kept. Where a further one comes, those that were read least go, half of them at
 * least. Reads of what is kept are exact since it was admitted; before, there were at most {@link #missed}. With N
 * reads in all and room for C objects that is never above 2N/C (the bound of Misra and Gries, 1982, for counters that
 * are lowered by a median at a time).
 */
final class ObjectTable {
  private static final int SMALLEST = 1 << 10;
  private static final long LOW = 0xffffffffL;

  private final int most;
  private int[] slots = new int[2 * SMALLEST];
  private int size;
  private int floor;
  private long[] keys = new long[SMALLEST];
  private int[] reads = new int[SMALLEST];
  private int[] missed = new int[SMALLEST];
  private int[] lastNumber = new int[SMALLEST];
  private long[] lastMillis = new long[SMALLEST];
  private long[] largest = new long[SMALLEST];
  private long[] ends = new long[SMALLEST];

  ObjectTable(int most) {
    this.most = most;
  }

  int size() {
    return size;
  }

  boolean isFull() {
    return size >= most;
  }

  /** The slot of a key, or -1. */
  int find(long key) {
    return slots[indexOf(key)] - 1;
  }

  /** A slot for a key that has none; not where the table is full. */
  int admit(long key) {
    if (size == keys.length) {
      grow();
    }
    int slot = size++;
    keys[slot] = key;
    reads[slot] = 0;
    missed[slot] = floor;
    lastNumber[slot] = 0;
    largest[slot] = 0;
    ends[slot] = 0;
    slots[indexOf(key)] = size;
    return slot;
  }

  /** One access of a slot. */
  void read(int slot, int number, long millis, long offset, long bytes) {
    reads[slot]++;
    lastNumber[slot] = number;
    lastMillis[slot] = millis;
    largest[slot] = Math.max(largest[slot], bytes);
    ends[slot] = Math.max(ends[slot], offset + bytes);
  }

  /** Takes what was counted elsewhere as this slot's. */
  void load(int slot, int count, long millis, long largestBytes, long end) {
    reads[slot] = count;
    lastMillis[slot] = millis;
    largest[slot] = largestBytes;
    ends[slot] = end;
  }

  /**
   * Sends those away that were read least.
   *
   * @return the new slot of each old one, -1 of those that went
   */
  int[] purge() {
    int[] values = new int[size];
    for (int slot = 0; slot < size; slot++) {
      values[slot] = reads[slot] + missed[slot];
    }
    Arrays.sort(values);
    floor = values[(size - 1) / 2];
    int[] moved = new int[size];
    int kept = 0;
    for (int slot = 0; slot < size; slot++) {
      if (reads[slot] + missed[slot] <= floor) {
        moved[slot] = -1;
        continue;
      }
      moved[slot] = kept;
      keys[kept] = keys[slot];
      reads[kept] = reads[slot];
      missed[kept] = missed[slot];
      lastNumber[kept] = lastNumber[slot];
      lastMillis[kept] = lastMillis[slot];
      largest[kept] = largest[slot];
      ends[kept] = ends[slot];
      kept++;
    }
    size = kept;
    index(slots.length);
    return moved;
  }

  long key(int slot) {
    return keys[slot];
  }

  /** Since it was admitted. */
  int reads(int slot) {
    return reads[slot];
  }

  /** Most that there can have been before that. */
  int missed(int slot) {
    return missed[slot];
  }

  /** Most that {@link #missed} of an object to come would be. */
  int floor() {
    return floor;
  }

  int lastNumber(int slot) {
    return lastNumber[slot];
  }

  long lastMillis(int slot) {
    return lastMillis[slot];
  }

  GroupedObject object(int slot) {
    return new GroupedObject(keys[slot], reads[slot], largest[slot], ends[slot]);
  }

  void writeTo(StateSink sink) {
    sink.number(size);
    sink.number(floor);
    for (int slot = 0; slot < size; slot++) {
      sink.number(keys[slot]);
      sink.number((long) reads[slot] << 32 | missed[slot] & LOW);
      sink.number(lastNumber[slot]);
      sink.number(lastMillis[slot]);
      sink.number(largest[slot]);
      sink.number(ends[slot]);
    }
  }

  /** Into an empty table. */
  void restore(StateSource source) {
    int count = source.size(most);
    floor = (int) source.number();
    for (int i = 0; i < count; i++) {
      int slot = admit(source.number());
      long counted = source.number();
      reads[slot] = (int) (counted >>> 32);
      missed[slot] = (int) counted;
      lastNumber[slot] = (int) source.number();
      lastMillis[slot] = source.number();
      largest[slot] = source.number();
      ends[slot] = source.number();
    }
  }

  /** Bytes of memory it takes. */
  long memory() {
    return 4L * slots.length + 44L * keys.length;
  }

  private int indexOf(long key) {
    int mask = slots.length - 1;
    int index = (int) Mix.of(key) & mask;
    while (slots[index] != 0 && keys[slots[index] - 1] != key) {
      index = (index + 1) & mask;
    }
    return index;
  }

  private void grow() {
    int room = (int) Math.min(most, 2L * keys.length);
    keys = Arrays.copyOf(keys, room);
    reads = Arrays.copyOf(reads, room);
    missed = Arrays.copyOf(missed, room);
    lastNumber = Arrays.copyOf(lastNumber, room);
    lastMillis = Arrays.copyOf(lastMillis, room);
    largest = Arrays.copyOf(largest, room);
    ends = Arrays.copyOf(ends, room);
    index(Integer.highestOneBit(room - 1) * 4);
  }

  private void index(int room) {
    slots = new int[Math.max(room, 2 * SMALLEST)];
    for (int slot = 0; slot < size; slot++) {
      slots[indexOf(keys[slot])] = slot + 1;
    }
  }
}
