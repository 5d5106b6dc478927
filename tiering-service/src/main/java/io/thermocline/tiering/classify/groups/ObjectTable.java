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

  // Eight longs an object, side by side: a read of an object that isn't in the processor's cache
  // waits for memory once or twice, not for each of its numbers.
  private static final int ROW = 3;
  private static final int READS = 1; // and in the lower half, missed
  private static final int MET = 2;
  private static final int READERS = 3;
  private static final int LAST = 4;
  private static final int LARGEST = 5;
  private static final int END = 6;

  private final int most;
  private int[] slots = new int[2 * SMALLEST];
  private int size;
  private int floor;
  private long[] rows = new long[SMALLEST << ROW];

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
    if (size == rows.length >> ROW) {
      grow();
    }
    int slot = size++;
    int row = slot << ROW;
    Arrays.fill(rows, row, row + (1 << ROW), 0);
    rows[row] = key;
    rows[row + READS] = floor;
    slots[indexOf(key)] = size;
    return slot;
  }

  /** One access of a slot. */
  void read(int slot, long reader, long millis, long offset, long bytes) {
    int row = slot << ROW;
    rows[row + READS] += 1L << 32;
    rows[row + READERS] |= bitOf(reader);
    rows[row + LAST] = millis;
    rows[row + LARGEST] = Math.max(rows[row + LARGEST], bytes);
    rows[row + END] = Math.max(rows[row + END], offset + bytes);
  }

  /** Takes what was counted elsewhere as this slot's. */
  void load(int slot, ReadCounts counts) {
    int row = slot << ROW;
    rows[row + READS] = (long) counts.reads() << 32 | missed(slot);
    rows[row + MET] = counts.met();
    rows[row + READERS] = counts.readers();
    rows[row + LAST] = counts.lastMillis();
    rows[row + LARGEST] = counts.largestBytes();
    rows[row + END] = counts.bytes();
  }

  /**
   * Sends those away that were read least.
   *
   * @return the new slot of each old one, -1 of those that went
   */
  int[] purge() {
    int[] values = new int[size];
    for (int slot = 0; slot < size; slot++) {
      values[slot] = reads(slot) + missed(slot);
    }
    Arrays.sort(values);
    floor = values[(size - 1) / 2];
    int[] moved = new int[size];
    int kept = 0;
    for (int slot = 0; slot < size; slot++) {
      if (reads(slot) + missed(slot) <= floor) {
        moved[slot] = -1;
        continue;
      }
      moved[slot] = kept;
      System.arraycopy(rows, slot << ROW, rows, kept << ROW, 1 << ROW);
      kept++;
    }
    size = kept;
    index(slots.length);
    return moved;
  }

  long key(int slot) {
    return rows[slot << ROW];
  }

  /** Since it was admitted. */
  int reads(int slot) {
    return (int) (rows[(slot << ROW) + READS] >>> 32);
  }

  /** Most that there can have been before that. */
  int missed(int slot) {
    return (int) rows[(slot << ROW) + READS];
  }

  /** Most that {@link #missed} of an object to come would be. */
  int floor() {
    return floor;
  }

  /** One bit of 64. */
  static long bitOf(long reader) {
    return 1L << Mix.of(reader);
  }

  /** How many readers so many bits stand for, about; with all 64 set, 267 or more. */
  static int count(long bits) {
    return (int) Math.round(-64 * Math.log(Math.max(1, 64 - Long.bitCount(bits)) / 64.0));
  }

  /** It was together with another one. */
  void meets(int slot) {
    rows[(slot << ROW) + MET]++;
  }

  /** How often it was together with others. */
  int met(int slot) {
    return (int) rows[(slot << ROW) + MET];
  }

  /** A bit of 64 for each reader, which a hash of it chooses. */
  long readers(int slot) {
    return rows[(slot << ROW) + READERS];
  }

  long lastMillis(int slot) {
    return rows[(slot << ROW) + LAST];
  }

  GroupedObject object(int slot) {
    int row = slot << ROW;
    return new GroupedObject(rows[row], reads(slot), rows[row + LARGEST], rows[row + END]);
  }

  void writeTo(StateSink sink) {
    sink.number(size);
    sink.number(floor);
    for (int slot = 0; slot < size; slot++) {
      for (int i = 0; i <= END; i++) {
        sink.number(rows[(slot << ROW) + i]);
      }
    }
  }

  /** Into an empty table. */
  void restore(StateSource source) {
    int count = source.size(most);
    floor = (int) source.number();
    for (int i = 0; i < count; i++) {
      int row = admit(source.number()) << ROW;
      for (int each = 1; each <= END; each++) {
        rows[row + each] = source.number();
      }
    }
  }

  /** Bytes of memory it takes. */
  long memory() {
    return 4L * slots.length + 8L * rows.length;
  }

  private int indexOf(long key) {
    int mask = slots.length - 1;
    int index = (int) Mix.of(key) & mask;
    while (slots[index] != 0 && rows[slots[index] - 1 << ROW] != key) {
      index = (index + 1) & mask;
    }
    return index;
  }

  private void grow() {
    int room = (int) Math.min(most, 2L * (rows.length >> ROW));
    rows = Arrays.copyOf(rows, room << ROW);
    index(Integer.highestOneBit(room - 1) * 4);
  }

  private void index(int room) {
    slots = new int[Math.max(room, 2 * SMALLEST)];
    for (int slot = 0; slot < size; slot++) {
      slots[indexOf(rows[slot << ROW])] = slot + 1;
    }
  }
}
