// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.classify.groups;

import io.thermocline.tiering.heat.Mix;
import io.thermocline.tiering.heat.StateSink;
import io.thermocline.tiering.heat.StateSource;
import java.util.Arrays;

/**
 * How often pairs of objects were together: of each object a short list of others. Not thread-safe.
 *
 * <p>A pair is on the list of one of the two, which a hash of their keys decides. Where a list is full and another
 * partner comes, it takes the place of one that was together with the object in less than half of its reads since it
 * came; where there is none, of one that was met once so far, which chance chooses, or it is left out. So partners
 * stay as long as they keep coming, however many strangers are met meanwhile, and one that keeps coming gets a place
 * after some reads. From then on its count is exact. What it can have been together before is at most the reads of either until
 * then; with a list that never was full, nothing.
 */
final class PartnerTable {
  // One table of all pairs has a miss of the cache for each of them, and most pairs are chance, met
  // once. Both objects of a pair were read a moment ago, so their lists are in the cache.
  //
  // Lists that are lowered when they are full, as Misra and Gries do, bound the error of each
  // count,
  // but lose everything where more strangers are met at each read than there are places: they
  // lower it faster than partners raise it.
  //
  // Two longs a place: partner and count; then the reads of owner and partner when it came.

  private static final long LOW = 0xffffffffL;

  private final ObjectTable objects;
  private final int places;
  private long[] table = new long[0];
  private byte[] used = new byte[0];
  private boolean[] wasFull = new boolean[0];
  private long met;

  /** What is done with each pair. */
  interface Each {
    void pair(int first, int second, int together);
  }

  /**
   * @param places of each list, to 127
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
      wasFull = Arrays.copyOf(wasFull, room);
    }
    used[slot] = 0;
    wasFull[slot] = false;
  }

  /** Two objects are together, with the latest read of each. */
  void meet(int a, int b) {
    met++;
    int owner = owner(a, b);
    int partner = a + b - owner;
    int at = find(owner, partner);
    if (at >= 0) {
      table[at]++;
      return;
    }
    if (used[owner] < places) {
      put(first(owner) + 2 * used[owner]++, owner, partner);
      return;
    }
    wasFull[owner] = true;
    int place = worst(owner);
    if (place >= 0) {
      put(place, owner, partner);
    }
  }

  private void put(int at, int owner, int partner) {
    table[at] = (long) partner << 32 | 1;
    table[at + 1] =
        wasFull[owner]
            ? (long) (objects.reads(owner) - 1) << 32 | objects.reads(partner) - 1 & LOW
            : 0;
  }

  /** Takes what was counted elsewhere, where there is room. */
  void load(int a, int b, int count) {
    int owner = owner(a, b);
    if (used[owner] < places) {
      int at = first(owner) + 2 * used[owner]++;
      table[at] = (long) (a + b - owner) << 32 | count;
      table[at + 1] = 0;
    }
  }

  /** How often any two were together, counted elsewhere. */
  void load(long times) {
    met = times;
  }

  /** Whose place another one may take; -1 where nobody's. */
  private int worst(int owner) {
    int worst = -1;
    double least = 0.5;
    int once = -1;
    int first = first(owner);
    int drawn = (int) (Mix.of(met) >>> 33) % (2 * places);
    int reads = objects.reads(owner) - 1;
    for (int i = 0; i < places; i++) {
      int at = first + 2 * i;
      int count = (int) table[at];
      // The owner's last read doesn't count: its partners may come after it.
      double share = (double) count / (reads - (int) (table[at + 1] >>> 32));
      if (share <= least) {
        worst = at;
        least = share;
      }
      if (i == drawn && count == 1) {
        once = at;
      }
    }
    return worst >= 0 ? worst : once;
  }

  /** At least, 0 for strangers. */
  int together(int a, int b) {
    int at = place(a, b);
    return at < 0 ? 0 : (int) table[at];
  }

  /** Most reads of the pair's one or other since their times together are counted; for strangers since they are known. */
  int reads(int a, int b) {
    int at = place(a, b);
    return Math.max(since(at, a, b), since(at, b, a));
  }

  /** The same of the one that is read less. */
  int fewerReads(int a, int b) {
    int at = place(a, b);
    return Math.min(since(at, a, b), since(at, b, a));
  }

  private int since(int at, int of, int other) {
    int before = before(at, of, other);
    return before == 0 ? objects.reads(of) + objects.missed(of) : objects.reads(of) - before;
  }

  /** Most that a count can be too low. */
  int missed(int a, int b) {
    int at = place(a, b);
    if (at < 0) {
      return wasFull[owner(a, b)] ? Math.min(objects.reads(a), objects.reads(b)) : 0;
    }
    return Math.min(before(at, a, b), before(at, b, a));
  }

  /** Reads of one of the two before they are counted together. */
  private int before(int at, int of, int other) {
    return at < 0 ? 0 : (int) (owner(of, other) == of ? table[at + 1] >>> 32 : table[at + 1]);
  }

  private int place(int a, int b) {
    int owner = owner(a, b);
    return find(owner, a + b - owner);
  }

  void each(Each each) {
    for (int owner = 0; owner < objects.size(); owner++) {
      for (int i = 0, at = first(owner); i < used[owner]; i++, at += 2) {
        each.pair(owner, (int) (table[at] >>> 32), (int) table[at]);
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
      wasFull[to] = wasFull[owner];
    }
  }

  int size() {
    int size = 0;
    for (int owner = 0; owner < objects.size(); owner++) {
      size += used[owner];
    }
    return size;
  }

  /** How often any two were together. */
  long met() {
    return met;
  }

  /** Most that the count of a pair that is kept can be too low. */
  int missed() {
    int[] most = {0};
    each((a, b, together) -> most[0] = Math.max(most[0], missed(a, b)));
    return most[0];
  }

  void writeTo(StateSink sink) {
    sink.number(met);
    for (int owner = 0; owner < objects.size(); owner++) {
      sink.number((long) used[owner] << 32 | (wasFull[owner] ? 1 : 0));
      for (int i = 0, at = first(owner); i < 2 * used[owner]; i++) {
        sink.number(table[at + i]);
      }
    }
  }

  /** Of all objects that there are, none of which has partners yet. */
  void restore(StateSource source) {
    met = source.number();
    for (int owner = 0; owner < objects.size(); owner++) {
      admit(owner);
      long head = source.number();
      int count = (int) (head >>> 32);
      if (count > places) {
        throw new IllegalStateException(count + " partners where there are " + places + " places");
      }
      used[owner] = (byte) count;
      wasFull[owner] = (int) head != 0;
      for (int i = 0, at = first(owner); i < 2 * count; i++) {
        table[at + i] = source.number();
      }
    }
  }

  /** Bytes of memory it takes. */
  long memory() {
    return 8L * table.length + 2L * used.length;
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
