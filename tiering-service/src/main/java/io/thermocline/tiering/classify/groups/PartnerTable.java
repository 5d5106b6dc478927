// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.classify.groups;

import io.thermocline.tiering.heat.Mix;
import io.thermocline.tiering.heat.StateSink;
import io.thermocline.tiering.heat.StateSource;
import java.util.Arrays;

/**
 * How often pairs of objects were together: of each object a short list of others. Not thread-safe.
 *
 * <p>A pair is on the list of one of the two, which a hash of their keys decides. Where a list of L places is full
 * and another partner comes, the {@link #floor} of the object rises by one, and partners that were together with it no
 * more often than that go (Misra and Gries, 1982). So the count of a pair is exact since it was admitted, and before
 * there were at most as many as the floor was then; an object that was together n times in all, with whomever of its
 * list, has a floor of n/(L+1) at most. An object with partners that hold it for nine tenths of its reads keeps
 * them for sure as long as there are fewer than 0.9 (L+1) others in a window, on its list.
 */
final class PartnerTable {
  // One table of all pairs has a miss of the cache for each of them, and most pairs are chance, met
  // once. Both objects of a pair were read a moment ago, so their lists are in the cache.
  //
  // Two longs a place: partner and the number of the access at which the count was last raised;
  // then
  // the count and what was missed before it.

  private static final long LOW = 0xffffffffL;

  private final ObjectTable objects;
  private final int places;
  private long[] table = new long[0];
  private byte[] used = new byte[0];
  private int[] floors = new int[0];

  /** What is done with each pair. */
  interface Each {
    void pair(int first, int second, int together);
  }

  /**
   * @param places of each list: L, to 127
   */
  PartnerTable(ObjectTable objects, int places) {
    this.objects = objects;
    this.places = places;
  }

  /** Makes room for a slot that was admitted. */
  void admit(int slot) {
    if (slot >= used.length) {
      int room = Math.max(1 << 10, 2 * used.length);
      table = Arrays.copyOf(table, room * places * 2);
      used = Arrays.copyOf(used, room);
      floors = Arrays.copyOf(floors, room);
    }
    used[slot] = 0;
    floors[slot] = 0;
  }

  /**
   * Two objects are together, unless the earlier access was counted with the later object before: each access counts
   * with each other object once, so that a pair is never together more often than either is accessed.
   *
   * @param earlier number of the other object's last access
   * @param now number of this access
   */
  void together(int a, int b, int earlier, int now) {
    int owner = owner(a, b);
    int partner = a + b - owner;
    int at = find(owner, partner);
    if (at >= 0) {
      if (earlier - (int) table[at] > 0) {
        table[at] = (long) partner << 32 | now & LOW;
        table[at + 1] += 1L << 32;
      }
      return;
    }
    if (used[owner] == places && !lower(owner)) {
      return;
    }
    add(owner, partner, now, 1);
  }

  private void add(int owner, int partner, int now, int count) {
    int at = first(owner) + 2 * used[owner]++;
    table[at] = (long) partner << 32 | now & LOW;
    table[at + 1] = (long) count << 32 | floors[owner];
  }

  /** Takes what was counted elsewhere, where there is room. */
  void load(int a, int b, int count) {
    int owner = owner(a, b);
    if (used[owner] < places) {
      add(owner, a + b - owner, 0, count);
    }
  }

  /** Raises the floor of a full list; returns whether there is room now. */
  private boolean lower(int owner) {
    int floor = ++floors[owner];
    int kept = 0;
    int first = first(owner);
    for (int i = 0; i < places; i++) {
      int from = first + 2 * i;
      if ((int) (table[from + 1] >>> 32) + (int) table[from + 1] > floor) {
        table[first + 2 * kept] = table[from];
        table[first + 2 * kept++ + 1] = table[from + 1];
      }
    }
    used[owner] = (byte) kept;
    return kept < places;
  }

  /** At least, 0 for strangers. */
  int together(int a, int b) {
    int owner = owner(a, b);
    int at = find(owner, a + b - owner);
    return at < 0 ? 0 : (int) (table[at + 1] >>> 32);
  }

  void each(Each each) {
    for (int owner = 0; owner < objects.size(); owner++) {
      for (int i = 0, at = first(owner); i < used[owner]; i++, at += 2) {
        each.pair(owner, (int) (table[at] >>> 32), (int) (table[at + 1] >>> 32));
      }
    }
  }

  /** Slots have new numbers, in the same order: what is of one that is -1 now goes. */
  void renumber(int[] moved) {
    for (int owner = 0; owner < moved.length; owner++) {
      int to = moved[owner];
      if (to < 0) {
        continue;
      }
      int kept = 0;
      for (int i = 0, at = first(owner); i < used[owner]; i++, at += 2) {
        int partner = moved[(int) (table[at] >>> 32)];
        if (partner >= 0) {
          int target = first(to) + 2 * kept++;
          table[target] = (long) partner << 32 | table[at] & LOW;
          table[target + 1] = table[at + 1];
        }
      }
      used[to] = (byte) kept;
      floors[to] = floors[owner];
    }
  }

  int size() {
    int size = 0;
    for (int owner = 0; owner < objects.size(); owner++) {
      size += used[owner];
    }
    return size;
  }

  /** Most that a count of a pair can be too low, whose list is this object's or that one's. */
  int floor(int a, int b) {
    return floors[owner(a, b)];
  }

  /** The same of any pair. */
  int floor() {
    int most = 0;
    for (int owner = 0; owner < objects.size(); owner++) {
      most = Math.max(most, floors[owner]);
    }
    return most;
  }

  void writeTo(StateSink sink) {
    for (int owner = 0; owner < objects.size(); owner++) {
      sink.number((long) used[owner] << 32 | floors[owner] & LOW);
      for (int i = 0, at = first(owner); i < 2 * used[owner]; i++) {
        sink.number(table[at + i]);
      }
    }
  }

  /** Of all objects that there are, none of which has partners yet. */
  void restore(StateSource source) {
    for (int owner = 0; owner < objects.size(); owner++) {
      admit(owner);
      long head = source.number();
      int count = (int) (head >>> 32);
      if (count > places) {
        throw new IllegalStateException(count + " partners where there are " + places + " places");
      }
      used[owner] = (byte) count;
      floors[owner] = (int) head;
      for (int i = 0, at = first(owner); i < 2 * count; i++) {
        table[at + i] = source.number();
      }
    }
  }

  /** Bytes of memory it takes. */
  long memory() {
    return 8L * table.length + 5L * used.length;
  }

  private int first(int owner) {
    return owner * places * 2;
  }

  private int find(int owner, int partner) {
    int at = first(owner);
    for (int end = at + 2 * used[owner]; at < end; at += 2) {
      if ((int) (table[at] >>> 32) == partner) {
        return at;
      }
    }
    return -1;
  }

  /** Whose list a pair is on: one that no renumbering changes. */
  private int owner(int a, int b) {
    long first = objects.key(a);
    long second = objects.key(b);
    return (Mix.of(first ^ second) & 1) == 0 == first < second ? a : b;
  }
}
