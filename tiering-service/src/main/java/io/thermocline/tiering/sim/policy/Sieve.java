// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.policy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * SIEVE (Zhang et al., SIEVE is simpler than LRU, NSDI 2024, algorithm 1), by bytes: a queue in the order of entry, and a
 * hand that goes from the oldest to the newest, spares once what was accessed since it came by, and evicts the rest.
 */
final class Sieve implements CachePolicy.Cache {
  private final long capacity;
  private final Map<Integer, Node> nodes = new HashMap<>();
  private Node newest;
  private Node oldest;
  private Node hand;
  private long used;

  private static final class Node {
    private final int file;
    private final long bytes;
    private boolean isVisited;
    private Node newer;
    private Node older;

    Node(int file, long bytes) {
      this.file = file;
      this.bytes = bytes;
    }
  }

  Sieve(long capacity) {
    this.capacity = capacity;
  }

  @Override
  public void accessed(int file, long bytes, List<Integer> evicted) {
    Node known = nodes.get(file);
    if (known != null) {
      known.isVisited = true;
      return;
    }
    while (used + bytes > capacity) {
      evicted.add(evict());
    }
    Node node = new Node(file, bytes);
    node.older = newest;
    if (newest != null) {
      newest.newer = node;
    } else {
      oldest = node;
    }
    newest = node;
    nodes.put(file, node);
    used += bytes;
  }

  private int evict() {
    Node at = hand == null ? oldest : hand;
    while (at.isVisited) {
      at.isVisited = false;
      at = at.newer == null ? oldest : at.newer;
    }
    hand = at.newer;
    remove(at);
    return at.file;
  }

  private void remove(Node node) {
    if (node.newer == null) {
      newest = node.older;
    } else {
      node.newer.older = node.older;
    }
    if (node.older == null) {
      oldest = node.newer;
    } else {
      node.older.newer = node.newer;
    }
    nodes.remove(node.file);
    used -= node.bytes;
  }

  @Override
  public List<Integer> content() {
    List<Integer> content = new ArrayList<>();
    for (Node node = newest; node != null; node = node.older) {
      content.add(node.file);
    }
    return content;
  }
}
