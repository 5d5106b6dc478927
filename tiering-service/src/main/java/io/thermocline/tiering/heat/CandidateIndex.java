// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import java.lang.invoke.VarHandle;
import java.util.function.Consumer;

/**
 * Candidates by the keys of their paths, without an object for each key and without a look at candidates that aren't
 * meant. One thread changes it; any may look, and may miss a candidate whose key is being changed.
 */
final class CandidateIndex {
  /** The key of a slot that was never used: a search ends there. */
  private static final long EMPTY = 0;

  /** The key of a slot whose candidate went elsewhere: a search goes on behind it. */
  private static final long REMOVED = 1;

  private static final class Slots {
    final long[] keys;
    final Candidate[] candidates;

    Slots(int length) {
      keys = new long[length];
      candidates = new Candidate[length];
    }
  }

  private final int mask;
  private volatile Slots slots;
  private int used;

  CandidateIndex(int most) {
    int length = Integer.highestOneBit(Math.max(4, most)) * 4;
    this.mask = length - 1;
    this.slots = new Slots(length);
  }

  /** Reads where the candidate of a key mostly is. */
  long fetch(long key) {
    Slots now = slots;
    int i = start(usable(key));
    return now.keys[i] + (now.candidates[i] == null ? 0 : 1);
  }

  /** The candidate of a key, mostly, or of another one. */
  Candidate first(long key) {
    return slots.candidates[start(usable(key))];
  }

  Candidate find(long key) {
    long sought = usable(key);
    Slots now = slots;
    for (int i = start(sought); now.keys[i] != EMPTY; i = i + 1 & mask) {
      if (now.keys[i] == sought) {
        VarHandle.acquireFence();
        Candidate found = now.candidates[i];
        if (found != null && found.pathKey == key) {
          return found;
        }
      }
    }
    return null;
  }

  /** Adds one whose path isn't there. */
  void put(Candidate candidate) {
    // Candidates are at most half of the slots; the rest of these are removed ones.
    if (used > mask * 3L / 4) {
      rebuild();
    }
    place(slots, candidate);
  }

  void remove(Candidate candidate) {
    int i = start(usable(candidate.pathKey));
    while (slots.candidates[i] != candidate) {
      if (slots.keys[i] == EMPTY) {
        throw new IllegalStateException("no candidate under the key of " + candidate.path);
      }
      i = i + 1 & mask;
    }
    slots.keys[i] = REMOVED;
    slots.candidates[i] = null;
  }

  void forEach(Consumer<Candidate> action) {
    for (Candidate candidate : slots.candidates) {
      VarHandle.acquireFence();
      if (candidate != null) {
        action.accept(candidate);
      }
    }
  }

  private void rebuild() {
    Slots fresh = new Slots(mask + 1);
    used = 0;
    forEach(candidate -> place(fresh, candidate));
    slots = fresh;
  }

  private void place(Slots into, Candidate candidate) {
    long key = usable(candidate.pathKey);
    int i = start(key);
    while (into.keys[i] != EMPTY) {
      i = i + 1 & mask;
    }
    into.candidates[i] = candidate;
    VarHandle.releaseFence();
    into.keys[i] = key;
    used++;
  }

  /** Keys that mean something else here stand beside another one. */
  private static long usable(long key) {
    return key == EMPTY || key == REMOVED ? key + 2 : key;
  }

  private int start(long key) {
    return (int) (key ^ key >>> 32) & mask;
  }
}
