// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import java.lang.invoke.VarHandle;
import java.util.function.Consumer;

/**
 * Values by the keys of paths or directories, without an object for each key and without a look at values that
 * aren't meant. One thread changes it; any may look, and may miss a value whose key is being changed.
 */
final class KeyTable<V> {
  /** The key of a slot that was never used: a search ends there. */
  private static final long EMPTY = 0;

  /** The key of a slot whose value went elsewhere: a search goes on behind it. */
  private static final long REMOVED = 1;

  private static final class Slots {
    final long[] keys;
    final Object[] values;
    final int mask;

    Slots(int length) {
      keys = new long[length];
      values = new Object[length];
      mask = length - 1;
    }
  }

  private volatile Slots slots = new Slots(4);
  private int size;

  /** Slots that have, or had, a value. */
  private int used;

  boolean isEmpty() {
    return size == 0;
  }

  /** Reads where the value of a key mostly is. */
  long fetch(long key) {
    Slots now = slots;
    int i = start(usable(key), now);
    return now.keys[i] + (now.values[i] == null ? 0 : 1);
  }

  /** The value of a key, mostly, or of another one, or null. */
  V first(long key) {
    Slots now = slots;
    return value(now, start(usable(key), now));
  }

  /** The value of a key, or null. */
  V get(long key) {
    long sought = usable(key);
    Slots now = slots;
    for (int i = start(sought, now); now.keys[i] != EMPTY; i = i + 1 & now.mask) {
      if (now.keys[i] == sought) {
        VarHandle.acquireFence();
        return value(now, i);
      }
    }
    return null;
  }

  /** Adds a value whose key isn't there. */
  void put(long key, V value) {
    if (used > slots.mask * 3L / 4) {
      rebuild();
    }
    place(slots, usable(key), value);
    used++;
    size++;
  }

  /** Removes the value of a key that is there. */
  void remove(long key) {
    long sought = usable(key);
    Slots now = slots;
    int i = start(sought, now);
    while (now.keys[i] != sought) {
      if (now.keys[i] == EMPTY) {
        throw new IllegalStateException("nothing under the key " + key);
      }
      i = i + 1 & now.mask;
    }
    now.keys[i] = REMOVED;
    now.values[i] = null;
    size--;
  }

  void forEach(Consumer<V> action) {
    Slots now = slots;
    for (int i = 0; i < now.keys.length; i++) {
      V value = value(now, i);
      VarHandle.acquireFence();
      if (value != null) {
        action.accept(value);
      }
    }
  }

  /** Without the removed ones, and with room: values are a quarter to a half of the slots then. */
  private void rebuild() {
    Slots old = slots;
    Slots fresh = new Slots(Math.max(4, 4 * Integer.highestOneBit(Math.max(1, size))));
    for (int i = 0; i < old.keys.length; i++) {
      if (old.values[i] != null) {
        place(fresh, old.keys[i], old.values[i]);
      }
    }
    used = size;
    slots = fresh;
  }

  private static void place(Slots into, long key, Object value) {
    int i = start(key, into);
    while (into.keys[i] != EMPTY) {
      i = i + 1 & into.mask;
    }
    into.values[i] = value;
    VarHandle.releaseFence();
    into.keys[i] = key;
  }

  @SuppressWarnings("unchecked")
  private V value(Slots in, int i) {
    return (V) in.values[i];
  }

  /** Keys are hashes of 64 bits: two that mean something else here share the key of another one. */
  private static long usable(long key) {
    return key == EMPTY || key == REMOVED ? key + 2 : key;
  }

  private static int start(long key, Slots in) {
    return (int) (key ^ key >>> 32) & in.mask;
  }
}
