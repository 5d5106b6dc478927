// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import org.apache.hadoop.net.Node;

/**
 * A scope as network topologies spell it: empty for the whole cluster, {@code /d/r} for what lies
 * under a location, {@code ~/d/r} for everything else. Immutable.
 */
final class Scope {
  private final String path;
  private final boolean outside;

  private Scope(String path, boolean outside) {
    this.path = path;
    this.outside = outside;
  }

  static Scope of(String scope) {
    return scope.startsWith("~") ? new Scope(scope.substring(1), true) : new Scope(scope, false);
  }

  Step step() {
    return outside ? Step.OTHER_RACK : path.isEmpty() ? Step.ANYWHERE : Step.SAME_RACK;
  }

  boolean contains(Node node) {
    return isUnder(node) != outside;
  }

  private boolean isUnder(Node node) {
    String location = node.getNetworkLocation();
    int length = path.length();
    if (location.length() >= length) {
      return location.startsWith(path)
          && (location.length() == length || length == 0 || location.charAt(length) == '/');
    }
    // The scope may name the node itself.
    return path.length() == location.length() + 1 + node.getName().length()
        && path.startsWith(location)
        && path.charAt(location.length()) == '/'
        && path.endsWith(node.getName());
  }
}
