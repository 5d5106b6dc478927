// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.prs;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;

/**
 * What a node reads of groups ahead into its page cache, object by object, one at a time, beside what it is asked for.
 * One thread.
 */
final class GroupLoader {
  /** What Linux asks a device for at once (max_sectors_kb): others have their turn in between. */
  private static final long PIECE = 512 << 10;

  private final PageCache cache;
  private final Set<Integer> begun = new HashSet<>();
  private final Queue<Long> waiting = new ArrayDeque<>();
  private boolean isReading;

  GroupLoader(PageCache cache) {
    this.cache = cache;
  }

  /**
   * Begins to, where that wasn't begun.
   *
   * @param place of the group on the device
   * @param from the object that is read first; then what follows it, then what is before it
   */
  void load(int group, int objects, long place, int from) {
    if (!begun.add(group)) {
      return;
    }
    for (int i = 0; i < objects; i++) {
      waiting.add(place + (from + i) % objects * Storage.OBJECT_BYTES);
    }
    next();
  }

  private void next() {
    if (!isReading && !waiting.isEmpty()) {
      isReading = true;
      read(waiting.remove(), 0);
    }
  }

  private void read(long place, long done) {
    if (done == Storage.OBJECT_BYTES) {
      isReading = false;
      next();
    } else {
      cache.ask(place + done, PIECE, false, () -> read(place, done + PIECE));
    }
  }
}
