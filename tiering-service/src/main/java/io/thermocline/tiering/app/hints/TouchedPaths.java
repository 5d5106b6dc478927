// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.hints;

import io.thermocline.tiering.observe.Paths;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/** Paths whose attributes were set or removed since they were last looked at. Thread-safe. */
final class TouchedPaths {

  /** Of more, what stands on them is found by the look at all. */
  static final int MOST = 100_000;

  private NavigableMap<String, Touch> touched = new TreeMap<>();

  /**
   * Who set attributes of a path.
   *
   * @param users empty where nobody saw it
   */
  record Touch(Set<String> users, long atMillis) {

    /** That it is looked at, and nobody saw that anything was set. */
    static Touch unseen(long atMillis) {
      return new Touch(Set.of(), atMillis);
    }
  }

  /**
   * @param user null where nobody saw it
   */
  synchronized void touch(String path, String user, long atMillis) {
    add(path, user == null ? Set.of() : Set.of(user), atMillis);
  }

  private void add(String path, Set<String> users, long atMillis) {
    Touch touch =
        touched.size() < MOST
            ? touched.computeIfAbsent(path, first -> new Touch(new HashSet<>(), atMillis))
            : touched.get(path);
    if (touch != null) {
      touch.users().addAll(users);
    }
  }

  synchronized void renamed(String from, String to) {
    for (String path : Paths.atOrBelow(touched, from)) {
      touched.put(to + path.substring(from.length()), touched.remove(path));
    }
  }

  /** All of them, by their paths, which are the caller's then. */
  synchronized NavigableMap<String, Touch> take() {
    NavigableMap<String, Touch> taken = touched;
    touched = new TreeMap<>();
    return taken;
  }

  /** Those of the taken that couldn't be looked at. */
  synchronized void putBack(Map<String, Touch> left) {
    left.forEach((path, touch) -> add(path, touch.users(), touch.atMillis()));
  }
}
