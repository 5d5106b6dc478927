// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import io.thermocline.tiering.observe.PathHashes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Candidates below the directories of their paths, so that what is done to a directory touches those below it
 * and no others. One thread.
 */
final class CandidateTree {

  /** A directory with candidates below it, or the path of a candidate. */
  private static final class Node {
    final long key;
    Candidate candidate;
    Node parent;
    Node firstChild;
    Node before;
    Node after;

    Node(long key) {
      this.key = key;
    }

    void adopt(Node child) {
      child.parent = this;
      child.after = firstChild;
      if (firstChild != null) {
        firstChild.before = child;
      }
      firstChild = child;
    }

    void abandon(Node child) {
      if (child.before == null) {
        firstChild = child.after;
      } else {
        child.before.after = child.after;
      }
      if (child.after != null) {
        child.after.before = child.before;
      }
    }
  }

  private final Map<Long, Node> nodes = new HashMap<>();

  /** Adds one whose path has none. */
  void add(Candidate candidate, PathHashes path) {
    Node child = null;
    for (int depth = path.depth(); depth >= 0; depth--) {
      Node known = nodes.get(path.key(depth));
      Node node = known == null ? new Node(path.key(depth)) : known;
      if (depth == path.depth()) {
        node.candidate = candidate;
      }
      if (child != null) {
        node.adopt(child);
      }
      if (known != null) {
        return;
      }
      nodes.put(node.key, node);
      child = node;
    }
  }

  /** The one of a path, or null. */
  Candidate at(long pathKey) {
    Node node = nodes.get(pathKey);
    return node == null ? null : node.candidate;
  }

  void remove(Candidate candidate) {
    Node node = nodes.get(candidate.pathKey);
    node.candidate = null;
    while (node != null && node.candidate == null && node.firstChild == null) {
      nodes.remove(node.key);
      if (node.parent != null) {
        node.parent.abandon(node);
      }
      node = node.parent;
    }
  }

  /** Those of a path and of all below it, in an order that doesn't depend on how they got here. */
  List<Candidate> under(long pathKey) {
    Node top = nodes.get(pathKey);
    if (top == null) {
      return List.of();
    }
    List<Candidate> found = new ArrayList<>();
    Deque<Node> open = new ArrayDeque<>();
    open.add(top);
    while (!open.isEmpty()) {
      Node node = open.removeLast();
      if (node.candidate != null) {
        found.add(node.candidate);
      }
      for (Node child = node.firstChild; child != null; child = child.after) {
        open.add(child);
      }
    }
    found.sort(Comparator.comparingLong(candidate -> candidate.pathKey));
    return found;
  }
}
