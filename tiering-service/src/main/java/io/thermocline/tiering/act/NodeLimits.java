// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/** Bounds the copies that one DataNode takes part in at the same time. Thread-safe. */
final class NodeLimits {

  private final int perNode;
  private final Map<String, Semaphore> permits = new ConcurrentHashMap<>();

  NodeLimits(int perNode) {
    this.perNode = perNode;
  }

  /**
   * Waits until both nodes have a place. Always in the same order, so that two callers cannot wait for
   * each other.
   */
  void acquire(String a, String b) throws InterruptedException {
    String first = a.compareTo(b) <= 0 ? a : b;
    String second = first.equals(a) ? b : a;
    of(first).acquire();
    if (!second.equals(first)) {
      try {
        of(second).acquire();
      } catch (InterruptedException e) {
        of(first).release();
        throw e;
      }
    }
  }

  void release(String a, String b) {
    of(a).release();
    if (!a.equals(b)) {
      of(b).release();
    }
  }

  private Semaphore of(String node) {
    return permits.computeIfAbsent(node, key -> new Semaphore(perNode));
  }
}
