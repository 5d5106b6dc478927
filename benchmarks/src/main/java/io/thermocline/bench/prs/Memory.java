// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.prs;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/** Groups that a node has loaded whole, or is loading; the oldest go first. One thread. */
final class Memory {
  /** Of a node's 16 GB. */
  static final long BYTES = 2L << 30;

  private final Map<Integer, Group> groups = new HashMap<>();
  private final Queue<Integer> order = new ArrayDeque<>();
  private long bytes;

  /** Objects of a group as they come in. */
  static final class Group {
    private final boolean[] there;
    private final List<List<Runnable>> waiting = new ArrayList<>();

    private Group(int objects) {
      there = new boolean[objects];
      for (int i = 0; i < objects; i++) {
        waiting.add(new ArrayList<>());
      }
    }

    void comes(int index) {
      there[index] = true;
      waiting.get(index).forEach(Runnable::run);
      waiting.get(index).clear();
    }

    /** As soon as it is there. */
    void await(int index, Runnable then) {
      if (there[index]) {
        then.run();
      } else {
        waiting.get(index).add(then);
      }
    }
  }

  /** Null where it is not. */
  Group get(int group) {
    return groups.get(group);
  }

  Group begin(int group, int objects) {
    Group begun = new Group(objects);
    groups.put(group, begun);
    order.add(group);
    bytes += objects * Storage.OBJECT_BYTES;
    while (bytes > BYTES) {
      bytes -= groups.remove(order.remove()).there.length * Storage.OBJECT_BYTES;
    }
    return begun;
  }
}
