// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.prs;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;

/**
 * What a node has read ahead of groups into its memory, object by object, one at a time, beside
 * what it is asked for. One thread.
 */
final class Memory {
  /** Of a node's 16 GB. Who has groups loaded sees to it that they fit. */
  static final long BYTES = 2L << 30;

  /** What Linux asks a device for at once (max_sectors_kb): others have their turn in between. */
  private static final long PIECE = 512 << 10;

  private final Device device;
  private final Map<Integer, boolean[]> groups = new HashMap<>();
  private final Queue<Read> waiting = new ArrayDeque<>();
  private boolean isReading;

  private record Read(boolean[] objects, int index, long place) {}

  Memory(Device device) {
    this.device = device;
  }

  boolean has(int group, int index) {
    boolean[] objects = groups.get(group);
    return objects != null && objects[index];
  }

  /**
   * Begins to, where that wasn't begun.
   *
   * @param place of the group on the device
   * @param from the object that is read first; then what follows it, then what is before it
   */
  void load(int group, int objects, long place, int from) {
    if (groups.containsKey(group)) {
      return;
    }
    boolean[] there = new boolean[objects];
    groups.put(group, there);
    for (int i = 0; i < objects; i++) {
      int index = (from + i) % objects;
      waiting.add(new Read(there, index, place + index * Storage.OBJECT_BYTES));
    }
    next();
  }

  private void next() {
    if (isReading || waiting.isEmpty()) {
      return;
    }
    isReading = true;
    read(waiting.remove(), 0);
  }

  private void read(Read read, long done) {
    if (done == Storage.OBJECT_BYTES) {
      read.objects[read.index] = true;
      isReading = false;
      next();
    } else {
      device.ask(read.place + done, PIECE, false, () -> read(read, done + PIECE));
    }
  }
}
